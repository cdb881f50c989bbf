import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
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

export interface FastifyOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((request: FastifyRequest) => Identified) | undefined;
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function, which calls `reply.send`. The status and the
   * headers of the verdict are set already.
   */
  readonly onDenied?:
    | OwnBody
    | ((verdict: Verdict, request: FastifyRequest, reply: FastifyReply) => unknown)
    | undefined;
}

export type FastifyLimitOptions = RouteTerms<readonly [request: FastifyRequest]> &
  Pick<FastifyOptions, "onDenied">;

/**
 * A plugin for Fastify 4 and 5, in force for every route of the instance that registers it.
 *
 * @example
 * await app.register(createPlugin(guard, { identify: (request) => ({ customerId: request.headers["x-user"] }) }));
 */
export function createPlugin(guard: Guard, { identify, onDenied }: FastifyOptions = {}): FastifyPluginAsync {
  const decide = hookOf(
    (request, peer) => judge(guard, request.raw, peer, () => identify?.(request)),
    onDenied,
  );
  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook("onRequest", decide);
  };
  // Without it a hook is in force for routes of the plugin alone, and it has none.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

/**
 * A hook that counts the requests of a route by a limit of its own, as `guard.limit` does: by the client's address unless `key` names
 * another. Safelisted clients pass uncounted; the blocklist and the policy are for `createPlugin`. What it returns is the limit, too.
 *
 * @example
 * const preHandler = limit(guard, "login", { limit: 5, periodSeconds: 60, countWhen: { status: [401] } });
 * app.post("/login", { preHandler }, signIn);
 */
export function limit(
  guard: Guard,
  name: string,
  { onDenied, ...terms }: FastifyLimitOptions,
): FastifyHook & Limit {
  const route = routeLimit(guard, name, terms);
  const judgeRoute: JudgeFastify = (request, peer) =>
    route.judge(addressOf(guard, request.raw, peer), request);
  return asLimit(hookOf(judgeRoute, onDenied), route.limit);
}

type JudgeFastify = (request: FastifyRequest, peer: string) => Promise<Verdict>;
type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

function hookOf(judgeRequest: JudgeFastify, onDenied: FastifyOptions["onDenied"]): FastifyHook {
  return async (request, reply) => {
    const peer = peerOf(request.raw.socket);
    if (peer === gone) {
      request.raw.destroy();
      return reply.hijack();
    }
    const verdict = await judgeRequest(request, peer);
    if (!isDenied(verdict)) {
      setHeaders(reply, verdict.headers);
      settleOnClose(verdict, request.raw, reply.raw);
      return undefined;
    }
    const { status, headers } = answerHead(verdict);
    void reply.code(status);
    setHeaders(reply, headers);
    if (typeof onDenied === "function" && (await didAnswer(() => onDenied(verdict, request, reply))))
      return reply;
    const refusal = refusalOf(verdict, request.headers.accept, onDenied);
    setHeaders(reply, refusal.headers);
    return reply.code(refusal.status).send(refusal.body);
  };
}

function setHeaders(reply: FastifyReply, headers: Verdict["headers"]): void {
  void reply.headers(besideEarlier(headers, (name) => reply.getHeader(name)));
}
