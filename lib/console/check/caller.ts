import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../../errors.ts";

const tokenHeader = "x-sluice-token";

/** What a caller must send, and the variable that sets it on the console. */
interface RequiredToken {
  readonly token: string | undefined;
  readonly variable: "SLUICE_CHECK_TOKEN" | "SLUICE_METRICS_TOKEN";
}

/**
 * The client's own headers: those of a caller that sent the right token, without the token. The token comes in
 * `X-Sluice-Token`, which leaves Authorization to the client, or in `Authorization: Bearer`.
 */
export function clientHeaders(headers: Headers, { token, variable }: RequiredToken): Headers {
  if (!token) {
    throw new DomainError(
      "not-configured",
      `This is not configured: ${variable} is not set on the console, and neither is SLUICE_TOKEN.`,
    );
  }
  const isBearer = isToken(bearerOf(headers.get("authorization")), token);
  if (!isBearer && !isToken(headers.get(tokenHeader), token)) {
    throw new DomainError(
      "not-allowed",
      `The token is missing or wrong: send ${variable} as a Bearer token or as X-Sluice-Token.`,
    );
  }
  const own = new Headers(headers);
  own.delete(tokenHeader);
  if (isBearer) own.delete("authorization");
  return own;
}

/** Refuses a caller without the right token. */
export function requireToken(headers: Headers, key: RequiredToken): void {
  clientHeaders(headers, key);
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
