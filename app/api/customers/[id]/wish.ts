import { z } from "zod";
import type { Wish } from "../../../../lib/customers/preview.ts";
import { type Level, requireLevels } from "../../../../lib/policy/levels.ts";

/** What is asked of those who would save something. */
export const asked = z.object({
  /** "" for none. */
  tier: z.string().max(40),
  /** `60:100,3600:1000`, or "tier" for those of the tier. */
  levels: z.string().max(400),
});

export function wishIn({ tier, levels }: z.output<typeof asked>): Required<Wish> {
  return { tier: tier === "" ? null : tier, levels: levelsIn(levels) };
}

function levelsIn(text: string): readonly Level[] | null {
  if (text === "tier") return null;
  const pairs = text.split(",").map((pair) => pair.split(":").map(Number));
  return requireLevels(pairs.map(([periodSeconds, limit]) => ({ limit, periodSeconds })));
}
