import type { Draft, FormPolicy, FormRule } from "./draft.ts";

export interface Rebased {
  readonly draft: Draft;
  /** Names of rules, tiers and fields that both changed. The draft's values are kept. */
  readonly both: readonly string[];
}

type Parts = ReadonlyMap<string, unknown>;

/** Applies the changes of a draft to a newer published version, by rule, tier and whole field. */
export function rebase({ base, policy }: Draft, version: number, theirs: FormPolicy): Rebased {
  const three = <T>(of: (policy: FormPolicy) => T) => [of(base), of(policy), of(theirs)] as const;
  const rules = merge(...three(rulesOf));
  const tiers = merge(...three(tiersOf));
  const rest = merge(...three(restOf));
  const order = orderOf(...three((policy) => keysOf(policy.rules)));
  const merged: FormPolicy = {
    ...Object.fromEntries(rest.parts),
    rules: order.flatMap((name) => asRule(rules.parts.get(name))),
    tiers: Object.fromEntries(
      [...tiers.parts].flatMap(([name, tier]) => asRule(tier).map((one) => [name, one])),
    ),
  };
  const both = [
    ...rest.both,
    ...rules.both.map((name) => `rule ${name}`),
    ...tiers.both.map((name) => `tier ${name}`),
  ];
  return { draft: { basedOn: version, base: theirs, policy: merged, text: null }, both };
}

/** My value where I changed it, otherwise theirs. */
function merge(base: Parts, mine: Parts, theirs: Parts) {
  const parts = new Map<string, unknown>();
  const both: string[] = [];
  for (const name of new Set([...theirs.keys(), ...mine.keys()])) {
    const [was, my, their] = [base.get(name), mine.get(name), theirs.get(name)];
    const isMine = !isSame(my, was);
    if (isMine && !isSame(their, was) && !isSame(my, their)) both.push(name);
    const next = isMine ? my : their;
    if (next !== undefined) parts.set(name, next);
  }
  return { parts, both };
}

/** My order if I changed it, with their additions at the end. Otherwise theirs, with my additions where I put them. */
function orderOf(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const known = base.filter((name) => mine.includes(name));
  const isReordered = !isSame(
    known,
    mine.filter((name) => base.includes(name)),
  );
  const [first, second] = isReordered ? [mine, theirs] : [theirs, mine];
  const order = [...first];
  for (const [i, name] of second.entries()) {
    if (order.includes(name)) continue;
    const before = second.slice(0, i).findLast((other) => order.includes(other));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  }
  return order;
}

function rulesOf(policy: FormPolicy): Parts {
  const keys = keysOf(policy.rules);
  return new Map(policy.rules.map((rule, i) => [keys[i] ?? "", rule]));
}

function tiersOf({ tiers }: FormPolicy): Parts {
  return new Map(Object.entries(tiers));
}

function restOf(policy: FormPolicy): Parts {
  return new Map(Object.entries(policy).filter(([field]) => field !== "rules" && field !== "tiers"));
}

/** Keys by name. Two rules of one name are a problem of the policy, so both are kept. */
export function keysOf(rules: readonly FormRule[]): string[] {
  const names = rules.map(({ name }) => (typeof name === "string" ? name : "without a name"));
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

function asRule(value: unknown): FormRule[] {
  return typeof value === "object" && value !== null ? [{ ...value }] : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
