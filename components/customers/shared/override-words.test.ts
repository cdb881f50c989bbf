import { expect, it } from "vitest";
import { idsIn, sayLimits, sayMembers, sayPreview } from "./override-words.ts";

it("says limits, or the tier that gives them, and whose they are", () => {
  const levels = [{ limit: 20_000, periodSeconds: 3_600 }];
  expect(sayLimits({ levels, tier: null })).toBe("20,000 / h");
  expect(sayLimits({ levels: null, tier: "pro" })).toBe("limits of tier Pro");
  expect([null, 0, 1, 1_200].map((members) => sayMembers({ members }))).toEqual([
    ...["matching ids", "0 customers", "1 customer", "1,200 customers"],
  ]);
});

it("reads ids of any pasted list, each once", () => {
  expect(idsIn(" acme\nglobex, initech;acme\t\n")).toEqual(["acme", "globex", "initech"]);
  expect(idsIn("  ")).toEqual([]);
});

it("says what limits would do", () => {
  const effect = { customers: 4, overruled: 1, seen: 3, over: [], overCount: 2, unjudged: [] };
  expect(sayPreview(effect, "premium_*")).toEqual([
    "4 known customers match.",
    "1 of them has an override that wins over it.",
    "3 sent requests in the last hour, of which 2 would have been denied.",
  ]);
  expect(sayPreview({ ...effect, customers: 0 }, "premium_*")).toEqual(["No known customer matches."]);
  expect(sayPreview({ ...effect, customers: 0 }, "beta")).toEqual(["The group has no customers yet."]);
  expect(sayPreview({ ...effect, customers: 1, overruled: 0 }, "beta")).toEqual([
    "1 customer in the group.",
    "None of them has an override that wins over it.",
    "3 sent requests in the last hour, of which 2 would have been denied.",
  ]);
});
