import * as z from "zod/mini";
import { query } from "./query.ts";

const owner = z.object({
  customer: z.string(),
  /** In the last hour, from the address or range. */
  requests: z.number(),
  lastAt: z.number(),
});
export type Owner = z.output<typeof owner>;

const ownersOf = z.object({
  address: z.string(),
  /** Customers with signed-in requests within a week, the busiest first. */
  owners: z.array(owner),
  /** False: there are more. */
  isAll: z.boolean(),
});
export type OwnersOf = z.output<typeof ownersOf>;

const reply = z.object({
  asOf: z.number(),
  /** No customer that used an address since then is missing. Null: customers may be missing. */
  knownSince: z.nullable(z.number()),
  /** In the order of the addresses. */
  of: z.array(ownersOf),
});
export type OwnersReply = z.output<typeof reply>;

/** Most addresses of one read. */
export const mostOwned = 250;

/** Customers that use these addresses and ranges. */
export const owners = (addresses: readonly string[]) =>
  query(["owners", addresses], "/api/owners", reply, { addresses });

const customerAddress = z.object({
  /** Of IPv6 a /64 network. */
  address: z.string(),
  /** Of the customer, in the last hour. */
  requests: z.number(),
  lastAt: z.number(),
  /** Verdict of the customer's next request from there. */
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled"]),
  /** The entry of the blocklist that blocks it. */
  entry: z.nullable(
    z.object({
      address: z.string(),
      reason: z.string(),
      by: z.nullable(z.string()),
      /** ISO. Null for an entry of another program. */
      at: z.nullable(z.string()),
      expiresAt: z.nullable(z.number()),
    }),
  ),
  /** Number of blocklist entries inside of it: a part of an IPv6 network may be blocked. */
  blockedInside: z.number(),
  /** The rule that throttles it by something else than the customer. */
  rule: z.nullable(z.object({ name: z.string(), resetSeconds: z.number() })),
});
export type CustomerAddress = z.output<typeof customerAddress>;

const addressesReply = z.object({
  asOf: z.number(),
  knownSince: z.nullable(z.number()),
  /** Number of all its addresses within a week. */
  total: z.number(),
  /** The latest of them. */
  addresses: z.array(customerAddress),
});
export type CustomerAddresses = z.output<typeof addressesReply>;

/** Addresses of a customer, and what denies its requests from them. Its key is that of the lists: a change of them refetches it. */
export const customerAddresses = (id: string) =>
  query(["lists", "customer", id], `/api/customers/${encodeURIComponent(id)}/addresses`, addressesReply);
