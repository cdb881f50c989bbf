import * as z from "zod/mini";
import { usage } from "./customer.ts";
import { query, withParameters } from "./query.ts";
import { level, mode } from "./shapes.ts";

/** Rows of one read. */
export const customersAtOnce = 100;

/** The level with the highest share used. */
const tightest = z.omit(usage, { resetMs: true, isOwn: true });

const customer = z.object({
  id: z.string(),
  /** Also a tier that the policy does not have. */
  tier: z.nullable(z.string()),
  /** When the tier ends, and the tier from then on; null: it does not end. */
  tierEnd: z.nullable(z.object({ expiresAt: z.number(), back: z.nullable(z.string()) })),
  override: z.nullable(z.object({ levels: z.array(level), expiresAt: z.nullable(z.number()) })),
  suspension: z.nullable(z.object({ expiresAt: z.nullable(z.number()) })),
  /** Null: the customer has no count, or the counters do not answer. */
  usage: z.nullable(tightest),
  /** A value of the customer in Redis is not enforced. */
  isFlagged: z.boolean(),
});
export type CustomerRow = z.output<typeof customer>;

const reply = z.object({
  /** Ms: the moment for which this holds. */
  now: z.number(),
  mode,
  /** In the policy's order. */
  tiers: z.array(z.string()),
  /** The size of each group, of customers whose id begins with the search. */
  counts: z.record(z.string(), z.number()),
  total: z.number(),
  customers: z.array(customer),
  /** The search is a complete id, and no such customer is known. */
  isNewId: z.boolean(),
  /** Ms since it was last certain that no change was missed. */
  ageMs: z.number(),
  areCountersUp: z.boolean(),
});
export type CustomersPage = z.output<typeof reply>;

interface CustomersParameters {
  /** The first characters of the id. */
  readonly search?: string | undefined;
  /** As `CustomerGroup`. */
  readonly group?: string | undefined;
  readonly offset?: number | undefined;
}

/** Customers that have a tier or levels of their own, in the order of their ids. */
export function customers(asked: CustomersParameters) {
  return query(["customers", asked], withParameters("/api/customers", { ...asked }), reply);
}
