import { z } from "zod";
import type { Rule } from "../../enforce/policy/schema.ts";
import { attackSet } from "../../enforce/policy/timed.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sayAttackRule } from "../../observe/policy/attack-words.ts";
import { hourQuestions, worstEffect } from "../../observe/policy/rate-questions.ts";
import type { AttackModeReply } from "../../queries/attack.ts";
import type { RatesReply } from "../../queries/rates.ts";
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

async function lastHour(rule: Rule): Promise<AttackModeReply["rules"][number]["hour"]> {
  const replies: RatesReply[] = [];
  for (const question of hourQuestions(rule)) replies.push(await judgeRates(question));
  return worstEffect(replies);
}
