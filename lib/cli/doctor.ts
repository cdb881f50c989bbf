import { sealFrom } from "../audit/seal.ts";
import { checkUp, type Finding } from "../doctor/check-up.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { printable } from "./printable.ts";
import { counted } from "./words.ts";

export const doctor: Command = {
  name: "doctor",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Look whether everything is as it should be, and say what to do",
  about: [
    "Looks at Redis (version, eviction, persistence, clock, scripts, tracking), the nodes, the policy, entries and",
    "customers that nobody obeys, and the audit log. It changes nothing but one key of its own, which ends after ten",
    "seconds. Exits with 1 if there is a problem. What the Redis user may not look at is a note.",
  ],
  options: [],
  examples: ["sluice doctor", "sluice doctor --json | jq '.findings[] | select(.status != \"ok\")'"],
  async run({ io: { environment }, reading }) {
    const { redis, url, protectedRanges } = await reading();
    const seal = environment.secret === undefined ? undefined : sealFrom(environment.secret);
    const countersUrl = environment.countersRedisUrl ?? url;
    const findings = (await checkUp({ redis, url, countersUrl, protectedRanges, seal })).map(inOneText);
    const isWell = findings.every(({ status }) => status !== "problem");
    return {
      lines: [...table(findings), "", sum(findings)],
      json: { ok: isWell, findings },
      exit: isWell ? exitCode.done : exitCode.refused,
    };
  },
};

/** A terminal shows in one line what is and what to do. */
function inOneText({ check, status, says, cure, details }: Finding): Finding {
  return { check, status, says: cure ? `${says} ${cure}` : says, ...(details && { details }) };
}

const marks = { ok: "ok", note: "note", problem: "PROBLEM" } as const;

function table(findings: readonly Finding[]): string[] {
  const lines = columns(findings.map(({ check, status, says }) => [marks[status], check, printable(says)]));
  return lines.flatMap((line, i) => [
    line,
    ...(findings[i]?.details ?? []).map((detail) => `           - ${detail}`),
  ]);
}

function sum(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [problems, notes] = [count("problem"), count("note")];
  if (problems === 0) return `No problem found${notes > 0 ? `, ${counted(notes, "note")}` : ""}.`;
  return `${counted(problems, "problem")} and ${counted(notes, "note")}.`;
}
