import type { DomainError, ErrorCode } from "../../../lib/errors.ts";
import { refusalOf } from "../../../lib/guard/refusal.ts";
import { isDenied, type Verdict } from "../../../lib/guard/verdict.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const neverCached = { "cache-control": "private, no-store" };

/** For proxies that hand a refusal on as it is, like Traefik and Caddy. */
export function plainAnswer(verdict: Verdict, accept: string | null): Answer {
  if (isDenied(verdict)) return refusalOf(verdict, accept);
  return { status: 204, headers: { ...verdict.headers, ...neverCached }, body: null };
}

/** For nginx, whose `auth_request` knows only 2xx, 401 and 403, and drops the body: deploy/nginx.conf reads the headers. */
export function nginxAnswer(verdict: Verdict): Answer {
  return {
    status: isDenied(verdict) ? 403 : 204,
    headers: {
      ...verdict.headers,
      ...neverCached,
      "x-sluice-outcome": verdict.outcome,
      "x-sluice-status": String(verdict.status),
    },
    body: null,
  };
}

const statuses: Partial<Record<ErrorCode, number>> = {
  "bad-input": 400,
  "not-allowed": 401,
  "not-configured": 503,
};

/** For whoever set the proxy up: what is wrong with its question. */
export function sentenceAnswer({ code, message }: DomainError): Answer {
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
