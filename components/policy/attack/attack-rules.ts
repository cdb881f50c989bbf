import { isFields, itemsOf } from "../draft/document.ts";
import { attackRulesOf, type FormPolicy, type FormRule } from "../draft/draft.ts";
import { ruleIn } from "../rules/rule-words.ts";
import { addedLevel, freeName, withRules } from "../rules/rules.ts";

/** A rule at its place in its list of the draft. */
export interface Placed {
  readonly rule: FormRule;
  readonly place: number;
}

/** A rule beside the attack rule that counts the same more strictly. One of both may be missing. */
export interface AttackRow {
  readonly ordinary?: Placed;
  readonly attack?: Placed;
}

/** All rules in their order, then those that only attack mode has. */
export function attackRows(policy: FormPolicy): AttackRow[] {
  const attack = attackRulesOf(policy).map((rule, place) => ({ rule, place }));
  const left = new Set(attack);
  const take = (isMeant: (rule: FormRule) => boolean) => {
    const found = attack.find((one) => left.has(one) && isMeant(one.rule));
    if (found) left.delete(found);
    return found;
  };
  const byName = policy.rules.map(({ name }) =>
    typeof name === "string" ? take((rule) => rule.name === attackName(name)) : undefined,
  );
  const rows = policy.rules.map((rule, place) => {
    const counted = countedBy(policy, rule);
    const beside = byName[place] ?? take((other) => counted !== "" && countedBy(policy, other) === counted);
    return { ordinary: { rule, place }, ...(beside && { attack: beside }) };
  });
  return [...rows, ...attack.filter((one) => left.has(one)).map((one) => ({ attack: one }))];
}

const attackName = (name: string) => `attack/${name}`;

/** The requests that a rule counts and by what, as a text, also while its limits have problems. "" for a rule with other problems. */
function countedBy(policy: FormPolicy, rule: FormRule): string {
  const level = rule.algorithm === "earrrl" ? { limitPerSecond: 1, halfLifeSeconds: 60 } : oneLevel;
  const found = ruleIn(policy, { ...rule, levels: [level] });
  if (!found) return "";
  const { match, client, ipv6Prefix, cost, requireBasic, countWhen, algorithm } = found;
  const kind = algorithm === "earrrl" || algorithm === "concurrent" ? algorithm : "window";
  return JSON.stringify([match, client, ipv6Prefix, cost, requireBasic, countWhen, kind]);
}

const oneLevel = { limit: 1, periodSeconds: 60 };

/** The policy with its own attack rules, which are those of a fresh install before any of them was changed. */
export function withOwnAttack(policy: FormPolicy): FormPolicy {
  return withRules(policy, "attack", attackRulesOf(policy));
}

/** The policy without attack rules of its own: those of a fresh install are added again. */
export function withFreshAttack(policy: FormPolicy): FormPolicy {
  const { attack: _, ...others } = policy;
  return { ...others, rules: policy.rules, tiers: policy.tiers };
}

/** The rule with a share of its limits in attack mode. */
export function tightened(policy: FormPolicy, { ordinary, attack }: AttackRow, share: number): FormPolicy {
  if (!ordinary) return policy;
  const rules = attackRulesOf(policy);
  const levels = scaledLevels(policy, ordinary.rule, share);
  if (attack) {
    const { algorithm } = ordinary.rule;
    return withRules(policy, "attack", rules.with(attack.place, { ...attack.rule, algorithm, levels }));
  }
  const wish = attackName(typeof ordinary.rule.name === "string" ? ordinary.rule.name : "rule");
  const copy = { ...ordinary.rule, name: freeName(policy, wish), mode: "enforce", levels };
  return withRules(policy, "attack", [...rules, copy]);
}

/** The same for all rules in force that have limits of their own. Customers keep the limits of their tiers. */
export function allTightened(policy: FormPolicy, share: number): FormPolicy {
  return attackRows(policy)
    .filter(({ ordinary }) => ordinary && isInForce(ordinary.rule) && ordinary.rule.levels !== "tier")
    .reduce((changed, row) => tightened(changed, row, share), policy);
}

const isInForce = ({ mode = "enforce" }: FormRule) => mode === "enforce";

/** Default of a rule that only attack mode has. */
export function newAttackRule(policy: FormPolicy): FormRule {
  return {
    name: freeName(policy, "attack/new-rule"),
    match: { only: ["/login"] },
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 5, periodSeconds: 60 }],
  };
}

type Level = Readonly<Record<string, unknown>>;

/** Of a rule with the limits of tiers, a share of the largest limit of each period. */
function scaledLevels(policy: FormPolicy, rule: FormRule, share: number): Level[] {
  const levels = rule.levels === "tier" ? largestOfTiers(policy) : itemsOf(rule.levels).filter(isFields);
  return levels.map((level) => scaled(level, share));
}

function scaled(level: Level, share: number): Level {
  const { limit, limitPerSecond } = level;
  if (typeof limit === "number") return { ...level, limit: limit === 0 ? 0 : floorOf(limit * share) };
  if (typeof limitPerSecond === "number")
    return { ...level, limitPerSecond: Number((limitPerSecond * share).toPrecision(3)) };
  return level;
}

/** A share of 1 is 1: 0 would deny every request. */
const floorOf = (limit: number) => Math.max(1, Math.floor(limit));

function largestOfTiers({ tiers }: FormPolicy): Level[] {
  const largest = new Map<unknown, Level>();
  for (const level of Object.values(tiers).flatMap((tier) => itemsOf(tier.levels).filter(isFields))) {
    const known = largest.get(level.periodSeconds)?.limit;
    if (level.period !== undefined || typeof level.limit !== "number") continue;
    if (typeof known !== "number" || known < level.limit) largest.set(level.periodSeconds, level);
  }
  return largest.size > 0 ? [...largest.values()] : [{ ...addedLevel([], false) }];
}

/** A level in attack mode as a share of the ordinary one of the same period. Undefined where there is none to compare with. */
export function shareOf(level: unknown, ordinary: FormRule | undefined): number | undefined {
  if (!isFields(level)) return undefined;
  const same = itemsOf(ordinary?.levels)
    .filter(isFields)
    .find((one) => periodKey(one) === periodKey(level));
  const [strict, usual] = [amountOf(level), same && amountOf(same)];
  return strict === undefined || !usual ? undefined : strict / usual;
}

function amountOf({ limit, limitPerSecond }: Level): number | undefined {
  const amount = limit ?? limitPerSecond;
  return typeof amount === "number" ? amount : undefined;
}

function periodKey({ periodSeconds, halfLifeSeconds, period, timeZone }: Level): string {
  return JSON.stringify([periodSeconds, halfLifeSeconds, period, timeZone]);
}
