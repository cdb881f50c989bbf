import { z } from "zod";
import { query } from "./query.ts";

const version = z.object({
  version: z.number(),
  /** ISO; nothing for what a fresh install begins with. */
  at: z.string().optional(),
  by: z.string().optional(),
  reason: z.string(),
  /** What it changed of the version before, a sentence each. */
  changes: z.array(z.string()),
  /** Why it cannot be brought back. */
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
  /** What stands in Redis is not obeyed, and why. */
  problem: z.string().optional(),
  versions: z.array(version),
  /** Of the last hour, by rule: what it denied, and what it would have denied in shadow. */
  lastHour: z.array(z.object({ rule: z.string(), denied: z.number(), shadowed: z.number() })),
});
export type PolicyReply = z.output<typeof policyReply>;

/** The policy in force, what it does, and how it became so. */
export const policy = () => query(["policy"], "/api/policy", policyReply);

export const againstReply = z.object({
  version: z.number(),
  inForce: z.number(),
  /** What bringing it back would change of the policy in force, a sentence each. */
  changes: z.array(z.string()),
});

/** A version beside the one in force. */
export const policyAgainst = (version: number, inForce: number) =>
  query(["policy", "against", version, inForce], `/api/policy/${version}`, againstReply);
