import { z } from "zod";
import { parseObject } from "../../parse-object.ts";
import { keys } from "../../redis/keys.ts";
import type { AlarmWrite } from "./store.ts";

const schema = z.object({
  incident: z.string(),
  /** Id of the destination. */
  destination: z.string(),
  event: z.enum(["opened", "updated", "ended", "test"]),
  at: z.number(),
  tookMs: z.number(),
  tries: z.number(),
  /** Why it was given up. Null for a message that arrived. */
  failure: z.string().nullable(),
});

/** A message that has arrived, or was given up. */
export interface SentMessage extends z.output<typeof schema> {
  readonly id: string;
}

/** Messages that are kept, the newest. */
export const mostMessages = 1_000;

/** Undefined for what Sluice has not written. */
export function parseMessage(id: string, text: string): SentMessage | undefined {
  const parsed = schema.safeParse(parseObject(text));
  return parsed.success ? { id, ...parsed.data } : undefined;
}

export function messageWrite({ id, ...message }: SentMessage): AlarmWrite {
  return { key: keys.alarmMessages(), field: id, value: JSON.stringify(message) };
}
