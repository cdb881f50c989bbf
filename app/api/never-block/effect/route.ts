import { z } from "zod";
import { DomainError } from "../../../../lib/errors.ts";
import { parseAddress } from "../../../../lib/ip/parse.ts";
import { neverBlockEffect } from "../../../../lib/lists/never-block-effect.ts";
import { read } from "../../../_server/read.ts";

export const dynamic = "force-dynamic";

const search = z.object({ range: z.string().max(100) });

/** What would begin or cease to bite: for whoever is about to change the range. */
export const GET = read(
  "never-block",
  search,
  async ({ console: { redis, protectedRanges }, search: asked }) => {
    const range = parseAddress(asked.range);
    if (!range.ok) throw new DomainError("bad-input", `${range.reason}.`, { range: range.reason });
    const { entries, count } = await neverBlockEffect(redis, range.value, protectedRanges);
    return { count, entries: entries.map(({ address, note: { reason, by } }) => ({ address, reason, by })) };
  },
);
