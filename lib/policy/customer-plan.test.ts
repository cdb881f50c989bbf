import { expect, it } from "vitest";
import { requirePolicy } from "./check.ts";
import { allLevels, customerPlan } from "./customer-plan.ts";
import { defaultPolicy } from "./defaults.ts";

const base = { client: "customer", algorithm: "gcra", levels: "tier" };
const policy = requirePolicy({
  mode: "off",
  rules: [
    { ...base, name: "a" },
    { ...base, name: "b", mode: "off" },
    { ...base, name: "c", client: { all: ["customer", "ip"] } },
    { ...base, name: "d", mode: "shadow", levels: [{ limit: 9, periodSeconds: 9 }] },
  ],
  tiers: defaultPolicy.tiers,
});

it("counts a customer by its own levels, or by the rule's", () => {
  const { steps } = customerPlan(policy, [{ limit: 5, periodSeconds: 60 }]);
  expect(steps).toEqual([
    { rule: "a", algorithm: "gcra", limit: 5, periodSeconds: 60, overageWeight: 1, isShadowed: false },
    { rule: "d", algorithm: "gcra", limit: 9, periodSeconds: 9, overageWeight: 1, isShadowed: true },
  ]);
});

it("knows every period that counted", () => {
  const periods = allLevels(policy, [{ limit: 5, periodSeconds: 86_400 }]).map(
    (level) => level.periodSeconds,
  );
  expect(periods.toSorted((a, b) => a - b)).toEqual([60, 3_600, 86_400]);
});
