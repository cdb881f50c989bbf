import type { IncomingHttpHeaders } from "node:http";
import { at } from "../../at.ts";

/** Longest body of other clients: passwords, tokens and short queries. */
const mostOfAnyone = 16_000;
/** Longest body of a signed-in user: a server action of one megabyte and its envelope. next.config.mjs buffers no more. */
const mostOfUsers = 1_100_000;

/** Called by proxies with the headers of their clients' requests. Neither reads a body. */
const withoutBody = ["/api/check", "/api/health"];

export interface RequestHead {
  /** As it was sent: an unusual spelling of a path has no longer body for it. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The limit that the body of a request exceeds; undefined for a body within its limit.
 * @param isOfUser is it sent by a browser that has signed in, or with a valid token of the API? Only asked about a long body
 */
export async function exceededLimit(
  { target, headers }: RequestHead,
  isOfUser: () => Promise<boolean>,
): Promise<number | undefined> {
  const length = lengthOf(headers);
  const pathname = at(target.split("?", 1), 0);
  if (length <= mostOfAnyone || withoutBody.includes(pathname)) return undefined;
  // next-auth reads the whole of it.
  const isOfAuth = pathname === "/api/auth" || pathname.startsWith("/api/auth/");
  if (isOfAuth || !(await isOfUser())) return mostOfAnyone;
  // Next itself cuts off a body whose length is not known.
  return Number.isFinite(length) && length > mostOfUsers ? mostOfUsers : undefined;
}

/** Whether a body may be too long, known without waiting. */
export function isLong({ headers }: Pick<RequestHead, "headers">): boolean {
  return lengthOf(headers) > mostOfAnyone;
}

/** Infinite where the length is unknown in advance. */
function lengthOf(headers: IncomingHttpHeaders): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  const length = headers["content-length"];
  if (length === undefined) return 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
}
