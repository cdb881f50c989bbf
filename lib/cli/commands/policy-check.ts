import { at } from "../../at.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Command } from "../command.ts";
import { readPolicyFile, requireAll } from "../policy-file.ts";

export const policyCheck: Command = {
  name: "policy check",
  takes: "<file|->",
  operands: { least: 1, most: 1 },
  summary: "Check a policy file, without Redis",
  about: [
    "Reads what policy set reads, and prints every problem with its place in the file. Nothing is written, and no server is",
    "asked, so it fits a pipeline that has no access to production.",
  ],
  options: [],
  examples: ["sluice policy check policy.json"],
  async run({ operands, io }) {
    const { given } = await readPolicyFile(at(operands, 0), io);
    const { rules, tiers } = requireAll(given, "The policy is not valid");
    const [ruleCount, tierCount] = [rules.length, Object.keys(tiers).length];
    return {
      lines: [`The policy is valid: ${plural(ruleCount, "rule")}, ${plural(tierCount, "tier")}.`],
      json: { isValid: true, rules: ruleCount, tiers: tierCount },
    };
  },
};
