import { madeOnce } from "../../at.ts";
import { type Block, format, masked, maskOf } from "../../ip/block.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { Policy } from "../policy/schema.ts";

/** The meaning of one count in a bucket of the series, or in the totals. */
export type Field =
  | { readonly kind: "outcome"; readonly outcome: string }
  /** Requests that a rule denied, or would have denied if it were not in shadow. */
  | { readonly kind: "denied" | "shadow"; readonly rule: string }
  /** Checks of a limit that code names. */
  | { readonly kind: "checked"; readonly rule: string }
  /** Requests that an exempt rule matched, also in shadow. */
  | { readonly kind: "exempt"; readonly rule: string }
  /** What passed above a rule's limit, by its slack. */
  | { readonly kind: "over"; readonly rule: string }
  /** Requests that a rule counted, and those with which it was near its limit or denied. In the totals alone. */
  | { readonly kind: "hit" | "near"; readonly rule: string }
  /** Decisions that took so long: an index into `latencyEndsMs`. */
  | { readonly kind: "took"; readonly bucket: number }
  | { readonly kind: "tookMicros" | "unsure" | "unknownCustomer" | "unlisted" | "seconds" };

/** Names of counts in Redis. Nodes of every version read and write them. */
export const fields = {
  outcome: (outcome: string) => outcome,
  denied: (rule: string) => `denied ${rule}`,
  shadow: (rule: string) => `shadow ${rule}`,
  exempt: (rule: string) => `exempt ${rule}`,
  over: (rule: string) => `over ${rule}`,
  hit: (rule: string) => `hit ${rule}`,
  near: (rule: string) => `near ${rule}`,
  checked: (rule: string) => `checked ${rule}`,
  took: (bucket: number) => `took ${bucket}`,
  tookMicros: "took us",
  unsure: "unsure",
  /** Requests of signed-in customers that have neither a tier of the policy nor limits of their own. */
  unknownCustomer: "customer unknown",
  /** Blocked requests that no entry of the blocklist decided. */
  unlisted: "blocked unlisted",
  /** In a bucket alone: the number of its seconds in which a node of the app reported. lua/report.lua writes it, too. */
  seconds: "seconds",
} as const;

const plain: ReadonlyMap<string, Field> = new Map(
  (["tookMicros", "unsure", "unknownCustomer", "unlisted", "seconds"] as const).map((kind) => [
    fields[kind],
    { kind },
  ]),
);
const outcome = /^[a-z]+$/;

/** Undefined for a count that only another version knows. @param rules gives the rule, where an older node names one of its levels */
export function readField(text: string, rules: RuleNames): Field | undefined {
  const known = plain.get(text);
  if (known) return known;
  const at = text.indexOf(" ");
  if (at < 0) return outcome.test(text) ? { kind: "outcome", outcome: text } : undefined;
  const [kind, name] = [text.slice(0, at), text.slice(at + 1)];
  if (isOfRule(kind)) return { kind, rule: rules(name) };
  return kind === "took" && /^\d{1,2}$/.test(name) ? { kind, bucket: Number(name) } : undefined;
}

function isOfRule(kind: string): kind is Extract<Field, { rule: string }>["kind"] {
  return ["denied", "shadow", "exempt", "over", "checked", "hit", "near"].includes(kind);
}

/** A denial in shadow, by any rule. Faster than `readField`: a day's counts are filtered by it. */
export function isShadowField(text: string): boolean {
  return text.startsWith("shadow ");
}

/** A field in a hash of Redis that several apps share. lua/report.lua writes it. */
export function fieldOfApp(app: string, field: string): string {
  return `${app}\0${field}`;
}

/** The counts of a hash that several apps share, by app and field. */
export function countsByApp(hash: unknown): Map<string, Map<string, number>> {
  const apps = new Map<string, Map<string, number>>();
  for (const [text, value] of Object.entries(hash ?? {})) {
    const at = text.indexOf("\0");
    const count = Number(value);
    if (at < 0 || !Number.isFinite(count)) continue;
    madeOnce(apps, text.slice(0, at), () => new Map()).set(text.slice(at + 1), count);
  }
  return apps;
}

/** Gives a rule's own name for a name that a node has written. */
export type RuleNames = (name: string) => string;

/**
 * Nodes of earlier versions name a rule of several levels by the level: `login/60`. The name of a rule is kept, and so is one
 * that no rule of the policy explains.
 */
