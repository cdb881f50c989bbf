import { at } from "../../at.ts";
import { type Policy, policySchema, type Rule } from "../../enforce/policy/schema.ts";
import type { StoredPolicy } from "../../enforce/policy/stored.ts";
import { isGood, type PolicyInForce } from "../../enforce/policy/versions.ts";
import { sayEdge, sayLevels, sayRequestRule, sayRule } from "../../enforce/policy/words.ts";
import { DomainError } from "../../errors.ts";
import { sayMode } from "../../observe/policy/mode.ts";
import type { ReadAccess } from "../access/access.ts";
import type { Command } from "../command.ts";
import { readVersionNumber } from "../operands.ts";
import { columns, printable } from "../terminal.ts";

export const policyShow: Command = {
  name: "policy show",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the policy: its mode, rules and tiers",
  about: [
    "Shows what each request rule denies or exempts, what each rule counts, and settings that differ from the defaults. The slack of",
    "a rule is for the nodes that run now. policy set reads the output of --json.",
    "Version 0 is the policy of a fresh install.",
  ],
  options: ["version"],
  examples: [
    "sluice policy show",
    "sluice policy show --version 3",
    "sluice policy show --json > policy.json",
  ],
  async run({ options, readAccess }) {
    const wanted = options.text("version");
    const number = wanted === undefined ? undefined : readVersionNumber(wanted, "version", "--version");
    const access = await readAccess();
    const policy = number === undefined ? access.readPolicy() : readKept(access, number);
    const [found, nodes]: [PolicyInForce, number] = await Promise.all([policy, access.countNodes()]);
    const { problem } = found;
    const complaint = `${problem}. Version ${found.version} is shown, the newest that can be read.`;
    return {
      lines: [sayVersion(found), ...sayPolicy(found.policy, nodes)],
      complaints: problem === undefined ? [] : [complaint],
      json: found,
    };
  },
};

/** A stored version. Throws if it is absent or cannot be read. */
export async function readKept(
  { readVersion }: Pick<ReadAccess, "readVersion">,
  version: number,
): Promise<StoredPolicy> {
  const found = await readVersion(version);
  if (found === undefined)
    throw new DomainError(
      "not-found",
      `There is no version ${version}. To list the versions, run sluice policy versions.`,
    );
  if (isGood(found)) return found;
  throw new DomainError("bad-input", `Version ${version} cannot be read: ${found.problem}.`);
}

/** "Version 3, saved by ada@example.org at 2026-05-09T10:00:00.000Z (attack)." */
export function sayVersion({ version, by, at, reason }: StoredPolicy): string {
  const saved = by === undefined ? "" : `, saved by ${by}${at === undefined ? "" : ` at ${at}`}`;
  return `Version ${version}${saved}${reason === "" ? "" : ` (${reason})`}.`;
}

function sayPolicy(
  { mode, rules, requestRules = [], tiers, defaultTier, edge }: Policy,
  nodes: number,
): string[] {
  const ofTiers = Object.entries(tiers).map(([name, tier]) => [name, sayLevels(tier.levels)]);
  const defaultWords =
    defaultTier ?? "none: limits for anonymous clients count a customer without a tier by its ID";
  return [
    sayMode(mode),
    ...requestRules.flatMap((rule, i) => [
      "",
      `Request rule ${i + 1}, ${rule.name}`,
      ...columns(
        Object.entries(sayRequestRule(rule)).map(([what, words]) => [what, printable(words)]),
        "  ",
      ),
    ]),
    ...rules.flatMap((rule, i) => ["", `Rule ${i + 1}, ${rule.name}`, ...sayFacets(rule, nodes)]),
    ...(rules.length === 0 ? ["", "No rules."] : []),
    ...(ofTiers.length > 0 ? ["", "Tiers", ...columns(ofTiers, "  ")] : ["", "No tiers."]),
    `Default tier: ${defaultWords}.`,
    ...["", "Edge", ...columns(Object.entries(sayEdge(edge)), "  ")],
  ];
}

const always = ["counted by", "limits", "counted in", "matches", "mode"];

/** Words of a rule with every setting at its default. */
const { rules } = policySchema.parse({
  mode: "enforce",
  rules: [{ name: "defaults", client: "ip", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 1 }] }],
  tiers: {},
});
const defaults = sayRule(at(rules, 0));

function sayFacets(rule: Rule, nodes: number): string[] {
  const said = Object.entries(sayRule(rule, nodes));
  const shown = said.filter(([what, words]) => always.includes(what) || defaults[what] !== words);
  return columns(
    shown.map(([what, words]) => [what, printable(words)]),
    "  ",
  );
}
