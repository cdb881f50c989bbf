import { isGood, listVersions, readPolicy } from "../../enforce/policy/versions.ts";
import type { Command } from "../command.ts";
import { columns, printable } from "../terminal.ts";

type Version = Awaited<ReturnType<typeof listVersions>>[number];

export const policyVersions: Command = {
  name: "policy versions",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the stored versions of the policy, newest first",
  about: ["The version in force is marked with >. Version 0, the policy of a fresh install, always exists."],
  options: [],
  examples: ["sluice policy versions"],
  async run({ reading }) {
    const { redis } = await reading();
    const [inForce, kept] = await Promise.all([readPolicy(redis), listVersions(redis)]);
    const { version: current, problem } = inForce;
    const rows = kept.map((one) => row(one, one.version === current));
    const fresh = [current === 0 ? ">" : " ", "0", "-", "-", "the policy of a fresh install"];
    return {
      lines: columns([[" ", "VERSION", "SAVED", "BY", "REASON"], ...rows, fresh]),
      complaints: problem === undefined ? [] : [`${problem}. Nodes keep version ${current}.`],
      json: { inForce: current, versions: kept.map(toJson), ...(problem !== undefined && { problem }) },
    };
  },
};

function row(one: Version, isCurrent: boolean): string[] {
  const mark = isCurrent ? ">" : " ";
  if (!isGood(one)) return [mark, String(one.version), "-", "-", `CANNOT BE READ: ${one.problem}`];
  const { version, at = "-", by = "-", reason } = one;
  return [mark, String(version), printable(at), printable(by), reason];
}

function toJson(one: Version) {
  if (!isGood(one)) return one;
  const { policy: _, ...about } = one;
  return about;
}
