import { randomBytes } from "node:crypto";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { RequestResult } from "../limits/plan.ts";
import { settle as settleOpen } from "./open-verdicts.ts";
import type { Verdict } from "./verdict.ts";

/** Carries the reference of a verdict from the proxy to the route. */
export const settleHeader = "x-sluice-settle";

/** The oldest are forgotten first: what they hold expires. */
const mostOpen = 10_000;

/** Next loads proxy and routes as separate module graphs. */
const open = () => oncePerProcess("open-verdicts", () => new Map<string, Verdict>());

/** A reference that no client can guess. */
export function keepVerdict(verdict: Verdict): string {
  const verdicts = open();
  const reference = randomBytes(16).toString("base64url");
  verdicts.set(reference, verdict);
  const [oldest] = verdicts.keys();
  if (verdicts.size > mostOpen && oldest !== undefined) verdicts.delete(oldest);
  return reference;
}

/**
 * Says how a request ended, in a route handler or a server action that runs in the process of `proxy.ts`. Next shows its proxy no end of
 * a response, so what a request holds expires unless the app settles it. Does nothing for any other request. Never throws.
 *
 * @param request the request, or in a server action its `await headers()`
 * @example
 * import { settle } from "sluice/next";
 *
 * export async function POST(request: Request) {
 *   const user = await signIn(await request.formData());
 *   await settle(request, { failed: user === undefined });
 *   return Response.json({ user }, { status: user ? 200 : 401 });
 * }
 */
export async function settle(
  request: { readonly headers: Pick<Headers, "get"> } | Pick<Headers, "get">,
  result: RequestResult,
): Promise<void> {
  const headers = "headers" in request ? request.headers : request;
  // Of the proxy, and of a limit around the route.
  const ofProxy = open().get(headers.get(settleHeader) ?? "");
  await Promise.all([ofProxy?.settle(result), settleOpen(request, result)]);
}
