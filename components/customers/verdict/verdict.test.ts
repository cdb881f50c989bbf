import { expect, it } from "vitest";
import type { LevelUsage } from "@/lib/queries/customer.ts";
import { usedIn, verdictOf } from "./verdict.ts";

const level = (given: Partial<LevelUsage> = {}): LevelUsage => ({
  ...{ rule: "req/customer", algorithm: "fixed", limit: 100, periodSeconds: 3_600, used: 10 },
  ...{ resetMs: 1, isOver: false, isShadowed: false, isOwn: true },
  ...given,
});
const over = level({ used: 100, isOver: true });

it("is throttled by the first level that denies, if the policy is in force", () => {
  const later = level({ periodSeconds: 60, used: 500, isOver: true });
  expect(verdictOf([level(), over, later], "enforce")).toEqual({ name: "throttled", by: over });
  expect(verdictOf([over], "shadow").name).toBe("shadow");
  expect(verdictOf([over], "off").name).toBe("pass");
  expect(verdictOf([{ ...over, isShadowed: true }, level()], "enforce").name).toBe("shadow");
});

it("passes, and names the level that is nearest; or nothing counts it", () => {
  const near = level({ used: 9, limit: 10 });
  expect(verdictOf([level(), near], "enforce")).toEqual({ name: "pass", by: near });
  expect(verdictOf([], "enforce")).toEqual({ name: "none", by: undefined });
});

it("tells of a period what was counted most, of the customer's own levels alone", () => {
  const most = level({ used: 20, rule: "b" });
  const everybody = level({ used: 90, isOwn: false });
  expect(usedIn([level(), most, everybody], 3_600)).toBe(most);
  expect([usedIn([level()], 60), usedIn(null, 60)]).toEqual([undefined, undefined]);
});
