import * as z from "zod/mini";
import { draftParameters, type LevelsDraft, usage } from "./customer.ts";
import { feedItem } from "./feed.ts";
import { habits } from "./habits.ts";
import { query } from "./query.ts";
import { mode } from "./shapes.ts";

/** Minutes of a day. */
export const minutesShown = 1_440;

const day = z.object({
  /** Ms of Redis' clock. */
  asOf: z.number(),
  /** The first minute, since the epoch; one follows the other, and the last is running. */
  firstMinute: z.number(),
  requests: z.array(z.number()),
  denied: z.array(z.number()),
  /** Runs of minutes without a report of any node: the first, as an index, and the number of minutes. */
  unknown: z.array(z.tuple([z.number(), z.number()])),
  /** Recent denials, newest first; under load, some of them. */
  denials: z.array(feedItem),
  habits,
});
export type CustomerDay = z.output<typeof day>;

/** A customer's last 24 hours. */
export function customerDay(id: string) {
  return query(["customer", id, "day"], `/api/customers/${encodeURIComponent(id)}/day`, day);
}

const level = z.extend(
  z.pick(usage, { rule: true, limit: true, periodSeconds: true, calendar: true, isShadowed: true }),
  {
    /** The most requests in one window. */
    peak: z.number(),
    denied: z.number(),
    windows: z.number(),
  },
);
export type ReplayLevel = z.output<typeof level>;

const replayed = z.object({
  requests: z.number(),
  denied: z.number(),
  windows: z.number(),
  shadowed: z.number(),
  levels: z.array(level),
});
export type ReplaySums = z.output<typeof replayed>;

const hour = z.object({
  at: z.number(),
  requests: z.number(),
  /** Denials; if the policy is not in mode enforce, the denials it would have made. */
  before: z.number(),
  after: z.number(),
});
export type ReplayHour = z.output<typeof hour>;

const replay = z.object({
  asOf: z.number(),
  mode,
  before: replayed,
  after: replayed,
  hours: z.array(hour),
  knownMinutes: z.number(),
  fitting: z.array(z.string()),
  leftOut: z.array(z.string()),
  narrower: z.array(z.string()),
});
export type CustomerReplay = z.output<typeof replay>;

/** The customer's last 24 hours under the current limits and under those of a draft. */
export function customerReplay(id: string, draft: LevelsDraft) {
  const { tier, levels } = draftParameters(draft);
  const path = `/api/customers/${encodeURIComponent(id)}/replay?${new URLSearchParams({ tier, levels })}`;
  return query(["customer", id, "replay", tier, levels], path, replay);
}
