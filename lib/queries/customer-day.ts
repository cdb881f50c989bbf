import { z } from "zod";
import type { Wished } from "./customer.ts";
import { feedItem } from "./feed.ts";
import { query } from "./query.ts";

/** Minutes of a day. */
export const minutesShown = 1_440;

const day = z.object({
  /** Ms of Redis' clock. */
  asOf: z.number(),
  /** The first minute, since the epoch; one follows the other, and the last is running. */
  firstMinute: z.number(),
  requests: z.array(z.number()),
  denied: z.array(z.number()),
  /** Runs of minutes in which no node told anything: where they begin, from the first minute on, and how many. */
  unknown: z.array(z.tuple([z.number(), z.number()])),
  /** Where it came from lately, with what the address did in the last hour, whoever it came as. */
  addresses: z.array(
    z.object({ ip: z.string(), lastAt: z.number(), requests: z.number(), denied: z.number() }),
  ),
  /** What of it was denied lately, newest first; under load, some of it. */
  denials: z.array(feedItem),
});
export type CustomerDay = z.output<typeof day>;

/** What a customer did in the last 24 hours. */
export function customerDay(id: string) {
  return query(["customer", id, "day"], `/api/customers/${encodeURIComponent(id)}/day`, day);
}

const level = z.object({
  rule: z.string(),
  limit: z.number(),
  periodSeconds: z.number(),
  isShadowed: z.boolean(),
  /** The most that came in one window. */
  peak: z.number(),
  denied: z.number(),
  windows: z.number(),
});
export type LevelReplayed = z.output<typeof level>;

const replayed = z.object({
  requests: z.number(),
  denied: z.number(),
  windows: z.number(),
  shadowed: z.number(),
  levels: z.array(level),
});
export type Replayed = z.output<typeof replayed>;

const hour = z.object({
  at: z.number(),
  requests: z.number(),
  /** Denied; unless the policy enforces, what would be. */
  before: z.number(),
  after: z.number(),
});
export type HourReplayed = z.output<typeof hour>;

const replay = z.object({
  asOf: z.number(),
  mode: z.enum(["enforce", "shadow", "off"]),
  before: replayed,
  after: replayed,
  hours: z.array(hour),
  knownMinutes: z.number(),
  fitting: z.array(z.string()),
  leftOut: z.array(z.string()),
  narrower: z.array(z.string()),
});
export type CustomerReplay = z.output<typeof replay>;

/** What the limits of now, and those that are wished for, would have made of the customer's last 24 hours. */
export function customerReplay(id: string, { tier, levels }: Wished) {
  const own = levels?.map(({ limit, periodSeconds }) => `${periodSeconds}:${limit}`).join(",") ?? "tier";
  const path = `/api/customers/${encodeURIComponent(id)}/replay?${new URLSearchParams({ tier, levels: own })}`;
  return query(["customer", id, "replay", tier, own], path, replay);
}
