import * as z from "zod/mini";
import { query } from "./query.ts";

const version = z.object({
  version: z.number(),
  /** ISO; undefined for the first policy of a new installation. */
  at: z.optional(z.string()),
  by: z.optional(z.string()),
  reason: z.string(),
  /** Its changes from the version before, a sentence each. */
  changes: z.array(z.string()),
  /** Why it cannot be rolled back to. */
  problem: z.optional(z.string()),
});
export type PolicyVersion = z.output<typeof version>;

const limitOfCode = z.object({
  /** `<app>/<name>` */
  field: z.string(),
  app: z.string(),
  name: z.string(),
  /** Undefined where no node has reported it for a week. */
  code: z.optional(z.object({ by: z.string(), says: z.string(), mode: z.string() })),
  published: z.optional(
    z.object({
      says: z.optional(z.string()),
      mode: z.optional(z.string()),
      by: z.string(),
      at: z.string(),
      reason: z.string(),
    }),
  ),
  /** As nodes enforce it: its levels, and the mode. */
  inForce: z.optional(
    z.object({ says: z.string(), mode: z.string(), levels: z.array(z.record(z.string(), z.unknown())) }),
  ),
  isDifferent: z.boolean(),
  /** Why what is published is not in force. */
  problem: z.optional(z.string()),
  /** In the last hour. */
  checked: z.number(),
  denied: z.number(),
  shadowed: z.number(),
});
/** A limit that the code of an app names. */
export type LimitOfCode = z.output<typeof limitOfCode>;

export const policyReply = z.object({
  version: z.number(),
  at: z.optional(z.string()),
  by: z.optional(z.string()),
  reason: z.string(),
  /** As `policySchema` reads it. */
  policy: z.looseObject({}),
  /** Why the policy in Redis is not enforced. */
  problem: z.optional(z.string()),
  versions: z.array(version),
  /** What of it ends at a time, in the order of time, with what each end changes, a sentence each. */
  ends: z.array(z.object({ atMs: z.number(), changes: z.array(z.string()) })),
  /**
   * Denials of the last hour by rule, those it would have made if it were not in shadow, requests that it exempted, and what passed
   * above its limits by its slack.
   */
  lastHour: z.array(
    z.object({
      rule: z.string(),
      denied: z.number(),
      shadowed: z.number(),
      exempt: z.number(),
      over: z.number(),
    }),
  ),
  /** Live nodes, which share the slack of a rule. */
  nodes: z.number(),
  limits: z.array(limitOfCode),
});
export type PolicyReply = z.output<typeof policyReply>;

/** The policy in force, its denials, and its versions. */
export const policy = () => query(["policy"], "/api/policy", policyReply);

export const againstReply = z.object({
  version: z.number(),
  inForce: z.number(),
  /** The changes of a rollback to it, a sentence each. */
  changes: z.array(z.string()),
});

/** A version compared with the one in force. */
export const policyAgainst = (version: number, inForce: number) =>
  query(["policy", "against", version, inForce], `/api/policy/${version}`, againstReply);
