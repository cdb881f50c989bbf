import { z } from "zod";
import { kindOf } from "../../enforce/policy/client.ts";
import { scopeOf } from "../../enforce/policy/match.ts";
import type { Rule } from "../../enforce/policy/schema.ts";
import { attackSet } from "../../enforce/policy/timed.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sayAttackRule } from "../../observe/policy/attack-words.ts";
import type { AttackModeReply } from "../../queries/attack.ts";
import { read } from "../read.ts";
import { judgeRates } from "../stats/judged-rates.ts";

export const getAttackMode = read(
  "read",
  z.object({}),
  async ({ console: { redis } }): Promise<AttackModeReply> => {
    const { policy } = await readPolicy(redis);
    const rules: AttackModeReply["rules"] = [];
    for (const rule of attackSet(policy.attack))
      rules.push({ rule: rule.name, limits: sayAttackRule(rule), hour: await lastHour(rule) });
    return { asOf: Date.now(), rules, isFresh: policy.attack === undefined };
  },
);

/** By the level that would have denied most. Null without any history of what the rule counts. */
async function lastHour(rule: Rule): Promise<AttackModeReply["rules"][number]["hour"]> {
  const scope = scopeOf(rule);
  if (!scope || rule.levels === "tier") return null;
  const kind = kindOf(rule.client, scope.isAnonymous);
  let worst: AttackModeReply["rules"][number]["hour"] = null;
  for (const level of rule.levels) {
    if (!("periodSeconds" in level)) continue;
    const { periodSeconds, limit } = level;
    const found = await judgeRates({
      ...{ scope: scope.key, kind, span: "1h", limit },
      periodSeconds: Math.min(86_400, periodSeconds),
    });
    const [judged] = found.judged;
    if (found.knownMinutes === 0 || !judged) continue;
    const { requests, clients, customers } = judged;
    if (!worst || requests > worst.requests) worst = { requests, clients, customers };
  }
  return worst;
}
