import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";
import { level } from "./shapes.ts";

const override = z.object({
  /** A pattern, which has a star, or a group's name. */
  name: z.string(),
  /** Null: those of the tier. */
  levels: z.nullable(z.array(level)),
  tier: z.nullable(z.string()),
  /** False: the policy has no such tier. */
  isTierKnown: z.boolean(),
  /** Ms; null for never. */
  expiresAt: z.nullable(z.number()),
  isEnded: z.boolean(),
  /** Of a group: the number of its customers. */
  members: z.nullable(z.number()),
  reason: z.string(),
  by: z.string(),
  /** Ms. */
  at: z.number(),
  /** Ms, to the minute. Null: no check has used it; undefined: a node may not report it. */
  usedAt: z.optional(z.nullable(z.number())),
});
export type OverrideRow = z.output<typeof override>;

const overridesReply = z.object({
  now: z.number(),
  overrides: z.array(override),
  tiers: z.array(z.object({ name: z.string(), levels: z.array(level) })),
  /** Live nodes that ignore them. */
  olderNodes: z.array(z.string()),
});
export type OverridesReply = z.output<typeof overridesReply>;

/** Overrides of groups and patterns, in the order in which they win. */
export const overrides = () => query(["overrides"], "/api/overrides", overridesReply);

/** The customers of a group. */
export const groupMembers = (name: string) =>
  query(
    ["overrides", "members", name],
    withParameters("/api/overrides/members", { name }),
    z.object({ ids: z.array(z.string()) }),
  );

const previewReply = z.object({
  customers: z.number(),
  /** Of these, those with an override that wins over it. */
  overruled: z.number(),
  /** Of these, those with requests in the last hour. */
  seen: z.number(),
  over: z.array(z.object({ id: z.string(), peak: z.number(), limit: z.number(), periodSeconds: z.number() })),
  overCount: z.number(),
  /** Levels that are not judged: their period is longer than an hour. */
  unjudged: z.array(level),
});
export type OverridePreview = z.output<typeof previewReply>;

interface OverrideDraft {
  readonly name: string;
  readonly levels: readonly z.output<typeof level>[];
  readonly members: readonly string[];
}

/** Who would get these limits, and who of the last hour would have been denied. Nothing is written. */
export const overridePreview = (given: OverrideDraft) =>
  query(["overrides", "preview", given], "/api/overrides/preview", previewReply, given);
