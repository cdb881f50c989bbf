import type { Context, Middleware } from "koa";
import type { Guard } from "../guard/guard.ts";
import { judge } from "../guard/http-middleware.ts";
import type { Identified } from "../guard/identify.ts";
import { settleOnClose } from "../guard/open-verdicts.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { answerHead, didAnswer, refusalOf } from "../guard/refusal.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";

export { settle } from "../guard/open-verdicts.ts";

export interface KoaOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((context: Context) => Identified) | undefined;
  /** Answers a denied request in place of Sluice. The status and the headers of the verdict are set already. */
  readonly onDenied?: ((verdict: Verdict, context: Context) => unknown) | undefined;
}

/**
 * Middleware for Koa.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: ({ state }) => ({ customerId: state.user?.id }) }));
 */
export function createMiddleware(guard: Guard, { identify, onDenied }: KoaOptions = {}): Middleware {
  return async (context, next) => {
    const peer = peerOf(context.req.socket);
    if (peer === gone) {
      context.respond = false;
      return void context.req.destroy();
    }
    const verdict = await judge(guard, context.req, peer, () => identify?.(context));
    if (!isDenied(verdict)) {
      context.set(verdict.headers);
      settleOnClose(verdict, context.req, context.res);
      return next();
    }
    const { status, headers } = answerHead(verdict);
    context.status = status;
    context.set(headers);
    if (onDenied && (await didAnswer(() => onDenied(verdict, context)))) return;
    const refusal = refusalOf(verdict, context.get("accept"));
    context.set(refusal.headers);
    context.status = refusal.status;
    context.body = refusal.body;
  };
}
