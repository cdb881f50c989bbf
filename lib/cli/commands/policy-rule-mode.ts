import { at } from "../../at.ts";
import { counted } from "../../enforce/policy/bounds.ts";
import type { Mode, Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { didYouMean } from "../../nearest.ts";
import { readRuleCounts, Series } from "../../observe/stats/series.ts";
import { readShadowClients } from "../../observe/stats/shadow-clients.ts";
import type { Connection } from "../../redis/connect.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { redisReadAccess } from "../access/redis-access.ts";
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
    async run({ operands, options, io, writing }) {
      const reason = readReason(options);
      const session = await writing();
      const before = await readPolicy(session.redis);
      const name = at(operands, 0);
      const policy = withMode(before.policy, name, mode);
      const effect = mode === "enforce" ? await sayShadow(session.redis, before.policy, name) : [];
      const basedOn = before.version;
      const saved = await setPolicy(session.context, { policy, basedOn, reason }).catch((error: unknown) =>
        failOvertaken(redisReadAccess(session, io.environment), basedOn, error),
      );
      const report = await reportSaved(session, before, policy, saved);
      return { ...report, lines: [...report.lines, ...effect] };
    },
  };
}

/** The clients that the rule, in shadow until now, would have denied. */
async function sayShadow(redis: Connection, policy: Policy, name: string): Promise<string[]> {
  const rule = policy.rules.find((rule) => rule.name === name) ?? findRequestRule(policy, name);
  if (rule?.mode !== "shadow" || ("action" in rule && rule.action === "exempt")) return [];
  const nowMs = await redisNow(redis);
  const [counts, { found }] = await Promise.all([
    readRuleCounts(new Series(redis), { policy, minutes: 60, nowMs }),
    readShadowClients(redis, { rule: name, minutes: 60, nowMs }),
  ]);
  const requests = counts.find(({ rule }) => rule === name)?.shadowed ?? 0;
  const clients = new Set(found.map(({ client }) => client)).size;
  const customers = [...new Set(found.flatMap(({ customerId }) => customerId ?? []))];
  const [shown, more] = [customers.slice(0, mostNamed).join(", "), customers.length - mostNamed];
  return [
    `In the last hour, shadow saw ${some(requests, "request")} that this rule would have denied, of ${some(clients, "known client")}.`,
    ...(customers.length > 0
      ? [`Customers among them: ${shown}${more > 0 ? ` and ${counted(more)} more` : ""}.`]
      : []),
  ];
}

const findRequestRule = ({ requestRules = [] }: Policy, name: string) =>
  requestRules.find((rule) => rule.name === name);

const mostNamed = 10;

const some = (count: number, what: string): string => `${counted(count)} ${what}${count === 1 ? "" : "s"}`;

function withMode(policy: Policy, name: string, mode: Mode): Policy {
  const { rules, requestRules = [] } = policy;
  const names = [...requestRules, ...rules].map((rule) => rule.name);
  if (!names.includes(name)) throw unknownRule(name, names);
  const set = <R extends { readonly name: string }>(rule: R): R =>
    rule.name === name ? { ...rule, mode } : rule;
  return {
    ...policy,
    rules: rules.map(set),
    ...(requestRules.length > 0 && { requestRules: requestRules.map(set) }),
  };
}

function unknownRule(name: string, names: readonly string[]): DomainError {
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `The policy has no rule "${name.slice(0, 80)}": ${has}`;
  return new DomainError("not-found", `${problem}.${didYouMean(name, names)}`, { rule: problem });
}
