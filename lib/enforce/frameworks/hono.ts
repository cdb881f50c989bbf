import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { Guard } from "../guard/guard.ts";
import type { Identified } from "../guard/identify.ts";
import type { Limit } from "../guard/limit.ts";
import { settleAround, settleOnClose } from "../guard/open-verdicts.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { besideEarlier } from "../guard/refusal.ts";
import { asLimit, type RouteTerms, routeLimit } from "../guard/route-limit.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";
import { answerTo, type OwnResponse } from "../guard/web-answer.ts";
import { addressOf, judgeWeb } from "./web.ts";

export { settle } from "../guard/open-verdicts.ts";

export interface HonoOptions {
  /** The address at the other end of the connection. On `@hono/node-server` it is known; elsewhere the platform names it. */
  readonly peer?: ((context: Context) => string | null | undefined) | undefined;
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((context: Context) => Identified) | undefined;
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function. The headers of the verdict are added. If the
   * function returns no response, Sluice answers.
   */
  readonly onDenied?: OwnResponse<readonly [context: Context]> | undefined;
}

export type HonoLimitOptions = RouteTerms<readonly [context: Context]> &
  Pick<HonoOptions, "peer" | "onDenied">;

/**
 * Middleware for Hono.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: (context) => ({ customerId: context.get("user")?.id }) }));
 */
export function createMiddleware(guard: Guard, options: HonoOptions = {}): MiddlewareHandler {
  const { identify } = options;
  return middlewareOf(
    (context, peer) => judgeWeb(guard, context.req.raw, peer, () => identify?.(context)),
    options,
  );
}

/**
 * Counts requests by a limit of its own, as `guard.limit` does: by the client's address unless `key` names another. Safelisted clients
 * pass uncounted; the blocklist and the policy are for `createMiddleware`. What it returns is the limit, too.
 *
 * @example
 * app.post("/login", limit(guard, "login", { limit: 5, periodSeconds: 60, countWhen: { status: [401] } }), signIn);
 */
export function limit(
  guard: Guard,
  name: string,
  { peer, onDenied, ...terms }: HonoLimitOptions,
): MiddlewareHandler & Limit {
  const route = routeLimit(guard, name, terms);
  const judgeRoute: JudgeContext = (context, address) =>
    route.judge(addressOf(guard, context.req.raw, address), context);
  return asLimit(middlewareOf(judgeRoute, { peer, onDenied }), route.limit);
}

type JudgeContext = (context: Context, peer: string | undefined) => Promise<Verdict>;

function middlewareOf(
  judgeRequest: JudgeContext,
  { peer = nodePeer, onDenied }: Pick<HonoOptions, "peer" | "onDenied">,
): MiddlewareHandler {
  return async (context, next) => {
    const address = peer(context) ?? undefined;
    const request = context.req.raw;
    if (address === gone) return new Response(null, { status: 403 });
    const verdict = await judgeRequest(context, address);
    if (isDenied(verdict)) return answerTo(verdict, request, onDenied, context);
    const { outgoing } = (context.env ?? {}) as { readonly outgoing?: ServerResponse };
    const answer = async () => {
      await next();
      return context.res;
    };
    if (outgoing) settleOnClose(verdict, request, outgoing);
    await (outgoing ? answer() : settleAround(verdict, request, answer));
    const headers = besideEarlier(verdict.headers, (name) => context.res.headers.get(name));
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return undefined;
  };
}

/** Of a request that `@hono/node-server` has received. */
function nodePeer({ env }: Context): string | undefined {
  const { incoming } = env as { readonly incoming?: IncomingMessage };
  return incoming && peerOf(incoming.socket);
}
