import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { Guard } from "../guard/guard.ts";
import type { Identified } from "../guard/identify.ts";
import { settleAround, settleOnClose } from "../guard/open-verdicts.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";
import { answerTo, judgeWeb } from "./web.ts";

export { settle } from "../guard/open-verdicts.ts";

export interface HonoOptions {
  /** The address at the other end of the connection. On `@hono/node-server` it is known; elsewhere the platform names it. */
  readonly peer?: ((context: Context) => string | null | undefined) | undefined;
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((context: Context) => Identified) | undefined;
  /** Answers a denied request in place of Sluice; the headers of the verdict are added. Without a response, Sluice answers. */
  readonly onDenied?:
    | ((verdict: Verdict, context: Context) => Response | undefined | Promise<Response | undefined>)
    | undefined;
}

/**
 * Middleware for Hono.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: (context) => ({ customerId: context.get("user")?.id }) }));
 */
export function createMiddleware(guard: Guard, options: HonoOptions = {}): MiddlewareHandler {
  const { peer = nodePeer, identify, onDenied } = options;
  return async (context, next) => {
    const address = peer(context) ?? undefined;
    const request = context.req.raw;
    if (address === gone) return new Response(null, { status: 403 });
    const verdict = await judgeWeb(guard, request, address, () => identify?.(context));
    if (isDenied(verdict)) return answerTo(verdict, request, onDenied && (() => onDenied(verdict, context)));
    const { outgoing } = (context.env ?? {}) as { readonly outgoing?: ServerResponse };
    const answer = async () => {
      await next();
      return context.res;
    };
    if (outgoing) settleOnClose(verdict, request, outgoing);
    await (outgoing ? answer() : settleAround(verdict, request, answer));
    for (const [name, value] of Object.entries(verdict.headers)) context.header(name, value);
    return undefined;
  };
}

/** Of a request that `@hono/node-server` has received. */
function nodePeer({ env }: Context): string | undefined {
  const { incoming } = env as { readonly incoming?: IncomingMessage };
  return incoming && peerOf(incoming.socket);
}
