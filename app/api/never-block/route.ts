import { z } from "zod";
import { readNeverBlock } from "../../../lib/lists/never-block.ts";
import { read } from "../../_server/read.ts";

export const dynamic = "force-dynamic";

export const GET = read("read", z.object({}), async ({ console: { redis, protectedRanges } }) => {
  const stored = await readNeverBlock(redis);
  return {
    fixed: protectedRanges,
    stored: stored.map(({ range, note: { reason, by, at } }) => ({ range, reason, by, at })),
  };
});
