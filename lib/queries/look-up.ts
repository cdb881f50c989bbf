import * as z from "zod/mini";
import { query } from "./query.ts";
import { list, mode } from "./shapes.ts";

const entry = z.object({
  list,
  address: z.string(),
  reason: z.string(),
  by: z.nullable(z.string()),
  /** In ms; null for never. */
  expiresAt: z.nullable(z.number()),
  /** Why it is not enforced; null when it is. */
  notEnforced: z.nullable(z.string()),
});
export type LookUpEntry = z.output<typeof entry>;

/** A denial, by its reference. */
const denial = z.object({
  outcome: z.enum(["blocked", "throttled"]),
  /** When, where and why, and whether the same still denies the client. */
  says: z.string(),
  now: z.string(),
  client: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  /** Names of what decided. Null for what did not, and for names that are no longer known. */
  entry: z.nullable(z.string()),
  feed: z.nullable(z.string()),
  rule: z.nullable(z.string()),
});

const reply = z.object({
  denial: z.nullable(denial),
  address: z.nullable(
    z.object({
      /** In canonical form. */
      text: z.string(),
      isRange: z.boolean(),
      isYours: z.boolean(),
      /** Entries that cover all of it, safelist first, most specific first: the first that is enforced decides. */
      covering: z.array(entry),
    }),
  ),
  /** A likely correction, and the problem of the text. */
  suggestion: z.nullable(z.object({ text: z.string(), reason: z.string() })),
  /** Why a text that resembles an address or a reference is none. */
  problem: z.nullable(z.string()),
  customer: z.nullable(
    z.object({
      id: z.string(),
      /** It has a tier or levels of its own, or signed-in requests within a week. */
      isKnown: z.boolean(),
      tier: z.nullable(z.string()),
      hasOverride: z.boolean(),
    }),
  ),
  /** Rules whose names contain it. */
  rules: z.array(z.object({ name: z.string(), mode, says: z.string() })),
  /** Groups and patterns of customers whose names contain it, or that match it. */
  overrides: z.array(z.object({ name: z.string(), says: z.string() })),
  /** Rules that have counted it as the value of a header or cookie. */
  values: z.array(
    z.object({
      name: z.string(),
      rule: z.string(),
      counts: z.string(),
      says: z.string(),
      isOver: z.boolean(),
    }),
  ),
});
export type LookUpReply = z.output<typeof reply>;

/** Everything known of a text: as an address, a range, a customer, and the value of a header or cookie. */
export function lookUp(text: string) {
  return query(["look-up", text], "/api/look-up", reply, { q: text });
}
