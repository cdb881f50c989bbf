import type { Context, Middleware } from "koa";
import type { Guard } from "../guard/guard.ts";
import { addressOf, judge } from "../guard/http-middleware.ts";
import type { Identified } from "../guard/identify.ts";
import type { Limit } from "../guard/limit.ts";
import { settleOnClose } from "../guard/open-verdicts.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { answerHead, besideEarlier, didAnswer, type OwnBody, refusalOf } from "../guard/refusal.ts";
import { asLimit, type RouteTerms, routeLimit } from "../guard/route-limit.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";

export { settle } from "../guard/open-verdicts.ts";

export interface KoaOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((context: Context) => Identified) | undefined;
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function, for which the status and the headers of the
   * verdict are set already.
   */
  readonly onDenied?: OwnBody | ((verdict: Verdict, context: Context) => unknown) | undefined;
}

export type KoaLimitOptions = RouteTerms<readonly [context: Context]> & Pick<KoaOptions, "onDenied">;

/**
 * Middleware for Koa.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: ({ state }) => ({ customerId: state.user?.id }) }));
 */
export function createMiddleware(guard: Guard, { identify, onDenied }: KoaOptions = {}): Middleware {
  return middlewareOf(
    (context, peer) => judge(guard, context.req, peer, () => identify?.(context)),
    onDenied,
  );
}

/**
 * Counts requests by a limit of its own, as `guard.limit` does: by the client's address unless `key` names another. Safelisted clients
 * pass uncounted; the blocklist and the policy are for `createMiddleware`. What it returns is the limit, too.
 *
 * @example
 * router.post("/login", limit(guard, "login", { limit: 5, periodSeconds: 60, countWhen: { status: [401] } }), signIn);
 */
export function limit(
  guard: Guard,
  name: string,
  { onDenied, ...terms }: KoaLimitOptions,
): Middleware & Limit {
  const route = routeLimit(guard, name, terms);
  const judgeRoute = (context: Context, peer: string) =>
    route.judge(addressOf(guard, context.req, peer), context);
  return asLimit(middlewareOf(judgeRoute, onDenied), route.limit);
}

function middlewareOf(
  judgeRequest: (context: Context, peer: string) => Promise<Verdict>,
  onDenied: KoaOptions["onDenied"],
): Middleware {
  return async (context, next) => {
    const peer = peerOf(context.req.socket);
    if (peer === gone) {
      context.respond = false;
      return void context.req.destroy();
    }
    const verdict = await judgeRequest(context, peer);
    if (!isDenied(verdict)) {
      setHeaders(context, verdict.headers);
      settleOnClose(verdict, context.req, context.res);
      return next();
    }
    const { status, headers } = answerHead(verdict);
    context.status = status;
    setHeaders(context, headers);
    if (typeof onDenied === "function" && (await didAnswer(() => onDenied(verdict, context)))) return;
    const refusal = refusalOf(verdict, context.get("accept"), onDenied);
    setHeaders(context, refusal.headers);
    context.status = refusal.status;
    context.body = refusal.body;
  };
}

function setHeaders(context: Context, headers: Verdict["headers"]): void {
  context.set(besideEarlier(headers, (name) => context.response.get(name)));
}
