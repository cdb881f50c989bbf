import type { IncomingMessage } from "node:http";
import { failureOf, type OutboundSettings, openRequest } from "../outbound/public-request.ts";
import type { SendOutcome } from "./delivery.ts";
import type { PostedMessage } from "./message.ts";

const withinMs = 10_000;
/** Answers that a later try may change. */
const temporary = [408, 409, 425, 429];

/** Posts a message. Every error is an outcome. */
export async function postMessage(
  { url, headers, body }: PostedMessage,
  settings: OutboundSettings & { readonly withinMs?: number },
): Promise<SendOutcome> {
  const signal = AbortSignal.timeout(settings.withinMs ?? withinMs);
  const length = { "content-length": String(Buffer.byteLength(body)) };
  try {
    const sent = { method: "POST", headers: { ...headers, ...length }, body, signal } as const;
    const response = await openRequest(url, sent, settings);
    // Nothing of the answer is read: its status says whether the message is accepted.
    response.destroy();
    return outcomeOf(response);
  } catch (error) {
    const { message: failure, mayBeSent } = failureOf(error, url, signal);
    return { is: "failed", failure, isRefused: false, mayHaveArrived: mayBeSent };
  }
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): SendOutcome {
  if (statusCode >= 200 && statusCode < 300) return { is: "arrived" };
  const isRefused = statusCode >= 300 && statusCode < 500 && !temporary.includes(statusCode);
  const seconds = Number(headers["retry-after"]);
  return {
    ...{ is: "failed", failure: `HTTP ${statusCode}`, isRefused, mayHaveArrived: statusCode >= 500 },
    ...(seconds > 0 && { restMs: seconds * 1_000 }),
  };
}
