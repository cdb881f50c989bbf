import type { OutboundSettings } from "../outbound/public-request.ts";
import type { SendOutcome } from "./delivery.ts";
import type { Destination, DestinationSecret } from "./destination.ts";
import { type OutgoingMessage, postOf } from "./message.ts";
import { postMessage } from "./post-message.ts";

/** Brings a message to a destination with a URL. */
export async function postAlarm(
  { kind }: Destination,
  secret: DestinationSecret,
  message: OutgoingMessage,
  settings: OutboundSettings,
): Promise<SendOutcome> {
  if (kind === "email")
    return { is: "failed", failure: "email is sent by the console", isRefused: true, mayHaveArrived: false };
  return postMessage(postOf(kind, secret, message), settings);
}
