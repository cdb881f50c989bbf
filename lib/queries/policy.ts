import { z } from "zod";
import { query } from "./query.ts";

const version = z.object({
  version: z.number(),
  /** ISO; undefined for the first policy of a new installation. */
  at: z.string().optional(),
  by: z.string().optional(),
  reason: z.string(),
  /** Its changes from the version before, a sentence each. */
  changes: z.array(z.string()),
  /** Why it cannot be rolled back to. */
  problem: z.string().optional(),
});
export type PolicyVersion = z.output<typeof version>;

export const policyReply = z.object({
  version: z.number(),
  at: z.string().optional(),
  by: z.string().optional(),
  reason: z.string(),
  /** As `policySchema` reads it. */
  policy: z.looseObject({}),
  /** Why the policy in Redis is not enforced. */
  problem: z.string().optional(),
  versions: z.array(version),
  /**
   * Denials of the last hour by rule, those it would have made if it were not in shadow, and what passed above its limits by
   * its slack.
   */
  lastHour: z.array(
    z.object({ rule: z.string(), denied: z.number(), shadowed: z.number(), over: z.number() }),
  ),
  /** Live nodes, which share the slack of a rule. */
  nodes: z.number(),
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
