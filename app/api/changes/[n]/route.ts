import { z } from "zod";
import { DomainError } from "../../../../lib/errors.ts";
import { changeProgress } from "../../../../lib/stats/nodes.ts";
import { read } from "../../../_server/read.ts";

export const GET = read<z.ZodObject, { n: string }>("read", z.object({}), async ({ console, params }) => {
  if (!/^[1-9]\d{0,14}$/.test(params.n)) throw new DomainError("bad-input", "This is no number of a change.");
  const { reached, ...progress } = await changeProgress(console.redis, Number(params.n));
  // A foreign writer may have put anything there.
  return { ...progress, reached: reached.filter(({ tookMs }) => Number.isFinite(tookMs)) };
});
