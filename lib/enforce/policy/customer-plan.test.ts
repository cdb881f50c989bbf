import { expect, it } from "vitest";
import { allLevels, customerLoad, customerPlan } from "./customer-plan.ts";
import { requirePolicy } from "./schema.ts";
import { defaultPolicy } from "./stored.ts";

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

it("counts a customer without limits of its own by those for anonymous clients, under its id", () => {
  const levels = [{ limit: 9, periodSeconds: 9 }];
  const ladder = { ...base, client: "ip", levels };
  const rules = [
    { ...ladder, name: "anonymous", match: { who: "anonymous" }, cost: 3 },
    { ...ladder, name: "anyone" },
    { ...base, name: "tier" },
    { ...base, name: "each", levels },
    { ...base, name: "known", levels, match: { who: "customers" } },
    { ...base, name: "unknown", levels, match: { who: "anonymous" } },
  ];
  const mixed = requirePolicy({ ...policy, rules });
  const namesOf = (own?: typeof levels) => customerPlan(mixed, own).rules.map(({ name }) => name);
  expect(namesOf()).toEqual(["anonymous", "each", "unknown"]);
  expect(namesOf(levels)).toEqual(["tier", "each", "known"]);
  expect(customerLoad(customerPlan(mixed, undefined), "acme")).toMatchObject({
    clients: ["customer:acme", "acme", "acme"],
    costs: [3, 1, 1],
  });
});

it("knows every period that counted", () => {
  const periods = allLevels(policy, [{ limit: 5, periodSeconds: 86_400 }]).map(
    (level) => level.periodSeconds,
  );
  expect(periods.toSorted((a, b) => a - b)).toEqual([60, 3_600, 86_400]);
});
