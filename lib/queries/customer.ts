import { z } from "zod";
import { query, withParameters } from "./query.ts";
import { level, mode } from "./shapes.ts";

export const usage = z.object({
  rule: z.string(),
  algorithm: z.string(),
  /** Of EARRRL a rate per second. */
  limit: z.number(),
  /** Of EARRRL its half-life. */
  periodSeconds: z.number(),
  used: z.number(),
  /** Until the count falls. */
  resetMs: z.number(),
  /** The next request would be denied. */
  isOver: z.boolean(),
  isShadowed: z.boolean(),
  /** The level is the customer's, not one that the rule has for all clients. */
  isOwn: z.boolean(),
});
export type LevelUsage = z.output<typeof usage>;

const note = z.object({
  reason: z.string(),
  by: z.string().optional(),
  at: z.string().optional(),
  via: z.string().optional(),
});

const customer = z.object({
  id: z.string(),
  /** Ms of Redis' clock. */
  now: z.number(),
  /** The basis of a change. */
  basedOn: z.string(),
  mode,
  /** Those of the policy, in its order. */
  tiers: z.array(z.object({ name: z.string(), levels: z.array(level) })),
  /** The tier of customers without a tier of the policy; null: there is none. */
  defaultTier: z.string().nullable(),
  tier: z.object({ name: z.string(), isKnown: z.boolean(), expiresAt: z.number().nullable() }).nullable(),
  override: z.object({ levels: z.array(level), expiresAt: z.number().nullable(), note }).nullable(),
  /** The levels in force; null: those for anonymous clients, by its id. */
  levels: z.array(level).nullable(),
  /** Null while the counters do not answer. */
  usage: z.array(usage).nullable(),
  /** Values in Redis that are not enforced, a sentence each. */
  flags: z.array(z.string()),
});
export type CustomerNow = z.output<typeof customer>;

export function customerNow(id: string) {
  return query(["customer", id], `/api/customers/${encodeURIComponent(id)}`, customer);
}

const preview = z.object({
  mode,
  /** Null while the counters do not answer. */
  before: z.array(usage).nullable(),
  after: z.array(usage).nullable(),
});
export type LevelsPreview = z.output<typeof preview>;

export interface LevelsDraft {
  /** "" for none. */
  readonly tier: string;
  /** Null for those of the tier. */
  readonly levels: readonly z.output<typeof level>[] | null;
}

/** Whether the next request would pass, now and with the draft saved. */
export function levelsPreview(id: string, draft: LevelsDraft) {
  const { tier, levels } = draftParameters(draft);
  const path = `/api/customers/${encodeURIComponent(id)}/preview?${new URLSearchParams({ tier, levels })}`;
  return query(["customer", id, "preview", tier, levels], path, preview);
}

/** A draft as parameters of a URL. */
export function draftParameters({ tier, levels }: LevelsDraft): { tier: string; levels: string } {
  const own = levels?.map(({ limit, periodSeconds }) => `${periodSeconds}:${limit}`).join(",");
  return { tier, levels: own ?? "tier" };
}

const limitsAt = z.object({ value: z.string().nullable(), expiresAt: z.string().nullable() }).nullable();

const change = z.object({
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  via: z.string(),
  /** "customer.tier", …; of an undo, the action that it undid. */
  about: z.string(),
  isUndo: z.boolean(),
  change: z.number().nullable(),
  reason: z.string(),
  before: limitsAt,
  after: limitsAt,
});
export type CustomerChangeRow = z.output<typeof change>;

const changes = z.object({ changes: z.array(change) });

/** Its last changes, newest first; with `basedOn`, those made since that basis. */
export function customerChanges(id: string, basedOn?: string) {
  const path = `/api/customers/${encodeURIComponent(id)}/changes`;
  return query(["customer", id, "changes", basedOn ?? ""], withParameters(path, { basedOn }), changes);
}
