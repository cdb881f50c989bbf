import { kindOf } from "../../enforce/policy/client.ts";
import { scopeOf } from "../../enforce/policy/match.ts";
import type { Rule } from "../../enforce/policy/schema.ts";

/** What a level would have denied, as `/api/rates` is asked for it. */
interface RateQuestion {
  readonly scope: string;
  readonly kind: ReturnType<typeof kindOf>;
  readonly periodSeconds: number;
  readonly limit: number;
  readonly span: "1h";
}

const longestSeconds = 86_400;

/** One question for each level of the rule. Empty where a count of requests in a window does not answer it. */
export function hourQuestions(rule: Rule): RateQuestion[] {
  const scope = scopeOf(rule);
  if (!scope || rule.levels === "tier" || rule.algorithm === "concurrent" || rule.countWhen) return [];
  const kind = kindOf(rule.client, scope.isAnonymous);
  return rule.levels.flatMap((level) => {
    if (!("limit" in level) || level.period) return [];
    const periodSeconds = Math.min(longestSeconds, level.periodSeconds);
    return { scope: scope.key, kind, periodSeconds, limit: level.limit, span: "1h" as const };
  });
}

interface Effect {
  readonly requests: number;
  readonly clients: number;
  readonly customers: number;
}

/** The effect of the level that would have denied most. Null without any history of what the rule counts. */
export function worstEffect(
  replies: readonly { readonly knownMinutes: number; readonly judged: readonly Effect[] }[],
): Effect | null {
  let worst: Effect | null = null;
  for (const { knownMinutes, judged } of replies) {
    const [effect] = judged;
    if (knownMinutes === 0 || !effect) continue;
    const { requests, clients, customers } = effect;
    if (!worst || requests > worst.requests) worst = { requests, clients, customers };
  }
  return worst;
}
