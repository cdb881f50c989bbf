import { expect, it } from "vitest";
import { pathText, valueAt, withValue } from "./document.ts";

const policy = { rules: [{ name: "a", match: { only: ["/x"] } }, { name: "b" }], tiers: {} };

it("reads a place, and returns undefined for a missing one", () => {
  expect(valueAt(policy, ["rules", 0, "match", "only", 0])).toBe("/x");
  expect(valueAt(policy, ["rules", 2, "name"])).toBeUndefined();
  expect(valueAt(policy, ["toString"])).toBeUndefined();
});

it("changes one place and leaves its argument unchanged", () => {
  const changed = withValue(policy, ["rules", 1, "ban", "after"], 5);
  expect(valueAt(changed, ["rules", 1])).toEqual({ name: "b", ban: { after: 5 } });
  expect(valueAt(changed, ["rules", 0])).toBe(policy.rules[0]);
  expect(policy.rules[1]).toEqual({ name: "b" });
});

it("removes a field or an item", () => {
  expect(withValue(policy, ["rules", 0, "match"], undefined)).toEqual({
    rules: [{ name: "a" }, { name: "b" }],
    tiers: {},
  });
  expect(valueAt(withValue(policy, ["rules", 0], undefined), ["rules"])).toEqual([{ name: "b" }]);
});

it("names a place as the problems of a policy do", () => {
  expect(pathText(["rules", 0, "levels", 1, "limit"])).toBe("rules[0].levels[1].limit");
  expect(pathText([])).toBe("");
});
