import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { forwardedClient, forwardedRequest } from "../../enforce/guard/forwarded.ts";
import { environment, requireRedisUrl } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { type CheckReply, nginxAnswer, plainAnswer, sentenceAnswer } from "./answer.ts";
import { clientHeaders } from "./caller.ts";
import { guardOf } from "./guards.ts";
import { readQuestion } from "./question.ts";
import { countRefusal } from "./refusals.ts";

markUnforwarded();

/** Forward-auth: may this request of my client pass? For proxies in front of apps that are not Next's. */
export async function checkRequest(request: Request): Promise<Response> {
  const { status, headers, body } = await answerTo(request).catch(refuse);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

async function answerTo(request: Request): Promise<CheckReply> {
  const env = environment();
  const headers = clientHeaders(request.headers, {
    token: env.checkToken,
    variable: "SLUICE_CHECK_TOKEN",
  });
  const { app, hops, isForNginx, wantsBodyInHeaders } = readQuestion(new URL(request.url).searchParams);
  const { guard, trust } = guardOf(app, requireRedisUrl(env), env);

  const ip = forwardedClient(sentForwardedFor(request.headers), trust, hops);
  if (!ip) throw new DomainError("bad-input", "X-Forwarded-For does not end with the address of the client.");

  const verdict = await guard.check({
    ...forwardedRequest(headers, isForNginx ? "original" : "forwarded"),
    ip,
  });
  const accept = headers.get("accept");
  if (!isForNginx) return plainAnswer(verdict, accept);
  return nginxAnswer(verdict, wantsBodyInHeaders ? { accept } : undefined);
}

function refuse(error: unknown): CheckReply {
  if (!(error instanceof DomainError)) throw error;
  countRefusal(error);
  return sentenceAnswer(error);
}

const header = "x-sluice-unforwarded";

/**
 * Next fills a missing X-Forwarded-For in with the socket's address before a route sees it, which would make the proxy
 * its own client. So requests that came without are marked first. Next loads its routes when it starts.
 */
function markUnforwarded(): void {
  const state = oncePerProcess("unforwarded marks", () => ({ isOn: false }));
  if (state.isOn) return;
  state.isOn = true;
  subscribe("http.server.request.start", (message) =>
    mark((message as { request: IncomingMessage }).request),
  );
}

function mark({ headers }: IncomingMessage): void {
  if (headers["x-forwarded-for"] === undefined) headers[header] = "1";
  else delete headers[header];
}

/** The X-Forwarded-For that the caller sent. */
function sentForwardedFor(headers: Headers): string | null {
  return headers.has(header) ? null : headers.get("x-forwarded-for");
}
