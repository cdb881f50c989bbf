import type { RequestResult } from "../limits/plan.ts";
import { ClosedVerdict, type Verdict } from "./verdict.ts";

/** A request that passed, until its response has ended. */
interface OpenRequest {
  /** Of the guard, and of each limit of the route. */
  readonly passes: Pass[];
  /** What the app has said of it so far. */
  said: RequestResult;
}

interface Pass {
  readonly verdict: Verdict;
  hasEnded: boolean;
}

const requests = new WeakMap<object, OpenRequest>();

/** Of the client that hung up before the response began, as nginx logs it. */
const clientClosedRequest = 499;

/** A response of Node, or a socket. */
interface Ending {
  once(event: "close", listener: () => void): unknown;
}

/** Whether anything of the verdict can be settled: most verdicts have nothing. */
export const canSettle = (verdict: Verdict): boolean => verdict.settle !== ClosedVerdict.prototype.settle;

/** Settles the verdict when the response has ended. Nothing listens where nothing is open. */
export function settleOnClose(
  verdict: Verdict,
  request: object,
  response: Ending & { readonly closed: boolean; readonly statusCode: number; readonly headersSent: boolean },
): void {
  if (!canSettle(verdict)) return;
  const end = noteOpen(verdict, request);
  if (!verdict.isOpen) return;
  const settleNow = () => {
    const { headersSent, statusCode } = response;
    // A client that hangs up early must not escape from being counted.
    void end(headersSent ? { status: statusCode } : { status: clientClosedRequest, failed: true });
  };
  if (response.closed) settleNow();
  else response.once("close", settleNow);
}

/** Settles the verdict of an upgrade when its socket has closed. */
export function settleWithSocket(verdict: Verdict, request: object, socket: Ending): void {
  if (!canSettle(verdict)) return;
  const end = noteOpen(verdict, request);
  if (verdict.isOpen) socket.once("close", () => void end({ status: 101 }));
}

/** Settles the verdict with the response of a framework that has no event for its end. */
export async function settleAround<R extends { readonly status: number }>(
  verdict: Verdict,
  request: object,
  answer: () => R | Promise<R>,
): Promise<R> {
  if (!canSettle(verdict)) return answer();
  const end = noteOpen(verdict, request);
  let status = 500;
  try {
    const response = await answer();
    status = response.status;
    return response;
  } catch (error) {
    status = statusThrown(error) ?? status;
    throw error;
  } finally {
    await end({ status });
  }
}

/** The status of what Next's `notFound`, `forbidden`, `unauthorized` and `redirect` throw. Undefined for any other error. */
function statusThrown(error: unknown): number | undefined {
  const digest = isObject(error) && "digest" in error ? String(error.digest) : "";
  const [, status] = /^NEXT_(?:HTTP_ERROR_FALLBACK|REDIRECT;.*);(\d{3});?$/s.exec(digest) ?? [];
  return status === undefined ? undefined : Number(status);
}

/**
 * Says how a request ended, where the response's status does not: a wrong password, what it cost. Kept until the response ends, which
 * settles the verdict. Does nothing for a request that has nothing to settle. Never throws.
 *
 * @param request the framework's own request, or Koa's and Hono's context
 * @example
 * app.post("/login", async (request, response) => {
 *   const user = await signIn(request.body);
 *   if (!user) await settle(request, { failed: true });
 *   response.sendStatus(user ? 200 : 401);
 * });
 */
export async function settle(request: object, result: RequestResult): Promise<void> {
  const open = openOf(request);
  if (!open) return;
  open.said = { ...open.said, ...result };
  const ended = open.passes.filter(({ verdict, hasEnded }) => hasEnded || !verdict.isOpen);
  await Promise.all(ended.map(({ verdict }) => verdict.settle(open.said)));
}

/** Returns what ends the request for this verdict. What the app has said counts. */
function noteOpen(verdict: Verdict, request: object): (result: RequestResult) => Promise<void> {
  const open = requests.get(request) ?? { passes: [], said: {} };
  const pass = { verdict, hasEnded: false };
  open.passes.push(pass);
  requests.set(request, open);
  return (result) => {
    pass.hasEnded = true;
    return verdict.settle({ ...result, ...open.said });
  };
}

/** Fastify and Hono wrap the request that it was noted for, and so do the contexts of Koa and Hono. */
function openOf(request: object): OpenRequest | undefined {
  for (let inner: unknown = request; isObject(inner); inner = inner.raw ?? inner.req) {
    const open = requests.get(inner);
    if (open) return open;
  }
  return undefined;
}

function isObject(value: unknown): value is { readonly raw?: unknown; readonly req?: unknown } {
  return typeof value === "object" && value !== null;
}
