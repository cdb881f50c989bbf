import { z } from "zod";
import { query } from "./query.ts";
import { list } from "./shapes.ts";

const entry = z.object({
  list,
  address: z.string(),
  reason: z.string(),
  by: z.string().nullable(),
  /** In ms; null for never. */
  expiresAt: z.number().nullable(),
  /** Why it is not enforced; null when it is. */
  notEnforced: z.string().nullable(),
});
export type LookUpEntry = z.output<typeof entry>;

const reply = z.object({
  address: z
    .object({
      /** In canonical form. */
      text: z.string(),
      isRange: z.boolean(),
      isYours: z.boolean(),
      /** Entries that cover all of it, safelist first, most specific first: the first that is enforced decides. */
      covering: z.array(entry),
    })
    .nullable(),
  /** A likely correction, and the problem of the text. */
  suggestion: z.object({ text: z.string(), reason: z.string() }).nullable(),
  /** Why a text that resembles an address is none. */
  problem: z.string().nullable(),
  customer: z
    .object({
      id: z.string(),
      /** It has a tier or levels of its own. */
      isKnown: z.boolean(),
      tier: z.string().nullable(),
      hasOverride: z.boolean(),
    })
    .nullable(),
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
