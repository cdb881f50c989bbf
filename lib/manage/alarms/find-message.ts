import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { parseDelivery } from "./delivery.ts";
import { parseMessage } from "./sent-message.ts";

/** A message, whether it waits or was sent. */
export interface FoundMessage {
  readonly id: string;
  readonly state: "waiting" | "arrived" | "given up";
  readonly event: string;
  /** Id of its destination. */
  readonly destination: string;
  readonly tries: number;
  /** Null while it waits. */
  readonly tookMs: number | null;
  /** Of the last try. */
  readonly failure: string | null;
}

/** Undefined for one that is no longer kept. */
export async function findMessage(redis: Connection, id: string): Promise<FoundMessage | undefined> {
  // In this order: a message that is sent in between is found among those that were sent.
  const queued = parseDelivery((await redis.hget(keys.alarmDeliveries(), id)) ?? "");
  const sent = parseMessage(id, (await redis.hget(keys.alarmMessages(), id)) ?? "");
  if (sent && !(queued && !queued.isDead)) {
    const { event, destination, tries, tookMs, failure } = sent;
    return {
      id,
      state: failure === null ? "arrived" : "given up",
      event,
      destination,
      tries,
      tookMs,
      failure,
    };
  }
  if (!queued) return undefined;
  const { event, destination, tries, failure, isDead } = queued;
  return { id, state: isDead ? "given up" : "waiting", event, destination, tries, tookMs: null, failure };
}
