import { at } from "../../at.ts";
import type { Mode, Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { didYouMean } from "../../nearest.ts";
import type { Command } from "../command.ts";
import { readReason } from "../operands.ts";
import { failOvertaken, reportSaved } from "../policy-saved.ts";

const summaries: Readonly<Record<Mode, string>> = {
  shadow: "Put one rule in shadow: it only reports the requests that it would deny",
  enforce: "Enforce one rule: it denies clients that exceed it",
  off: "Turn one rule off: it neither counts nor denies",
};

/** Sets the mode of one rule. `sluice mode` is for all rules. */
export function policyRuleMode(mode: Mode): Command {
  return {
    name: `policy ${mode}`,
    takes: "<rule>",
    operands: { least: 1, most: 1 },
    summary: summaries[mode],
    about: ["Saves the rule in the next version of the policy. sluice mode sets the mode of all rules."],
    options: ["reason"],
    examples: [`sluice policy ${mode} req/ip/1 --reason "to see its effect"`],
    async run({ operands, options, writing }) {
      const reason = readReason(options);
      const session = await writing();
      const before = await readPolicy(session.redis);
      const policy = withMode(before.policy, at(operands, 0), mode);
      const basedOn = before.version;
      const saved = await setPolicy(session.context, { policy, basedOn, reason }).catch((error: unknown) =>
        failOvertaken(session.redis, basedOn, error),
      );
      return reportSaved(session, before, policy, saved);
    },
  };
}

function withMode(policy: Policy, name: string, mode: Mode): Policy {
  const names = policy.rules.map((rule) => rule.name);
  if (!names.includes(name)) throw unknownRule(name, names);
  return { ...policy, rules: policy.rules.map((rule) => (rule.name === name ? { ...rule, mode } : rule)) };
}

function unknownRule(name: string, names: readonly string[]): DomainError {
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `The policy has no rule "${name.slice(0, 80)}": ${has}`;
  return new DomainError("not-found", `${problem}.${didYouMean(name, names)}`, { rule: problem });
}
