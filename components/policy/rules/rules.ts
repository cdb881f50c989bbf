import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { isFields, itemsOf, type Path } from "../draft/document.ts";
import { attackRulesOf, type FormPolicy, type FormRule } from "../draft/draft.ts";

/** Fields of a policy with rules: those that count, request rules, which deny or exempt, and what attack mode adds. */
export type RuleKind = "rules" | "requestRules" | "attack";

/** Place of a rule in a policy. */
export interface RulePlace {
  readonly kind: RuleKind;
  readonly place: number;
}

export function rulesOf(policy: FormPolicy, kind: RuleKind): readonly FormRule[] {
  return kind === "attack" ? attackRulesOf(policy) : (policy[kind] ?? []);
}

export function pathOf({ kind, place }: RulePlace): Path {
  return kind === "attack" ? [kind, "rules", place] : [kind, place];
}

/** The policy with these rules. Without request rules, it has no list of them. */
export function withRules(policy: FormPolicy, kind: RuleKind, rules: readonly FormRule[]): FormPolicy {
  if (kind === "attack") return { ...policy, attack: { rules } };
  if (kind === "rules" || rules.length > 0) return { ...policy, [kind]: rules };
  const { requestRules: _, ...others } = policy;
  return others;
}

export function moved(policy: FormPolicy, { kind, place }: RulePlace, by: -1 | 1): FormPolicy {
  const rules = rulesOf(policy, kind);
  const [rule, other] = [rules[place], rules[place + by]];
  if (!rule || !other) return policy;
  return withRules(policy, kind, rules.with(place, other).with(place + by, rule));
}

export function removed(policy: FormPolicy, { kind, place }: RulePlace): FormPolicy {
  return withRules(policy, kind, rulesOf(policy, kind).toSpliced(place, 1));
}

export function inserted(policy: FormPolicy, { kind, place }: RulePlace, rule: FormRule): FormPolicy {
  return withRules(policy, kind, rulesOf(policy, kind).toSpliced(place, 0, rule));
}

/** Adds a copy after the rule, with a new name and in shadow, because a second enforced copy would have no effect. */
export function duplicated(policy: FormPolicy, { kind, place }: RulePlace): FormPolicy {
  const rule = rulesOf(policy, kind)[place];
  if (!rule) return policy;
  const name = freeName(policy, `${textOr(rule.name, "rule")}-copy`);
  return inserted(policy, { kind, place: place + 1 }, { ...rule, name, mode: "shadow" });
}

/** Default of a new rule. It denies no client. */
export function newRule(policy: FormPolicy): FormRule {
  return {
    name: freeName(policy, "new-rule"),
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 300, periodSeconds: 300 }],
    mode: "shadow",
  };
}

const longest = 64;

/** First of `name`, `name-2`, `name-3` that no rule has. */
export function freeName(policy: FormPolicy, wish: string): string {
  const { rules, requestRules = [] } = policy;
  const taken = new Set([...rules, ...requestRules, ...attackRulesOf(policy)].map(({ name }) => name));
  for (let i = 1; ; i++) {
    const end = i === 1 ? "" : `-${i}`;
    const name = `${wish.slice(0, longest - end.length)}${end}`;
    if (!taken.has(name)) return name;
  }
}

/** The rule in a link from the Lab, in shadow. Undefined if the text is not a rule. */
export function ruleFromLink(policy: FormPolicy, draft: string): FormRule | undefined {
  const given = parsed(draft);
  if (!isFields(given)) return undefined;
  const { name, client, algorithm, levels } = given;
  return { name: freeName(policy, textOr(name, "lab")), client, algorithm, levels, mode: "shadow" };
}

function parsed(draft: string): unknown {
  try {
    return JSON.parse(atob(draft.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

const periods = [300, 3_600, 86_400, 60, 604_800, 10, 1_800, 43_200];

/** A new level with an unused period. */
export function addedLevel(levels: readonly unknown[], isRate: boolean): object {
  const field = isRate ? "halfLifeSeconds" : "periodSeconds";
  const taken = new Set(levels.map((level) => isFields(level) && level[field]));
  const seconds = periods.find((period) => !taken.has(period)) ?? 60;
  return isRate ? { limitPerSecond: 10, halfLifeSeconds: seconds } : { limit: 300, periodSeconds: seconds };
}

/** A new day or month of the calendar, of which levels have one each. */
export function addedCalendarLevel(levels: readonly unknown[]): object {
  const hasMonth = levels.some((level) => isFields(level) && level.period === "month");
  return { limit: 10_000, period: hasMonth ? "day" : "month", timeZone: "UTC" };
}

/** The levels for another algorithm. A limit per period becomes a rate, and back; how many at once is another number. */
export function convertedLevels(levels: unknown, algorithm: string): unknown {
  if (algorithm === "concurrent") return [{ limit: 5, periodSeconds: 60 }];
  const hasRate = isRate(algorithm);
  if (levels === "tier") return hasRate ? [addedLevel([], true)] : levels;
  return itemsOf(levels).map((level) => (isFields(level) ? converted(level, hasRate) : level));
}

function converted(level: Readonly<Record<string, unknown>>, isRate: boolean): unknown {
  const { limit, periodSeconds, limitPerSecond, halfLifeSeconds } = level;
  if (isRate && typeof limit === "number" && typeof periodSeconds === "number" && periodSeconds > 0)
    return { limitPerSecond: Number((limit / periodSeconds).toPrecision(3)), halfLifeSeconds: periodSeconds };
  if (!isRate && typeof limitPerSecond === "number" && typeof halfLifeSeconds === "number") {
    const seconds = Math.max(1, Math.round(halfLifeSeconds));
    return { limit: Math.max(1, Math.round(limitPerSecond * seconds)), periodSeconds: seconds };
  }
  return level;
}
