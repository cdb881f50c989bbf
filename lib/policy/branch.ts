import type { Plan, Step } from "../limits/plan.ts";
import type { Level, RateLevel } from "./levels.ts";
import type { Rule } from "./schema.ts";

export type Levels = readonly (Level | RateLevel)[];

/**
 * The plan of some rules in order, and the way to the plan of one more. Requests that take the same way share a plan,
 * so that they are weighed together.
 */
export class Branch {
  readonly plan: Plan;
  /** The rule of each step. */
  readonly rules: readonly Rule[];
  /** By the rule's place in the policy, then by its levels. */
  readonly #next: (Map<Levels, Branch> | undefined)[] = [];

  constructor(steps: readonly Step[], rules: readonly Rule[]) {
    this.plan = { steps };
    this.rules = rules;
  }

  to(place: number, levels: Levels): Branch | undefined {
    return this.#next[place]?.get(levels);
  }

  grow(place: number, rule: Rule, levels: Levels, isShadowed: boolean): Branch {
    const steps = levels.map((level) => stepOf(rule, level, isShadowed));
    const rules = levels.map(() => rule);
    const branch = new Branch([...this.plan.steps, ...steps], [...this.rules, ...rules]);
    const next = this.#next[place] ?? new Map<Levels, Branch>();
    this.#next[place] = next.set(levels, branch);
    return branch;
  }
}

export function stepOf({ name, algorithm }: Rule, level: Level | RateLevel, isShadowed: boolean): Step {
  const step = { rule: name, algorithm, isShadowed };
  if ("limit" in level)
    return { ...step, limit: level.limit, periodSeconds: level.periodSeconds, overageWeight: 1 };
  const { limitPerSecond, halfLifeSeconds, overageWeight } = level;
  return { ...step, limit: limitPerSecond, periodSeconds: halfLifeSeconds, overageWeight };
}
