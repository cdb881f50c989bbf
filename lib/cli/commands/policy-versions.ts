import type { VersionRow } from "../access/access.ts";
import type { Command } from "../command.ts";
import { columns, printable } from "../terminal.ts";

export const policyVersions: Command = {
  name: "policy versions",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the stored versions of the policy, newest first",
  about: ["The version in force is marked with >. Version 0, the policy of a fresh install, always exists."],
  options: [],
  examples: ["sluice policy versions"],
  async run({ readAccess }) {
    const { readPolicy, listVersions } = await readAccess();
    const [inForce, kept] = await Promise.all([readPolicy(), listVersions()]);
    const { version: current, problem } = inForce;
    const rows = kept.map((one) => row(one, one.version === current));
    const fresh = [current === 0 ? ">" : " ", "0", "-", "-", "the policy of a fresh install"];
    return {
      lines: columns([[" ", "VERSION", "SAVED", "BY", "REASON"], ...rows, fresh]),
      complaints: problem === undefined ? [] : [`${problem}. Nodes keep version ${current}.`],
      json: { inForce: current, versions: kept, ...(problem !== undefined && { problem }) },
    };
  },
};

function row(
  { version, at = "-", by = "-", reason = "", problem }: VersionRow,
  isCurrent: boolean,
): string[] {
  const mark = isCurrent ? ">" : " ";
  if (problem !== undefined) return [mark, String(version), "-", "-", `CANNOT BE READ: ${problem}`];
  return [mark, String(version), printable(at), printable(by), reason];
}
