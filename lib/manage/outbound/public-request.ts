import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestEncrypted } from "node:https";
import type { LookupFunction } from "node:net";
import { blockOf, parseIp } from "../../ip/parse.ts";
import { specialRange } from "../../ip/special-ranges.ts";

/** A request that got no answer, and the cause in words. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  /** The receiver may have got the request. */
  readonly mayBeSent: boolean;

  constructor(cause: string, mayBeSent = false) {
    super(cause);
    this.mayBeSent = mayBeSent;
  }
}

export interface OutboundRequest {
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface OutboundSettings {
  /** Also addresses of this machine and of private networks. */
  readonly allowsPrivate?: boolean | undefined;
  /** For tests: a certificate authority. */
  readonly ca?: string | undefined;
}

/** Sends a request to an address of the internet, and to no other unless the settings allow it. Redirects are not followed. */
export async function openRequest(
  url: URL,
  { method = "GET", headers, body, signal }: OutboundRequest,
  { allowsPrivate = false, ca }: OutboundSettings,
): Promise<IncomingMessage> {
  const literal = parseIp(url.hostname.replace(/^\[|\]$/g, ""));
  if (literal.ok && !allowsPrivate) requirePublic(url, literal.value);
  const open = url.protocol === "http:" ? requestPlain : requestEncrypted;
  return new Promise((resolve, reject) => {
    const asked = open(url, {
      ...{ method, headers, signal, agent: false, ...(ca !== undefined && { ca }) },
      // Resolved once, checked, and connected to: a second answer of DNS could be another address.
      ...(!allowsPrivate && { lookup: publicLookup(url) }),
    });
    asked.once("response", resolve);
    asked.once("error", (error) => reject(failureOf(error, url, signal)));
    asked.end(body);
  });
}

/** Gives only addresses of the internet. One that is not ends the request: the name would lead somewhere inside. */
function publicLookup(url: URL): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, "", 0);
      try {
        for (const { address } of found) requirePublic(url, address);
      } catch (refusal) {
        return done(refusal as Error, "", 0);
      }
      const [first] = found;
      if (options.all) return done(null, found);
      return done(null, first?.address ?? "", first?.family ?? 4);
    });
  };
}

function requirePublic(url: URL, address: string): void {
  const parsed = parseIp(address);
  const special = parsed.ok ? specialRange(blockOf(parsed.value)) : "no address";
  if (special === undefined) return;
  throw new RequestFailure(
    `${url.host} leads to ${address} (${special}). Sluice sends requests to public addresses alone`,
  );
}

/** The cause of an error of a request or its answer, in words. */
export function failureOf(error: unknown, url: URL, signal: AbortSignal): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const isLate = signal.aborted && signal.reason instanceof Error && signal.reason.name === "TimeoutError";
  if (isLate) return new RequestFailure(`${url.host} did not send everything in time`, true);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = messages[code] ?? (error instanceof Error ? error.message : String(error));
  return new RequestFailure(`${url.host}: ${text}`, !unsent.test(code));
}

/** Errors of DNS, of the connection and of certificates: before the request. */
const unsent = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|CERT|SIGNATURE/;

const messages: Readonly<Record<string, string>> = {
  ENOTFOUND: "the name is unknown",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection ended early",
  ETIMEDOUT: "there is no answer",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  CERT_HAS_EXPIRED: "the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate cannot be verified",
};
