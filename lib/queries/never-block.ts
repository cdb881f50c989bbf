import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";

const stored = z.object({
  range: z.string(),
  /** Another program may have written any text here, and none of the other properties. */
  reason: z.string(),
  by: z.optional(z.string()),
  /** ISO */
  at: z.optional(z.string()),
});
export type StoredRange = z.output<typeof stored>;

const fixed = z.object({ range: z.string(), why: z.string() });
export type FixedRange = z.output<typeof fixed>;

const ranges = z.object({
  /** Loopback and the ranges of the environment: not editable in the console. */
  fixed: z.array(fixed),
  stored: z.array(stored),
});

/** The ranges that no blocklist entry may overlap. */
export function neverBlock() {
  return query(["never-block"], "/api/never-block", ranges);
}

const effect = z.object({
  /** The first hundred. */
  entries: z.array(z.object({ address: z.string(), reason: z.string(), by: z.optional(z.string()) })),
  count: z.number(),
});
export type RangeEffect = z.output<typeof effect>;

/** The blocklist entries that overlap this range: they are not enforced while it is protected. */
export function rangeEffect(range: string) {
  return query(
    ["never-block", "effect", range],
    withParameters("/api/never-block/effect", { range }),
    effect,
  );
}
