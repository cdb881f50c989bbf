import { z } from "zod";
import { Rounds } from "../../../lib/doctor/rounds.ts";
import { judgeSettings } from "../../../lib/doctor/settings.ts";
import { environment } from "../../../lib/env.ts";
import type { DoctorReport } from "../../../lib/queries/doctor.ts";
import { atHome } from "../../../lib/redis/home.ts";
import type { Console } from "../../_server/console.ts";
import { read } from "../../_server/read.ts";

export const dynamic = "force-dynamic";

const search = z.object({ again: z.literal("1").optional() });

export const GET = read("read", search, async ({ console, search: { again } }): Promise<DoctorReport> => {
  const { findings, looking } = await roundsOf(console).look({ isAskedFor: again !== undefined });
  const lookedAt = Date.now();
  const settings = judgeSettings(environment()).map((finding) => ({ ...finding, lookedAt }));
  return { findings: [...findings, ...settings].map(asReply), looking: [...looking] };
});

function roundsOf({ redis, redisUrl: url, protectedRanges, seal }: Console): Rounds {
  const countersUrl = environment().countersRedisUrl ?? url;
  return atHome("rounds", () => new Rounds({ redis, url, countersUrl, protectedRanges, seal }));
}

function asReply({ details, ...finding }: Awaited<ReturnType<Rounds["look"]>>["findings"][number]) {
  return { ...finding, ...(details && { details: [...details] }) };
}
