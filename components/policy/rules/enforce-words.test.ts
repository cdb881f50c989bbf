import { expect, it } from "vitest";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { enforceLabel, gapsOf, nameCustomers, saySaw, shadowOf } from "./enforce-words.ts";

it("knows whether shadow counted by the limits that would be enforced", () => {
  const base = { ...defaultPolicy };
  const [, , , rate] = base.rules;
  if (!rate) throw new Error("no rule in shadow");
  expect(shadowOf({ base }, { ...rate })).toBe("same");
  expect(shadowOf({ base }, { ...rate, mode: "enforce", slack: 0.2 })).toBe("same");
  const levels = [{ limitPerSecond: 5, halfLifeSeconds: 60, overageWeight: 1 }];
  expect(shadowOf({ base }, { ...rate, levels })).toBe("other");
  expect(shadowOf({ base }, { ...rate, name: "renamed" })).toBe("none");
  expect(shadowOf({ base: { ...base, mode: "off" } }, { ...rate })).toBe("none");
});

it("says how many requests of how many clients shadow saw", () => {
  expect(saySaw({ requests: 131, clients: 7 })).toBe(
    "In the last hour, shadow saw 131 requests of 7 clients that this rule would have denied.",
  );
  expect(saySaw({ requests: 1, clients: 0 })).toBe(
    "In the last hour, shadow saw 1 request that this rule would have denied.",
  );
  expect(saySaw({ requests: 0, clients: 0 })).toMatch(/saw no request/);
});

it("names customers, and how many more there are", () => {
  expect(nameCustomers(["1042"])).toBe("customer 1042");
  expect(nameCustomers(["1042", "3008"])).toBe("customers 1042 and 3008");
  expect(nameCustomers(["a", "b", "c"])).toBe("customers a, b and c");
  expect(nameCustomers(["a", "b", "c", "d", "e"])).toBe("customers a, b, c and 2 more");
});

it("says what is not known of the clients", () => {
  const row = { client: "203.0.113.9", kind: "ip" as const, requests: 100 };
  const whole = { asOf: 0, requests: 100, counted: 100, isCut: false, clients: 1, customers: [], top: [row] };
  expect(gapsOf(whole)).toEqual([]);
  expect(gapsOf({ ...whole, requests: 105 })).toEqual([]);
  expect(gapsOf({ ...whole, requests: 1_400 })).toEqual([
    "The clients of 1,300 of these requests are unknown: older nodes do not report them.",
  ]);
  expect(gapsOf({ ...whole, isCut: true, clients: 180 })).toHaveLength(2);
});

it("repeats the outcome on the button", () => {
  expect(enforceLabel({ clients: 7 })).toBe("Enforce in the draft, throttle 7 clients");
  expect(enforceLabel({ clients: 0 })).toBe("Enforce in the draft");
  expect(enforceLabel(undefined)).toBe("Enforce in the draft");
});
