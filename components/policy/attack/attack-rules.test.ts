import { expect, it } from "vitest";
import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { begin, type FormPolicy, isFormPolicy, standingOf, withPolicy } from "../draft/draft.ts";
import { inserted, removed } from "../rules/rules.ts";
import {
  allTightened,
  attackRows,
  newAttackRule,
  shareOf,
  tightened,
  withFreshAttack,
  withOwnAttack,
} from "./attack-rules.ts";

const fresh = defaultPolicy as FormPolicy;
const rowsOf = (policy: FormPolicy) =>
  attackRows(policy).map(({ ordinary, attack }) => [ordinary?.rule.name, attack?.rule.name]);
const rowOf = (policy: FormPolicy, name: string) => {
  const row = attackRows(policy).find(({ ordinary }) => ordinary?.rule.name === name);
  if (!row) throw new Error(`there is no rule ${name}`);
  return row;
};
const levelsOf = (policy: FormPolicy, name: string) =>
  policy.attack?.rules.find((rule) => rule.name === name)?.levels;

it("shows each rule beside the attack rule that counts the same", () => {
  expect(rowsOf(fresh)).toEqual([
    ["req/ip/1", "attack/ip"],
    ["req/ip/2", undefined],
    ["req/customer", undefined],
    ["rate/ip", undefined],
  ]);
  const second = tightened(fresh, rowOf(fresh, "req/ip/2"), 0.5);
  expect(rowsOf(second).slice(0, 2)).toEqual([
    ["req/ip/1", "attack/ip"],
    ["req/ip/2", "attack/req/ip/2"],
  ]);
  const own = inserted(second, { kind: "attack", place: 2 }, newAttackRule(second));
  expect(rowsOf(own).at(-1)).toEqual([undefined, "attack/new-rule"]);
});

it("keeps a rule beside its attack rule while a limit is typed", () => {
  const typed = {
    ...fresh,
    attack: { rules: [{ ...defaultPolicy.rules[1], name: "attack/ip", levels: [{ limit: "5o" }] }] },
  };
  expect(rowsOf(typed as FormPolicy)[0]).toEqual(["req/ip/1", "attack/ip"]);
});

it("sets a share of each limit of the rules in force, and leaves tiers alone", () => {
  const half = allTightened(fresh, 0.5);
  expect(rowsOf(half)).toEqual([
    ["req/ip/1", "attack/ip"],
    ["req/ip/2", "attack/req/ip/2"],
    ["req/customer", undefined],
    ["rate/ip", undefined],
  ]);
  expect(levelsOf(half, "attack/ip")).toEqual([{ limit: 150, periodSeconds: 300 }]);
  expect(levelsOf(half, "attack/req/ip/2")).toEqual([{ limit: 300, periodSeconds: 1_800 }]);
  expect(checkPolicy(half).ok).toBe(true);
  const tenth = allTightened(half, 0.001);
  expect(levelsOf(tenth, "attack/ip")).toEqual([{ limit: 1, periodSeconds: 300 }]);
  expect(tenth.attack?.rules).toHaveLength(2);
});

it("limits customers to a share of the largest tier, and a rate to a share of it", () => {
  const customers = tightened(fresh, rowOf(fresh, "req/customer"), 0.5);
  expect(levelsOf(customers, "attack/req/customer")).toEqual([
    { limit: 5_000, periodSeconds: 3_600 },
    { limit: 100, periodSeconds: 60 },
  ]);
  const both = tightened(customers, rowOf(customers, "rate/ip"), 0.25);
  expect(both.attack?.rules.at(-1)).toMatchObject({
    ...{ name: "attack/rate/ip", mode: "enforce", algorithm: "earrrl" },
    levels: [{ limitPerSecond: 2.5, halfLifeSeconds: 60 }],
  });
  expect(checkPolicy(both).ok).toBe(true);
});

it("tells which share a limit is of the ordinary one with the same period", () => {
  const [usual] = fresh.rules;
  expect(shareOf({ limit: 75, periodSeconds: 300 }, usual)).toBe(0.25);
  expect(shareOf({ limit: 75, periodSeconds: 60 }, usual)).toBeUndefined();
  expect(shareOf({ limit: "x", periodSeconds: 300 }, usual)).toBeUndefined();
  expect(shareOf({ limit: 75, periodSeconds: 300 }, undefined)).toBeUndefined();
});

it("is a change of the draft, with each attack rule in its sentence, until it is as before", () => {
  const draft = begin(1, fresh);
  expect(standingOf(withPolicy(draft, withOwnAttack)).isEdited).toBe(false);
  const half = withPolicy(draft, (policy) => allTightened(policy, 0.5));
  expect(standingOf(half).changes).toEqual([
    "Attack rule attack/ip, limits: 30 per 1 min → 150 per 5 min.",
    "Attack rule attack/req/ip/2 is new: 300 per 30 min, counted by ip in a fixed window. It matches anonymous; except /_next/static.",
  ]);
  expect(standingOf(withPolicy(half, withFreshAttack)).isEdited).toBe(false);
  expect(
    standingOf(withPolicy(draft, (policy) => removed(policy, { kind: "attack", place: 0 }))).changes,
  ).toEqual(["Attack rule attack/ip is removed."]);
});

it("is shown by forms only where its rules are rules", () => {
  expect(isFormPolicy({ ...fresh, attack: { rules: [{}] } })).toBe(true);
  for (const attack of [null, {}, { rules: [1] }]) expect(isFormPolicy({ ...fresh, attack })).toBe(false);
});
