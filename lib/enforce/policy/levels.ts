import { z } from "zod";
import { models } from "../algorithms/algorithms.ts";
import type { Step } from "../limits/plan.ts";
import { counted, decimal, largestLimit, longestPeriodSeconds, mostLevels, whole } from "./bounds.ts";
import { problemsOf, refusal } from "./problems.ts";
import type { Rule } from "./schema.ts";

const level = z.strictObject(
  { limit: whole(1, largestLimit), periodSeconds: whole(1, longestPeriodSeconds) },
  { error: "write a level: { limit, periodSeconds }" },
);

/** A limit, and the period it is for. */
export type Level = Readonly<z.output<typeof level>>;

export const levelsSchema = z
  .array(level, { error: "write a list of levels: { limit, periodSeconds }" })
  .min(1, { error: "write at least one level" })
  .max(mostLevels, { error: `at most ${mostLevels} levels fit here` })
  .superRefine((levels, context) => {
    for (const [i, { periodSeconds }] of levels.entries()) {
      const other = levels.slice(0, i).find((earlier) => isTooNear(earlier.periodSeconds, periodSeconds));
      if (!other) continue;
      const isSame = other.periodSeconds === periodSeconds;
      const why = isSame
        ? " already"
        : `, and windows of ${counted(periodSeconds)} s could share its counter`;
      const message = `there is a level of ${counted(other.periodSeconds)} s${why}: keep one of the two`;
      context.addIssue({ code: "custom", path: [i, "periodSeconds"], message });
    }
  });

/** Seconds since the epoch that are past. */
const past = 1.7e9;

/** A fixed window's key has the window's number and not its period: two of almost one length have the same for a while. */
export function isTooNear(one: number, other: number): boolean {
  return (past * Math.abs(one - other)) / (one * other) < 1;
}

const rateLevel = z.strictObject(
  {
    limitPerSecond: decimal(1e-6, 1e9),
    halfLifeSeconds: decimal(1, longestPeriodSeconds),
    overageWeight: decimal(0, 1).default(1),
  },
  { error: "write a level: { limitPerSecond, halfLifeSeconds, overageWeight }" },
);

/** A rate, and how fast EARRRL forgets. */
export type RateLevel = Readonly<z.output<typeof rateLevel>>;

export const rateLevelsSchema = z
  .array(rateLevel, { error: "write a list of levels: { limitPerSecond, halfLifeSeconds, overageWeight }" })
  .min(1, { error: "write at least one level" })
  .max(mostLevels, { error: `at most ${mostLevels} levels fit here` })
  .superRefine((levels, context) => {
    for (const [i, { halfLifeSeconds }] of levels.entries()) {
      if (levels.findIndex((other) => other.halfLifeSeconds === halfLifeSeconds) === i) continue;
      const message = `there is a level with a half-life of ${halfLifeSeconds} s already: keep one of the two`;
      context.addIssue({ code: "custom", path: [i, "halfLifeSeconds"], message });
    }
  });

const wish = z.object({ levels: levelsSchema });

/** Levels as a person gave them, or a refusal that names each field. */
export function requireLevels(levels: unknown): Level[] {
  const parsed = wish.safeParse({ levels });
  if (parsed.success) return parsed.data.levels;
  throw refusal("The levels were not saved", problemsOf(parsed.error, "levels"));
}

/** A level of a rule as it is weighed. */
export function stepOf(rule: Rule, level: Level | RateLevel, isShadowed: boolean): Step {
  const { name, algorithm, slack } = rule;
  const step = { rule: name, algorithm, isShadowed, ...(slack && !isExact(rule) && { slack }) };
  if ("limit" in level)
    return { ...step, limit: level.limit, periodSeconds: level.periodSeconds, overageWeight: 1 };
  const { limitPerSecond, halfLifeSeconds, overageWeight } = level;
  return { ...step, limit: limitPerSecond, periodSeconds: halfLifeSeconds, overageWeight };
}

/** Whether slack does not fit the rule. A ban must not block a client whose requests the limit lets pass. */
function isExact({ algorithm, ban, onStoreError }: Rule): boolean {
  return models[algorithm].keepsHits || ban !== undefined || onStoreError === "closed";
}
