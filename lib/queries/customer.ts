import { z } from "zod";
import { query, withParameters } from "./query.ts";

const level = z.object({ limit: z.number(), periodSeconds: z.number() });
const mode = z.enum(["enforce", "shadow", "off"]);

const usage = z.object({
  rule: z.string(),
  algorithm: z.string(),
  /** Of EARRRL a rate per second. */
  limit: z.number(),
  /** Of EARRRL its half-life. */
  periodSeconds: z.number(),
  used: z.number(),
  /** Until it gives something back. */
  resetMs: z.number(),
  /** The next request would be denied. */
  isOver: z.boolean(),
  isShadowed: z.boolean(),
  /** The level is the customer's, and not one that the rule has for everybody. */
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
  /** What a change of it rests on. */
  basedOn: z.string(),
  mode,
  /** Those of the policy, in its order. */
  tiers: z.array(z.object({ name: z.string(), levels: z.array(level) })),
  tier: z.object({ name: z.string(), isKnown: z.boolean(), expiresAt: z.number().nullable() }).nullable(),
  override: z.object({ levels: z.array(level), expiresAt: z.number().nullable(), note }).nullable(),
  /** The levels that count; null: it is as good as anonymous. */
  levels: z.array(level).nullable(),
  /** Null while the counters do not answer. */
  usage: z.array(usage).nullable(),
  /** What stands in Redis and is not obeyed, a sentence each. */
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

export interface Wished {
  /** "" for none. */
  readonly tier: string;
  /** Null for those of the tier. */
  readonly levels: readonly z.output<typeof level>[] | null;
}

/** Would the next request pass, and would it if this were saved? */
export function levelsPreview(id: string, { tier, levels }: Wished) {
  const own = levels?.map(({ limit, periodSeconds }) => `${periodSeconds}:${limit}`).join(",") ?? "tier";
  const path = `/api/customers/${encodeURIComponent(id)}/preview?${new URLSearchParams({ tier, levels: own })}`;
  return query(["customer", id, "preview", tier, own], path, preview);
}

const standing = z.object({ value: z.string().nullable(), expiresAt: z.string().nullable() }).nullable();

const change = z.object({
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  via: z.string(),
  /** "customer.tier", …; of an undo, what it took back. */
  about: z.string(),
  isUndo: z.boolean(),
  change: z.number().nullable(),
  reason: z.string(),
  before: standing,
  after: standing,
});
export type CustomerChanged = z.output<typeof change>;

const changes = z.object({ changes: z.array(change) });

/** Its last changes, newest first; with `basedOn`, those that whoever saw that has not seen. */
export function customerChanges(id: string, basedOn?: string) {
  const path = `/api/customers/${encodeURIComponent(id)}/changes`;
  return query(["customer", id, "changes", basedOn ?? ""], withParameters(path, { basedOn }), changes);
}
