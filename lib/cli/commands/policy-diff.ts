import { at } from "../../at.ts";
import { diffPolicies } from "../../observe/policy/diff.ts";
import type { Command } from "../command.ts";
import { readPolicyFile, requireAll } from "../policy-file.ts";
import { sayDifference } from "../policy-saved.ts";

export const policyDiff: Command = {
  name: "policy diff",
  takes: "<file|->",
  operands: { least: 1, most: 1 },
  summary: "Compare a policy file with the policy in force",
  about: [
    "Prints what policy set would change. It only reads, so it needs no NEXTAUTH_SECRET. With --exit-code it exits with 1 if",
    "the file differs, for a pipeline that looks for changes made elsewhere.",
  ],
  options: ["exit-code"],
  examples: ["sluice policy diff policy.json", "sluice policy diff policy.json --exit-code"],
  async run({ operands, options, io, readAccess }) {
    const { given } = await readPolicyFile(at(operands, 0), io);
    const policy = requireAll(given, "The policy is not valid");
    const { readPolicy } = await readAccess();
    const inForce = await readPolicy();
    const difference = diffPolicies(inForce.policy, policy);
    const isSame = JSON.stringify(inForce.policy) === JSON.stringify(policy);
    return {
      lines: isSame
        ? [`The file is the policy in force, version ${inForce.version}.`]
        : [`Saving the file would change version ${inForce.version}:`, ...sayDifference(difference)],
      json: { isSame, version: inForce.version, difference },
      ...(!isSame && options.has("exit-code") && { exit: 1 as const }),
    };
  },
};
