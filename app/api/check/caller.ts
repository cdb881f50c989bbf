import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../../../lib/errors.ts";

const tokenHeader = "x-sluice-token";
const notConfigured = "This is not configured: SLUICE_TOKEN is not set on the console.";
const notKnown = "The token is missing or wrong: send SLUICE_TOKEN as a Bearer token or as X-Sluice-Token.";

/**
 * What is left of the headers of a caller that shows the token: its client's own. The token comes by `X-Sluice-Token`,
 * which leaves Authorization to the client, or by `Authorization: Bearer`.
 */
export function clientHeaders(headers: Headers, token: string | undefined): Headers {
  if (!token) throw new DomainError("not-configured", notConfigured);
  const isBearer = isToken(bearerOf(headers.get("authorization")), token);
  if (!isBearer && !isToken(headers.get(tokenHeader), token)) throw new DomainError("not-allowed", notKnown);
  const own = new Headers(headers);
  own.delete(tokenHeader);
  if (isBearer) own.delete("authorization");
  return own;
}

/** For what only a machine with the token may read. */
export function requireToken(headers: Headers, token: string | undefined): void {
  clientHeaders(headers, token);
}

function bearerOf(authorization: string | null): string | null {
  const [scheme = "", credentials, ...rest] = authorization?.split(" ") ?? [];
  return scheme.toLowerCase() === "bearer" && rest.length === 0 ? (credentials ?? null) : null;
}

/** Compares digests, which are of one length, so that the time it takes tells nothing. */
function isToken(given: string | null, token: string): boolean {
  return given !== null && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
