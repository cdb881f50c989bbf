import { environment, requireRedisUrl } from "../../../lib/env.ts";
import { DomainError } from "../../../lib/errors.ts";
import { forwardedClient, forwardedRequest } from "../../../lib/guard/forwarded.ts";
import { type Answer, nginxAnswer, plainAnswer, sentenceAnswer } from "./answer.ts";
import { clientHeaders } from "./caller.ts";
import { guardOf } from "./guards.ts";
import { readQuestion } from "./question.ts";
import { markUnforwarded, sentForwardedFor } from "./unforwarded.ts";

export const dynamic = "force-dynamic";

markUnforwarded();

/** Forward-auth: may this request of my client pass? For proxies in front of apps that are not Next's. */
async function check(request: Request): Promise<Response> {
  const { status, headers, body } = await answerTo(request).catch(refuse);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

async function answerTo(request: Request): Promise<Answer> {
  const env = environment();
  const headers = clientHeaders(request.headers, env.token);
  const { app, isForNginx } = readQuestion(new URL(request.url).searchParams);
  const { guard, trust } = guardOf(app, requireRedisUrl(env), env);

  const ip = forwardedClient(sentForwardedFor(request.headers), trust);
  if (!ip) throw new DomainError("bad-input", "X-Forwarded-For does not end with the address of the client.");

  const verdict = await guard.check({
    ...forwardedRequest(headers, isForNginx ? "original" : "forwarded"),
    ip,
  });
  return isForNginx ? nginxAnswer(verdict) : plainAnswer(verdict, headers.get("accept"));
}

function refuse(error: unknown): Answer {
  if (error instanceof DomainError) return sentenceAnswer(error);
  throw error;
}

// A proxy asks with GET, or with its client's own method.
export const GET = check;
export const HEAD = check;
export const POST = check;
export const PUT = check;
export const PATCH = check;
export const DELETE = check;
export const OPTIONS = check;