export function ruleNames({ rules, requestRules = [] }: Pick<Policy, "rules" | "requestRules">): RuleNames {
  const all = new Set([...rules, ...requestRules].map(({ name }) => name));
  const several = new Set(
    rules.filter(({ levels }) => levels === "tier" || levels.length > 1).map(({ name }) => name),
  );
  return (name) => {
    if (all.has(name)) return name;
    const [, rule = "", period = ""] = /^(.+)\/([\d.]+)$/.exec(name) ?? [];
    return several.has(rule) && Number(period) > 0 ? rule : name;
  };
}

/** What a rule counts: an address or network, a customer, or a value that one rule counts by. */
export type HitterName =
  | { readonly kind: "ip"; readonly client: string }
  | { readonly kind: "customer"; readonly client: string }
  | { readonly kind: "rule"; readonly rule: string; readonly client: string };

export type HitterKind = HitterName["kind"];

/** An address must never be taken for a customer. */
const prefixes = { ip: "ip ", customer: "customer ", rule: "rule " } as const;

/** A client's name in Redis. @param client of a rule: as `clientOfRule` writes it */
export function hitterText(kind: HitterKind, client: string): string {
  return prefixes[kind] + client;
}

/** A rule's name holds no space. */
export function clientOfRule(rule: string, client: string): string {
  return `${rule} ${client}`;
}

/** The address or customer that a name is of; undefined for a name of another kind. */
export function clientOf(kind: "ip" | "customer", text: string): string | undefined {
  return text.startsWith(prefixes[kind]) ? text.slice(prefixes[kind].length) : undefined;
}

/** Undefined for a name that only another version knows. @param rules as for `readField` */
export function readHitter(text: string, rules: RuleNames): HitterName | undefined {
  for (const kind of ["ip", "customer"] as const) {
    const client = clientOf(kind, text);
    if (client !== undefined) return { kind, client };
  }
  if (!text.startsWith(prefixes.rule)) return undefined;
  const { rule, client } = readClientOfRule(text.slice(prefixes.rule.length));
  return rule === "" ? undefined : { kind: "rule", rule: rules(rule), client };
}

/** What `clientOfRule` wrote. */
export function readClientOfRule(text: string): { readonly rule: string; readonly client: string } {
  const at = text.indexOf(" ");
  return { rule: text.slice(0, Math.max(0, at)), client: text.slice(at + 1) };
}

/** A scope among those that were counted, by the length of its buckets. */
export function countedScope(scope: string, seconds: 10 | 60): string {
  return seconds === 60 ? scope : `${scope} ${seconds}`;
}

/** A client that a rule in shadow would have denied, with the signed-in customer. An id holds no space. */
export function shadowedText(client: string, customerId: string | undefined): string {
  return `${customerId ?? ""} ${client}`;
}

/** What `shadowedText` wrote. */
export function readShadowed(text: string): {
  readonly client: string;
  readonly customerId: string | undefined;
} {
  const at = text.indexOf(" ");
  return { client: text.slice(at + 1), customerId: at > 0 ? text.slice(0, at) : undefined };
}

/** IPv6 addresses are counted by their network, as rules do by default. */
export const networkLength = 64;

/** The name by which statistics know an address: its own, or its network's. */
export function countedAs(block: Block): Ip | Cidr {
  return format(block.family === 6 && block.length > networkLength ? masked(block, networkLength) : block);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

/**
 * First and last name of the addresses of a block among those with known customers: names of one family sort as their
 * addresses do. IPv6 is named by its network.
 */
export function ownedNames(block: Block): readonly [first: string, last: string] {
  const { family, a, b, length } = block;
  const [lastA, lastB] = [a | ~maskOf(length, 0), b | ~maskOf(length, 1)];
  return family === 4
    ? [`4${hex(a)}`, `4${hex(lastA)}`]
    : [`6${hex(a)}${hex(b)}`, `6${hex(lastA)}${hex(lastB)}`];
}

/** The address or IPv6 network of such a name. Undefined for a name that only another version knows. */
export function readOwnedName(name: string): Ip | Cidr | undefined {
  const words = /^(?:4([\da-f]{8})|6([\da-f]{8})([\da-f]{8}))$/.exec(name);
  if (!words) return undefined;
  const word = (group: number) => Number.parseInt(words[group] ?? "0", 16) | 0;
  return words[1] === undefined
    ? format({ family: 6, a: word(2), b: word(3), c: 0, d: 0, length: networkLength })
    : format({ family: 4, a: word(1), b: 0, c: 0, d: 0, length: 32 });
}
