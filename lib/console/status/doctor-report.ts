import { z } from "zod";
import { environment } from "../../env.ts";
import { may } from "../../manage/users/roles.ts";
import { judgeNetworks } from "../../observe/doctor/check-networks.ts";
import { judgeSettings } from "../../observe/doctor/check-settings.ts";
import { Rounds } from "../../observe/doctor/rounds.ts";
import type { DoctorReport } from "../../queries/doctor.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theAuditEnd } from "../audit/audit-watch.ts";
import type { Console } from "../console.ts";
import { loadedNetworks } from "../networks/network-reads.ts";
import { read } from "../read.ts";

const search = z.object({ again: z.literal("1").optional() });

export const getDoctorReport = read(
  "read",
  search,
  async ({ console, who, search: { again } }): Promise<DoctorReport> => {
    const { findings, looking } = await roundsOf(console).findings({ isForced: again !== undefined });
    const lookedAt = Date.now();
    const ofThisProcess = [
      ...judgeNetworks(await loadedNetworks(), lookedAt),
      ...judgeSettings(environment()),
    ];
    const settings = ofThisProcess.map((finding) => ({ ...finding, lookedAt }));
    const hasAll = may(who.role, "secrets");
    const shown = [...findings, ...settings].filter(({ isForAdmins }) => hasAll || !isForAdmins);
    return { findings: shown.map(asReply), looking: [...looking], hasAll };
  },
);

function roundsOf({ redis, redisUrl: url, protectedRanges, seal }: Console): Rounds {
  const countersUrl = environment().countersRedisUrl ?? url;
  return oncePerProcess(
    "rounds",
    () => new Rounds({ redis, url, countersUrl, protectedRanges, seal, seenEnd: () => theAuditEnd().seen }),
  );
}

function asReply({
  details,
  isForAdmins: _,
  isLost: __,
  ...finding
}: Awaited<ReturnType<Rounds["findings"]>>["findings"][number]) {
  return { ...finding, ...(details && { details: [...details] }) };
}
