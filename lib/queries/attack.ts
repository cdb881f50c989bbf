import * as z from "zod/mini";
import { query } from "./query.ts";

const effect = z.object({
  rule: z.string(),
  /** In words. */
  limits: z.string(),
  /** What it would have denied in the last hour. Null where nodes have not counted what it counts. */
  hour: z.nullable(z.object({ requests: z.number(), clients: z.number(), customers: z.number() })),
});

const reply = z.object({
  asOf: z.number(),
  rules: z.array(effect),
  /** No rules are prepared: these are of a fresh install. */
  isFresh: z.boolean(),
});
export type AttackModeReply = z.output<typeof reply>;

/** What attack mode adds, and what it would have denied in the last hour. */
export const attackMode = () => query(["attack-mode"], "/api/attack-mode", reply);
