import { expect, it } from "vitest";
import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import type { FormPolicy } from "../draft/draft.ts";
import { differencesOf, findableIn, findKey, hitBy, isCountedNow, tryInShadow, withLimit } from "./finder.ts";

const base: FormPolicy = { ...defaultPolicy };
const [first] = findableIn(base);
if (!first) throw new Error("no rule to find a limit for");

it("finds rules that have windows of their own, whatever they count", () => {
  expect(findableIn(base).map(findKey)).toEqual(["req/ip/1", "req/ip/2"]);
  const levels = [{ limit: 5, periodSeconds: 60 }];
  const facts = { algorithm: "fixed", levels, mode: "shadow" } as const;
  const login = { ...facts, name: "login", client: "ip", match: { only: ["/login"], methods: ["POST"] } };
  const keys = { ...facts, name: "keys", client: { header: "x-api-key" } };
  expect(findableIn({ ...base, rules: [login, keys] })).toMatchObject([
    { rule: "login", kind: "ip", counts: "POST /login" },
    { rule: "keys", kind: "other", counts: undefined },
  ]);
});

it("knows whether nodes count what a draft counts", () => {
  const levels = [{ limit: 5, periodSeconds: 60 }];
  const login = { name: "login", client: "ip", algorithm: "fixed", levels, match: { only: ["/login"] } };
  const scope = findableIn({ ...base, rules: [login] })[0]?.scope ?? "";
  expect(isCountedNow(base, scope)).toBe(false);
  const renamed = { ...login, name: "sign-in", levels: [{ limit: 9, periodSeconds: 3_600 }] };
  expect(isCountedNow({ ...base, rules: [renamed] }, scope)).toBe(true);
  expect(isCountedNow({ ...base, rules: [{ ...renamed, mode: "off" }] }, scope)).toBe(false);
  expect(isCountedNow({ ...base, mode: "off", rules: [renamed] }, scope)).toBe(false);
});

it("says each way in which the rule could throttle other clients", () => {
  const whole = {
    windowSeconds: 300,
    minutes: 60,
    knownMinutes: 60,
    isCut: false,
    customersMayMiss: false,
  } as const;
  const rule = { periodSeconds: 300, isFixed: true } as const;
  expect(differencesOf(rule, "1h", whole)).toEqual([]);
  const said = (more: Partial<typeof rule>, reply: object = {}, span: "1h" | "24h" = "1h") =>
    differencesOf({ ...rule, ...more }, span, { ...whole, ...reply }).join(" ");
  expect(said({}, { knownMinutes: 12 })).toMatch(/in 12 of 60 minutes/);
  expect(said({}, { isCut: true })).toMatch(/only the busiest clients are kept/);
  expect(differencesOf({ ...rule, isFixed: false }, "1h", whole).join()).toMatch(/counted from the clock/);
  expect(differencesOf({ ...rule, periodSeconds: 15 }, "24h", { ...whole, windowSeconds: 20 })).toEqual([
    "Windows shorter than 1 min are kept for 1 h, so this is the last hour.",
    "Nodes report in steps of 10 s, so each window counts as 20 s.",
  ]);
  expect(said({}, { customersMayMiss: true })).toMatch(/did not report the customers of all addresses/);
});

it("sets the limit of the rule", () => {
  expect(withLimit(base, first, 250).rules[0]).toMatchObject({
    levels: [{ limit: 250, periodSeconds: 300 }],
  });
});

it("tries a limit in a copy of an enforced rule, once", () => {
  const once = tryInShadow(base, first, 250);
  expect(once.name).toBe("req/ip/1-try");
  expect(once.policy.rules.slice(0, 2)).toMatchObject([
    { name: "req/ip/1", mode: "enforce", levels: [{ limit: 300 }] },
    { name: "req/ip/1-try", mode: "shadow", levels: [{ limit: 250 }] },
  ]);
  expect(checkPolicy(once.policy).ok).toBe(true);
  const twice = tryInShadow(once.policy, first, 200);
  expect(twice.policy.rules).toHaveLength(5);
  expect(twice.policy.rules[1]).toMatchObject({ levels: [{ limit: 200 }] });
});

it("tries a limit in the rule itself if the rule denies no client", () => {
  const { policy, name } = tryInShadow(base, { ...first, mode: "off" }, 250);
  expect(name).toBe("req/ip/1");
  expect(policy.rules[0]).toMatchObject({ mode: "shadow", levels: [{ limit: 250 }] });
});

it("counts clients over the limit, and returns undefined if some are not shown", () => {
  const reply = {
    ...{
      asOf: 0,
      windowSeconds: 300,
      minutes: 60,
      knownMinutes: 60,
      isCut: false,
      customersBy: "name" as const,
      customersMayMiss: false,
    },
    ...{ known: 3, judged: [] },
    top: [
      { client: "a", peak: 900, customers: ["1", "2"] },
      { client: "b", peak: 300, customers: ["2"] },
      { client: "c", peak: 20, customers: [] },
    ],
  };
  expect(hitBy(reply, 300)).toEqual({ clients: 1, customers: 2 });
  expect(hitBy(reply, 10)).toEqual({ clients: 3, customers: 2 });
  expect(hitBy({ ...reply, known: 9 }, 10)).toBeUndefined();
});
