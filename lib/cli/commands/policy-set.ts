import { at } from "../../at.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import type { PolicyInForce } from "../../enforce/policy/versions.ts";
import { checkBasis } from "../../manage/policy/set.ts";
import { diffPolicies } from "../../observe/policy/diff.ts";
import type { Command, CommandReport } from "../command.ts";
import { readFor, readReason, readVersionNumber } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { readPolicyFile, requireAll } from "../policy-file.ts";
import { failOvertaken, reportSaved, sayDifference } from "../policy-saved.ts";

export const policySet: Command = {
  name: "policy set",
  takes: "<file|->",
  operands: { least: 1, most: 1 },
  summary: "Replace the policy with one from a JSON file",
  about: [
    "Reads { mode, rules, requestRules, tiers, edge }, which may have comments, or the output of policy show --json, which includes the version it is based on.",
    "If another version is in force, nothing is saved, and the output lists what changed and who changed it. To save over",
    "that version, give its number with --based-on. --dry-run shows what would change. With --for, each rule and tier that it changes",
    "goes back after that time.",
  ],
  options: ["reason", "for", "based-on", "dry-run", "even-with-old-nodes"],
  examples: [
    "sluice policy set policy.json --dry-run",
    'sluice policy set policy.json --reason "login needs its own limit"',
    "sluice policy show --json | sed s/429/503/ | sluice policy set -",
  ],
  async run({ operands, options, io, writeAccess }) {
    const { given, madeFrom } = await readPolicyFile(at(operands, 0), io);
    const policy = requireAll(given);
    const reason = readReason(options);
    const forMs = readFor(options);
    const basis = readBasedOn(options) ?? madeFrom;
    const access = await writeAccess();
    const before = await access.readPolicy();
    const basedOn = basis ?? before.version;
    try {
      if (options.has("dry-run")) return previewPolicy(before, policy, basedOn);
      const untilMs = forMs === undefined ? undefined : access.now() + forMs;
      const isOldIgnored = options.has("even-with-old-nodes");
      const saved = await access.setPolicy({ policy, basedOn, reason, isOldIgnored, untilMs });
      return await reportSaved(access, before, policy, saved);
    } catch (error) {
      return failOvertaken(access, basedOn, error);
    }
  },
};

/** Number of the version that a change is based on, from --based-on. */
export function readBasedOn(options: GivenOptions): number | undefined {
  const text = options.text("based-on");
  return text === undefined ? undefined : readVersionNumber(text, "based-on", "--based-on");
}

/** Report on what saving would change, for --dry-run. */
export function previewPolicy(before: PolicyInForce, after: Policy, basedOn: number): CommandReport {
  checkBasis(before, basedOn);
  const difference = diffPolicies(before.policy, after);
  return {
    lines: [
      `Nothing was written. Saving would change version ${before.version}:`,
      ...sayDifference(difference),
    ],
    json: { dryRun: true, before: before.version, difference },
  };
}
