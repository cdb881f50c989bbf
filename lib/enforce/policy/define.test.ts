import { expect, it } from "vitest";
import { definePolicy } from "./define.ts";

const level = { limit: 10, periodSeconds: 60 };

it("fills in what is left out, and refuses what cannot be enforced", () => {
  const { rules } = definePolicy({
    mode: "enforce",
    rules: [{ name: "login", client: "ip", algorithm: "fixed", levels: [level] }],
    tiers: {},
  });
  expect(rules).toEqual([expect.objectContaining({ name: "login", cost: 1, mode: "enforce" })]);
  expect(() =>
    definePolicy({
      mode: "enforce",
      rules: [{ name: "login", client: "ip", algorithm: "fixed", levels: [{ ...level, limit: 0.5 }] }],
      tiers: {},
    }),
  ).toThrow("rules[0].levels[0].limit: write a whole number");
  // @ts-expect-error: the compiler knows the fields
  expect(() => definePolicy({ mode: "enforce", rules: [], tier: {} })).toThrow("tier");
});
