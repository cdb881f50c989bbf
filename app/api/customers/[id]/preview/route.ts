import { previewLevels } from "../../../../../lib/customers/preview.ts";
import type { LevelsPreview } from "../../../../../lib/queries/customer.ts";
import { read } from "../../../../_server/read.ts";
import { countsOf } from "../../counts.ts";
import { customerIn } from "../customer-id.ts";
import { toUsage } from "../now.ts";
import { asked, wishIn } from "../wish.ts";

export const GET = read<typeof asked, { id: string }>("read", asked, async ({ console, params, search }) => {
  const { redis } = console;
  const wish = wishIn(search);
  const { mode, before, after } = await previewLevels(redis, countsOf(console), customerIn(params), wish);
  return { mode, before: toUsage(before), after: toUsage(after) } satisfies LevelsPreview;
});
