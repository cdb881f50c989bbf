import type { EdgePolicy } from "../../enforce/policy/edge-rules.ts";
import type { Policy, Rule } from "../../enforce/policy/schema.ts";
import { sayEdge, sayLevels, sayRule } from "../../enforce/policy/words.ts";

/** The differences of two policies, a sentence each. Empty when they are equal. */
export function diffPolicies(before: Policy, after: Policy): string[] {
  const mode = before.mode === after.mode ? [] : [`The mode goes from ${before.mode} to ${after.mode}.`];
  return [
    ...mode,
    ...diffRules(before.rules, after.rules),
    ...diffTiers(before.tiers, after.tiers),
    ...diffDefaultTier(before.defaultTier, after.defaultTier),
    ...diffEdge(before.edge, after.edge),
    ...diffMessages(before.messages, after.messages),
  ];
}

function diffRules(before: readonly Rule[], after: readonly Rule[]): string[] {
  const named = (rules: readonly Rule[], name: string) => rules.find((rule) => rule.name === name);
  const removed = before.filter(({ name }) => !named(after, name));
  const changed = after.flatMap((rule) => {
    const was = named(before, rule.name);
    return was ? diffRule(was, rule) : [sayNew(rule)];
  });
  return [...removed.map(({ name }) => `Rule ${name} is removed.`), ...changed, ...diffOrder(before, after)];
}

function sayNew(rule: Rule): string {
  const said = sayRule(rule);
  const mode = rule.mode === "enforce" ? "" : `, mode ${rule.mode}`;
  return `Rule ${rule.name} is new: ${said.limits}, counted by ${said["counted by"]} in ${said["counted in"]}${mode}. It matches ${said.matches}.`;
}

function diffRule(before: Rule, after: Rule): string[] {
  const was = sayRule(before);
  return Object.entries(sayRule(after)).flatMap(([what, now]) =>
    was[what] === now ? [] : [`Rule ${after.name}, ${what}: ${was[what]} → ${now}.`],
  );
}

/** The first rule in order that denies gives the answer, so their order matters, too. */
function diffOrder(before: readonly Rule[], after: readonly Rule[]): string[] {
  const names = (rules: readonly Rule[], others: readonly Rule[]) =>
    rules.map(({ name }) => name).filter((name) => others.some((other) => other.name === name));
  const [was, now] = [names(before, after).join(", "), names(after, before).join(", ")];
  return was === now ? [] : [`The rules' order goes from ${was} to ${now}.`];
}

function diffTiers(before: Policy["tiers"], after: Policy["tiers"]): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [was, now] = [sayTier(before, name), sayTier(after, name)];
    if (was === now) return [];
    if (was === undefined) return [`Tier ${name} is new: ${now}.`];
    return [now === undefined ? `Tier ${name} is removed.` : `Tier ${name}: ${was} → ${now}.`];
  });
}

function diffDefaultTier(before = "none", after = "none"): string[] {
  return before === after ? [] : [`The default tier: ${before} → ${after}.`];
}

function sayTier(tiers: Policy["tiers"], name: string): string | undefined {
  const tier = Object.hasOwn(tiers, name) ? tiers[name] : undefined;
  return tier && sayLevels(tier.levels);
}

function diffMessages({ suspended: before }: Messages = {}, { suspended: after }: Messages = {}): string[] {
  const say = (message: string | undefined) => (message === undefined ? "none" : `"${message}"`);
  return before === after ? [] : [`The message to suspended customers: ${say(before)} → ${say(after)}.`];
}

type Messages = NonNullable<Policy["messages"]>;

function diffEdge(before: EdgePolicy, after: EdgePolicy): string[] {
  const was = sayEdge(before);
  return Object.entries(sayEdge(after)).flatMap(([what, now]) =>
    was[what] === now ? [] : [`Edge, ${what}: ${was[what]} → ${now}.`],
  );
}
