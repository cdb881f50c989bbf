import type { Policy } from "../policy/schema.ts";
import type { Counter } from "./counter-scan.ts";
import type { HitterName, TopHitter } from "./hitters.ts";
import type { Standing } from "./offenders.ts";

/**
 * Counters that were found by looking at all of them: those of rules that the policy has are clients to look at closely; of
 * the others there is only what was counted.
 */
export function sortCounters(
  counters: readonly Counter[],
  { rules }: Policy,
  nowMs: number,
): { known: TopHitter[]; foreign: Standing[] } {
  const known: TopHitter[] = [];
  const foreign: Standing[] = [];
  for (const counter of counters) {
    const rule = rules.find(({ name }) => name === counter.rule);
    if (rule) known.push({ name: nameOf(counter, rule.client), requests: 0, denied: 0, app: "" });
    else foreign.push(standingOf(counter, nowMs));
  }
  return { known, foreign };
}

function nameOf({ rule, client }: Counter, counts: Policy["rules"][number]["client"]): HitterName {
  if (counts === "ip" || counts === "customer") return { kind: counts, client };
  return { kind: "rule", rule, client };
}

function standingOf({ rule, client, periodSeconds, count }: Counter, nowMs: number): Standing {
  const periodMs = periodSeconds * 1_000;
  return {
    name: { kind: "rule", rule, client },
    ...{ requests: 0, denied: 0, app: "" },
    step: {
      ...{ rule, periodSeconds, algorithm: "fixed", isShadowed: false, overageWeight: 1 },
      limit: Number.POSITIVE_INFINITY,
    },
    reading: { used: count, resetMs: periodMs - (nowMs % periodMs), isOver: false },
    ratio: 0,
  };
}
