import { expect, it } from "vitest";
import { begin, type FormPolicy } from "./draft.ts";
import { rebase } from "./rebase.ts";

const rule = (name: string, limit = 1) => ({ name, limit });
const policy = (rules: readonly ReturnType<typeof rule>[], more = {}): FormPolicy => ({
  mode: "enforce",
  ...more,
  rules,
  tiers: {},
});
const base = policy([rule("a"), rule("b"), rule("c")]);
const mine = (edited: FormPolicy) => ({ ...begin(1, base), policy: edited });

it("keeps my changes and takes theirs", () => {
  const theirs = policy([rule("a"), rule("b", 9), rule("c")], { mode: "shadow" });
  const { draft, both } = rebase(mine(policy([rule("a", 5), rule("b"), rule("c")])), 2, theirs);
  expect(draft.policy).toEqual(policy([rule("a", 5), rule("b", 9), rule("c")], { mode: "shadow" }));
  expect([draft.basedOn, draft.base, both]).toEqual([2, theirs, []]);
});

it("names what both changed, and keeps mine", () => {
  const theirs = policy([rule("a", 9), rule("b"), rule("c")]);
  const { draft, both } = rebase(mine(policy([rule("a", 5), rule("b"), rule("c")])), 2, theirs);
  expect([draft.policy.rules[0], both]).toEqual([rule("a", 5), ["rule a"]]);
});

it("merges new rules of both sides, and drops rules that either side removed", () => {
  const theirs = policy([rule("a"), rule("new-theirs"), rule("b"), rule("c")]);
  const { draft } = rebase(mine(policy([rule("b"), rule("new-mine"), rule("c")])), 2, theirs);
  expect(draft.policy.rules.map(({ name }) => name)).toEqual(["new-theirs", "b", "new-mine", "c"]);
});

it("keeps my order if I changed it", () => {
  const theirs = policy([rule("a"), rule("b"), rule("c"), rule("d")]);
  const { draft } = rebase(mine(policy([rule("c"), rule("a"), rule("b")])), 2, theirs);
  expect(draft.policy.rules.map(({ name }) => name)).toEqual(["c", "d", "a", "b"]);
});

it("keeps both of two rules with the same name", () => {
  const { draft } = rebase(mine(policy([rule("a"), rule("a", 2), rule("b"), rule("c")])), 2, base);
  expect(draft.policy.rules.map(({ limit }) => limit)).toEqual([1, 2, 1, 1]);
});
