import type { EdgePolicy } from "../../enforce/policy/edge-rules.ts";
import type { RequestRule } from "../../enforce/policy/request-rules.ts";
import type { Policy, Rule } from "../../enforce/policy/schema.ts";
import { attackSet } from "../../enforce/policy/timed.ts";
import { sayEdge, sayLevels, sayRequestRule, sayRule } from "../../enforce/policy/words.ts";

/** The differences of two policies, a sentence each. Empty when they are equal. */
export function diffPolicies(before: Policy, after: Policy): string[] {
  const mode = before.mode === after.mode ? [] : [`The mode goes from ${before.mode} to ${after.mode}.`];
  return [
    ...mode,
    ...diffRules(before.rules, after.rules, limitWords),
    ...diffRules(before.requestRules ?? [], after.requestRules ?? [], requestWords),
    ...diffRules(attackSet(before.attack), attackSet(after.attack), attackWords),
    ...diffTiers(before.tiers, after.tiers),
    ...diffDefaultTier(before.defaultTier, after.defaultTier),
    ...diffEdge(before.edge, after.edge),
    ...diffMessages(before.messages, after.messages),
  ];
}

/** How rules of a kind are put into words. */
interface RuleWords<R> {
  /** "Rule", "Deny rule" */
  readonly kind: (rule: R) => string;
  readonly order: string;
  readonly say: (rule: R) => Record<string, string>;
  readonly sayNew: (said: Record<string, string>) => string;
}

const limitWords: RuleWords<Rule> = {
  kind: () => "Rule",
  order: "The rules' order",
  say: (rule) => sayRule(rule),
  sayNew: (said) => `${said.limits}, counted by ${said["counted by"]} in ${said["counted in"]}`,
};

const attackWords: RuleWords<Rule> = {
  ...limitWords,
  kind: () => "Attack rule",
  order: "The order of attack rules",
};

const requestWords: RuleWords<RequestRule> = {
  kind: ({ action }) => (action === "deny" ? "Deny rule" : "Exempt rule"),
  order: "The order of deny and exempt rules",
  say: sayRequestRule,
  sayNew: ({ action = "" }) => action,
};

interface NamedRule {
  readonly name: string;
  readonly mode: Policy["mode"];
}

function diffRules<R extends NamedRule>(
  before: readonly R[],
  after: readonly R[],
  words: RuleWords<R>,
): string[] {
  const named = (rules: readonly R[], name: string) => rules.find((rule) => rule.name === name);
  const removed = before.filter(({ name }) => !named(after, name));
  const changed = after.flatMap((rule) => {
    const was = named(before, rule.name);
    return was ? diffRule(was, rule, words) : [sayNew(rule, words)];
  });
  return [
    ...removed.map((rule) => `${words.kind(rule)} ${rule.name} is removed.`),
    ...changed,
    ...diffOrder(before, after, words.order),
  ];
}

function sayNew<R extends NamedRule>(rule: R, words: RuleWords<R>): string {
  const said = words.say(rule);
  const mode = rule.mode === "enforce" ? "" : `, mode ${rule.mode}`;
  return `${words.kind(rule)} ${rule.name} is new: ${words.sayNew(said)}${mode}. It matches ${said.matches}.`;
}

function diffRule<R extends NamedRule>(before: R, after: R, { kind, say }: RuleWords<R>): string[] {
  const was = say(before);
  return Object.entries(say(after)).flatMap(([what, now]) =>
    was[what] === now ? [] : [`${kind(after)} ${after.name}, ${what}: ${was[what]} → ${now}.`],
  );
}

/** The first rule in order that decides gives the answer, so their order matters, too. */
function diffOrder(before: readonly NamedRule[], after: readonly NamedRule[], order: string): string[] {
  const names = (rules: readonly NamedRule[], others: readonly NamedRule[]) =>
    rules.map(({ name }) => name).filter((name) => others.some((other) => other.name === name));
  const [was, now] = [names(before, after).join(", "), names(after, before).join(", ")];
  return was === now ? [] : [`${order} goes from ${was} to ${now}.`];
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
