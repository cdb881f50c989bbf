import { at } from "../../at.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { judgeNetworks } from "../../observe/doctor/check-networks.ts";
import { checkUp, type Finding } from "../../observe/doctor/check-up.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { filesOf } from "../../observe/networks/mmdb-setting.ts";
import { Networks } from "../../observe/networks/networks.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { columns, printable } from "../terminal.ts";

export const doctor: Command = {
  name: "doctor",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Check Redis, the nodes and the stored data, and say what to do",
  about: [
    "Checks Redis (version, eviction, persistence, clock, scripts, tracking), the nodes, the policy, entries and customers",
    "that are not enforced, the audit log, and the files of SLUICE_MMDB. It writes only one key of its own, which expires after ten seconds.",
    "Exits with 1 if there is a problem. A check that the Redis user is not allowed to run is a note.",
  ],
  options: [],
  examples: ["sluice doctor", "sluice doctor --json | jq '.findings[] | select(.status != \"ok\")'"],
  async run({ io: { environment }, reading }) {
    const { redis, url, protectedRanges } = await reading();
    const seal = environment.secret === undefined ? undefined : sealFrom(environment.secret);
    const countersUrl = environment.countersRedisUrl ?? url;
    const found = await checkUp({ redis, url, countersUrl, protectedRanges, seal });
    const findings = [...found, ...(await checkFiles(environment.mmdb))].map(inOneText);
    const isWell = findings.every(({ status }) => status !== "problem");
    return {
      lines: [...table(findings), "", sum(findings)],
      json: { ok: isWell, findings },
      exit: isWell ? exitCode.done : exitCode.refused,
    };
  },
};

/** The MMDB files of this environment. Without any, the data on networks are the console's concern. */
async function checkFiles(setting: string | undefined): Promise<Finding[]> {
  const files = filesOf(setting);
  if (files.length === 0) return [];
  const networks = new Networks({ files, log: () => {} });
  await networks.refresh();
  return judgeNetworks(networks, Date.now());
}

/** Finding with its remedy in one text. */
function inOneText({ check, status, says, cure, details }: Finding): Finding {
  return { check, status, says: cure ? `${says} ${cure}` : says, ...(details && { details }) };
}

const marks = { ok: "ok", note: "note", problem: "PROBLEM" } as const;

function table(findings: readonly Finding[]): string[] {
  const lines = columns(findings.map(({ check, status, says }) => [marks[status], check, printable(says)]));
  return lines.flatMap((line, i) => [
    line,
    ...(at(findings, i).details ?? []).map((detail) => `           - ${detail}`),
  ]);
}

function sum(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [problems, notes] = [count("problem"), count("note")];
  if (problems === 0) return `No problem found${notes > 0 ? `, ${plural(notes, "note")}` : ""}.`;
  return `${plural(problems, "problem")} and ${plural(notes, "note")}.`;
}
