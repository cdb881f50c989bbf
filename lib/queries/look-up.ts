import { z } from "zod";
import { query, withParameters } from "./query.ts";

const entry = z.object({
  list: z.enum(["safelist", "blocklist"]),
  address: z.string(),
  reason: z.string(),
  by: z.string().nullable(),
  /** In ms; null for never. */
  expiresAt: z.number().nullable(),
  /** Why nodes do not obey it; null when they do. */
  disobeyed: z.string().nullable(),
});
export type CoveringEntry = z.output<typeof entry>;

const reply = z.object({
  address: z
    .object({
      /** In canonical form. */
      text: z.string(),
      isRange: z.boolean(),
      isYours: z.boolean(),
      /** What covers all of it, safelist first, most specific first: the first that is obeyed decides. */
      covering: z.array(entry),
    })
    .nullable(),
  /** What was probably meant, and why it is not what was typed. */
  suggestion: z.object({ text: z.string(), reason: z.string() }).nullable(),
  /** Why something that looks like an address is none. */
  problem: z.string().nullable(),
  customer: z
    .object({
      id: z.string(),
      /** Does it have a tier or levels of its own? */
      isKnown: z.boolean(),
      tier: z.string().nullable(),
      hasOverride: z.boolean(),
    })
    .nullable(),
});
export type LookedUp = z.output<typeof reply>;

/** What Sluice knows under this name: an address, a range, a customer. */
export function lookUp(text: string) {
  return query(["look-up", text], withParameters("/api/look-up", { q: text }), reply);
}
