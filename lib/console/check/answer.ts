import { type DenialAnswer, referenceOf, refusalOf } from "../../enforce/guard/refusal.ts";
import { isDenied, type Verdict } from "../../enforce/guard/verdict.ts";
import type { DomainError, ErrorCode } from "../../errors.ts";

export interface CheckReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const neverCached = { "cache-control": "private, no-store" };

/** For proxies that hand a refusal on as it is, like Traefik and Caddy. */
export function plainAnswer(verdict: Verdict, accept: string | null): CheckReply {
  if (isDenied(verdict)) return refusalOf(verdict, accept);
  return { status: 204, headers: { ...verdict.headers, ...neverCached }, body: null };
}

/**
 * For nginx, whose `auth_request` knows only 2xx, 401 and 403, and drops the body: deploy/nginx.conf reads the headers. The body
 * is put into headers, in the format the client accepts, only if nginx asks for it: its buffer for headers is 4 kB by default,
 * and a larger answer counts as none.
 */
export function nginxAnswer(verdict: Verdict, body?: { readonly accept: string | null }): CheckReply {
  return {
    status: isDenied(verdict) ? 403 : 204,
    headers: {
      ...verdict.headers,
      ...referenceOf(verdict),
      ...neverCached,
      "x-sluice-outcome": verdict.outcome,
      "x-sluice-status": String(verdict.status),
      ...(body && isDenied(verdict) && bodyInHeaders(refusalOf(verdict, body.accept))),
    },
    body: null,
  };
}

/** A header is one line of bytes. Its bytes are those of the body in UTF-8, which nginx passes on as they are. */
function bodyInHeaders({ headers, body }: DenialAnswer): Record<string, string> {
  const line = body.trim().replaceAll("\n", " ");
  return {
    "x-sluice-content-type": headers["content-type"] ?? "",
    "x-sluice-body": Buffer.from(line, "utf8").toString("latin1"),
  };
}

const statuses: Partial<Record<ErrorCode, number>> = {
  "bad-input": 400,
  "not-allowed": 401,
  // Not 404: nginx says that itself to clients that ask for its internal location.
  "not-found": 503,
  "not-configured": 503,
};

/** For the operator of the proxy: what is wrong with its question. */
export function sentenceAnswer({ code, message }: DomainError): CheckReply {
  const status = statuses[code] ?? 500;
  return {
    status,
    headers: {
      ...neverCached,
      "content-type": "text/plain; charset=utf-8",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    },
    body: `${message}\n`,
  };
}
