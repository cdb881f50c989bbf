import { z } from "zod";
import { previewLevels } from "../../../../../lib/customers/preview.ts";
import { type Level, requireLevels } from "../../../../../lib/policy/levels.ts";
import type { LevelsPreview } from "../../../../../lib/queries/customer.ts";
import { read } from "../../../../_server/read.ts";
import { countsOf } from "../../counts.ts";
import { customerIn } from "../customer-id.ts";
import { toUsage } from "../now.ts";

const wish = z.object({
  /** "" for none. */
  tier: z.string().max(40),
  /** `60:100,3600:1000`, or "tier" for those of the tier. */
  levels: z.string().max(400),
});

export const GET = read<typeof wish, { id: string }>("read", wish, async ({ console, params, search }) => {
  const wished = { tier: search.tier === "" ? null : search.tier, levels: levelsIn(search.levels) };
  const { redis } = console;
  const { mode, before, after } = await previewLevels(redis, countsOf(console), customerIn(params), wished);
  return { mode, before: toUsage(before), after: toUsage(after) } satisfies LevelsPreview;
});

function levelsIn(text: string): readonly Level[] | null {
  if (text === "tier") return null;
  const pairs = text.split(",").map((pair) => pair.split(":").map(Number));
  return requireLevels(pairs.map(([periodSeconds, limit]) => ({ limit, periodSeconds })));
}
