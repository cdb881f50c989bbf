import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../guard/guard.ts";
import { judge } from "../guard/http-middleware.ts";
import type { Identified } from "../guard/identify.ts";
import { settleOnClose } from "../guard/open-verdicts.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { answerHead, didAnswer, refusalOf } from "../guard/refusal.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";

export { settle } from "../guard/open-verdicts.ts";

export interface FastifyOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((request: FastifyRequest) => Identified) | undefined;
  /** Answers a denied request in place of Sluice, with `reply.send`. The status and the headers of the verdict are set already. */
  readonly onDenied?:
    | ((verdict: Verdict, request: FastifyRequest, reply: FastifyReply) => unknown)
    | undefined;
}

/**
 * A plugin for Fastify 4 and 5, in force for every route of the instance that registers it.
 *
 * @example
 * await app.register(createPlugin(guard, { identify: (request) => ({ customerId: request.headers["x-user"] }) }));
 */
export function createPlugin(guard: Guard, { identify, onDenied }: FastifyOptions = {}): FastifyPluginAsync {
  async function decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const peer = peerOf(request.raw.socket);
    if (peer === gone) {
      request.raw.destroy();
      return reply.hijack();
    }
    const verdict = await judge(guard, request.raw, peer, () => identify?.(request));
    if (!isDenied(verdict)) {
      void reply.headers(verdict.headers);
      settleOnClose(verdict, request.raw, reply.raw);
      return undefined;
    }
    const { status, headers } = answerHead(verdict);
    void reply.code(status).headers(headers);
    if (onDenied && (await didAnswer(() => onDenied(verdict, request, reply)))) return reply;
    const refusal = refusalOf(verdict, request.headers.accept);
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  }

  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook("onRequest", decide);
  };
  // Without it a hook is in force for routes of the plugin alone, and it has none.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
