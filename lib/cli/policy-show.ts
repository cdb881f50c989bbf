import { DomainError } from "../errors.ts";
import { sayMode } from "../policy/mode-words.ts";
import { type Policy, policySchema, type Rule } from "../policy/schema.ts";
import type { StoredPolicy } from "../policy/stored.ts";
import { isGood, type PolicyInForce, readPolicy, readVersion } from "../policy/versions.ts";
import { sayEdge, sayLevels, sayRule } from "../policy/words.ts";
import type { Connection } from "../redis/connect.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { readVersionNumber } from "./operands.ts";
import { printable } from "./printable.ts";

export const policyShow: Command = {
  name: "policy show",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the policy: its mode, its rules in order, its tiers",
  about: [
    "Of each rule it tells what it counts and whatever is out of the ordinary. What --json writes, policy set reads",
    "again. Version 0 is the policy of a fresh install.",
  ],
  options: ["version"],
  examples: [
    "sluice policy show",
    "sluice policy show --version 3",
    "sluice policy show --json > policy.json",
  ],
  async run({ options, reading }) {
    const wanted = options.text("version");
    const number = wanted === undefined ? undefined : readVersionNumber(wanted, "version", "--version");
    const { redis } = await reading();
    const found: PolicyInForce = await (number === undefined ? readPolicy(redis) : readKept(redis, number));
    const { problem } = found;
    const complaint = `${problem}. Shown is version ${found.version}, the newest that can be.`;
    return {
      lines: [sayVersion(found), ...sayPolicy(found.policy)],
      complaints: problem === undefined ? [] : [complaint],
      json: found,
    };
  },
};

/** A version that is kept and can be read. */
export async function readKept(redis: Connection, version: number): Promise<StoredPolicy> {
  const found = await readVersion(redis, version);
  if (found === undefined)
    throw new DomainError(
      "not-found",
      `There is no version ${version}: sluice policy versions tells them all.`,
    );
  if (isGood(found)) return found;
  throw new DomainError("bad-input", `Version ${version} cannot be read: ${found.problem}.`);
}

/** "Version 3, saved by ada@example.org at 2026-05-09T10:00:00.000Z (attack)." */
export function sayVersion({ version, by, at, reason }: StoredPolicy): string {
  const saved = by === undefined ? "" : `, saved by ${by}${at === undefined ? "" : ` at ${at}`}`;
  return `Version ${version}${saved}${reason === "" ? "" : ` (${reason})`}.`;
}

function sayPolicy({ mode, rules, tiers, edge }: Policy): string[] {
  const ofTiers = Object.entries(tiers).map(([name, tier]) => [name, sayLevels(tier.levels)]);
  return [
    sayMode(mode),
    ...rules.flatMap((rule, i) => ["", `Rule ${i + 1}, ${rule.name}`, ...sayFacets(rule)]),
    ...(rules.length === 0 ? ["", "There is no rule."] : []),
    ...(ofTiers.length > 0 ? ["", "Tiers", ...columns(ofTiers, "  ")] : ["", "There is no tier."]),
    ...["", "Edge", ...columns(Object.entries(sayEdge(edge)), "  ")],
  ];
}

const always = ["counted by", "limits", "counted in", "matches", "mode"];

/** What a rule says that leaves out all it can. */
const [ordinary = {}] = policySchema
  .parse({
    mode: "enforce",
    rules: [{ name: "ordinary", client: "ip", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 1 }] }],
    tiers: {},
  })
  .rules.map(sayRule);

function sayFacets(rule: Rule): string[] {
  const said = Object.entries(sayRule(rule));
  const worthTelling = said.filter(([what, words]) => always.includes(what) || ordinary[what] !== words);
  return columns(
    worthTelling.map(([what, words]) => [what, printable(words)]),
    "  ",
  );
}
