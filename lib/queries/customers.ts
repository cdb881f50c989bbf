import { z } from "zod";
import { query, withParameters } from "./query.ts";

/** Rows of one read. */
export const customersAtOnce = 100;

const level = z.object({ limit: z.number(), periodSeconds: z.number() });

/** The level that is used up most. */
const tightest = z.object({
  rule: z.string(),
  algorithm: z.string(),
  limit: z.number(),
  periodSeconds: z.number(),
  used: z.number(),
  isOver: z.boolean(),
  isShadowed: z.boolean(),
});

const customer = z.object({
  id: z.string(),
  /** Also one that the policy does not know. */
  tier: z.string().nullable(),
  override: z.object({ levels: z.array(level), expiresAt: z.number().nullable() }).nullable(),
  /** Null: nothing is counted of it, or the counters do not answer. */
  usage: tightest.nullable(),
  /** Something of it in Redis is not obeyed. */
  isFlagged: z.boolean(),
});
export type ListedCustomer = z.output<typeof customer>;

const reply = z.object({
  /** Ms: the moment for which this holds. */
  now: z.number(),
  mode: z.enum(["enforce", "shadow", "off"]),
  /** In the policy's order. */
  tiers: z.array(z.string()),
  /** How many there are in each group, of those whose id begins so. */
  counts: z.record(z.string(), z.number()),
  total: z.number(),
  customers: z.array(customer),
  /** What was searched for is an id, whole, of which nothing is known. */
  isNewId: z.boolean(),
  /** Ms since it was last certain that no change was missed. */
  ageMs: z.number(),
  areCountersUp: z.boolean(),
});
export type CustomersPage = z.output<typeof reply>;

export interface CustomersAsked {
  /** How the id begins. */
  readonly search?: string | undefined;
  /** "all", "no-tier", "own-levels", "not-obeyed" or "tier:<name>". */
  readonly group?: string | undefined;
  readonly offset?: number | undefined;
}

/** Customers that have a tier or levels of their own, in the order of their ids. */
export function customers(asked: CustomersAsked) {
  return query(["customers", asked], withParameters("/api/customers", { ...asked }), reply);
}
