import { z } from "zod";
import { readHistory } from "../../../../lib/audit/history.ts";
import { read } from "../../../_server/read.ts";
import { filterFields, filterFor, filterOf } from "../search.ts";

const search = z.object({ ...filterFields, after: z.coerce.number().int().min(0) });
const mostCounted = 99;

export const GET = read("read", search, async ({ console: { redis }, who, search }) => {
  const { records, next } = await readHistory(redis, {
    ...{ after: search.after, filter: filterFor(who.role, filterOf(search)) },
    ...{ limit: mostCounted, mostScanned: 1_000 },
  });
  return { count: records.length, isMore: next !== null };
});
