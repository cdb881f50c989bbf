import * as z from "zod/mini";
import type { LimitsSource } from "../enforce/policy/client.ts";
import { query, withParameters } from "./query.ts";
import { calendar, level, mode } from "./shapes.ts";

export const usage = z.object({
  rule: z.string(),
  algorithm: z.string(),
  /** Of EARRRL a rate per second. */
  limit: z.number(),
  /** Of EARRRL its half-life. */
  periodSeconds: z.number(),
  calendar,
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
  by: z.optional(z.string()),
  at: z.optional(z.string()),
  via: z.optional(z.string()),
});

const sources = [
  "override",
  "group",
  "pattern",
  "session-limits",
  "tier",
  "session-tier",
  "default-tier",
] satisfies LimitsSource[];

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
  defaultTier: z.nullable(z.string()),
  tier: z.nullable(
    z.object({
      name: z.string(),
      isKnown: z.boolean(),
      expiresAt: z.nullable(z.number()),
      /** The tier from then on. Missing: none. */
      back: z.optional(z.string()),
    }),
  ),
  override: z.nullable(z.object({ levels: z.array(level), expiresAt: z.nullable(z.number()), note })),
  /** Null: the customer is not suspended. */
  suspension: z.nullable(z.object({ expiresAt: z.nullable(z.number()), note })),
  /** Live nodes of earlier versions, which do not enforce suspensions. */
  nodesWithoutSuspensions: z.array(z.string()),
  /** What an app's session last gave it, in ms of Redis' clock; null: nothing, as far as nodes reported it. */
  session: z.nullable(
    z.object({ tier: z.nullable(z.string()), levels: z.nullable(z.array(level)), at: z.number() }),
  ),
  /** The source of `levels`. */
  from: z.nullable(z.enum(sources)),
  /** Overrides of groups and patterns that have it, in the order in which they win. */
  shared: z.array(
    z.object({
      from: z.enum(["group", "pattern"]),
      name: z.string(),
      levels: z.nullable(z.array(level)),
      tier: z.nullable(z.string()),
      /** The first with limits that the policy knows: in force unless the customer has an override of its own. */
      wins: z.boolean(),
    }),
  ),
  /** The levels in force; null: those for anonymous clients, by its id. */
  levels: z.nullable(z.array(level)),
  /** Null while the counters do not answer. */
  usage: z.nullable(z.array(usage)),
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
  before: z.nullable(z.array(usage)),
  after: z.nullable(z.array(usage)),
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

const limitsAt = z.nullable(z.object({ value: z.nullable(z.string()), expiresAt: z.nullable(z.string()) }));

const change = z.object({
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  via: z.string(),
  /** "customer.tier", …; of an undo, the action that it undid. */
  about: z.string(),
  isUndo: z.boolean(),
  change: z.nullable(z.number()),
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
