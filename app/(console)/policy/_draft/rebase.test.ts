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

it("keeps what I changed and takes what they changed", () => {
  const theirs = policy([rule("a"), rule("b", 9), rule("c")], { mode: "shadow" });
  const { draft, both } = rebase(mine(policy([rule("a", 5), rule("b"), rule("c")])), 2, theirs);
  expect(draft.policy).toEqual(policy([rule("a", 5), rule("b", 9), rule("c")], { mode: "shadow" }));
  expect([draft.basedOn, draft.base, both]).toEqual([2, theirs, []]);
});

it("says what both changed, and keeps mine", () => {
  const theirs = policy([rule("a", 9), rule("b"), rule("c")]);
  const { draft, both } = rebase(mine(policy([rule("a", 5), rule("b"), rule("c")])), 2, theirs);
  expect([draft.policy.rules[0], both]).toEqual([rule("a", 5), ["rule a"]]);
});

it("brings both sides' new rules together, and lets go what either removed", () => {
  const theirs = policy([rule("a"), rule("new-theirs"), rule("b"), rule("c")]);
  const { draft } = rebase(mine(policy([rule("b"), rule("new-mine"), rule("c")])), 2, theirs);
  expect(draft.policy.rules.map(({ name }) => name)).toEqual(["new-theirs", "b", "new-mine", "c"]);
});

it("keeps my order when I changed it", () => {
  const theirs = policy([rule("a"), rule("b"), rule("c"), rule("d")]);
  const { draft } = rebase(mine(policy([rule("c"), rule("a"), rule("b")])), 2, theirs);
  expect(draft.policy.rules.map(({ name }) => name)).toEqual(["c", "d", "a", "b"]);
});

it("loses neither of two rules of one name", () => {
  const { draft } = rebase(mine(policy([rule("a"), rule("a", 2), rule("b"), rule("c")])), 2, base);
  expect(draft.policy.rules.map(({ limit }) => limit)).toEqual([1, 2, 1, 1]);
});
