import { DomainError } from "../errors.ts";
import type { Mode, Policy } from "../policy/schema.ts";
import { setPolicy } from "../policy/set.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Command } from "./command.ts";
import { nearest } from "./nearest.ts";
import { readReason } from "./operands.ts";
import { tellOvertaken } from "./policy-overtaken.ts";
import { tellSaved } from "./policy-saved.ts";

const summaries: Readonly<Record<Mode, string>> = {
  shadow: "Let one rule only report whom it would stop",
  enforce: "Let one rule stop whoever goes over it",
  off: "Let one rule rest: it neither counts nor stops anyone",
};

/** The verb is the mode that one rule gets; `sluice mode` is for all of them. */
export function policyRuleMode(mode: Mode): Command {
  return {
    name: `policy ${mode}`,
    takes: "<rule>",
    operands: { least: 1, most: 1 },
    summary: summaries[mode],
    about: ["The rule is saved in the next version of the policy. sluice mode is for all rules at once."],
    options: ["reason"],
    examples: [`sluice policy ${mode} req/ip/1 --reason "to see whom it hits"`],
    async run({ operands: [name = ""], options, writing }) {
      const reason = readReason(options);
      const session = await writing();
      const before = await readPolicy(session.redis);
      const policy = withMode(before.policy, name, mode);
      const basedOn = before.version;
      const saved = await setPolicy(session.context, { policy, basedOn, reason }).catch((error: unknown) =>
        tellOvertaken(session.redis, basedOn, error),
      );
      return tellSaved(session, before, policy, saved);
    },
  };
}

function withMode(policy: Policy, name: string, mode: Mode): Policy {
  const names = policy.rules.map((rule) => rule.name);
  if (!names.includes(name)) throw unknownRule(name, names);
  return { ...policy, rules: policy.rules.map((rule) => (rule.name === name ? { ...rule, mode } : rule)) };
}

function unknownRule(name: string, names: readonly string[]): DomainError {
  const meant = nearest(name, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `The policy has no rule "${name.slice(0, 80)}": ${has}`;
  return new DomainError("not-found", `${problem}.${hint}`, { rule: problem });
}
