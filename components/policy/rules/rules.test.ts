import { expect, it } from "vitest";
import { draftHref } from "@/components/lab/run/draft.ts";
import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import type { FormPolicy } from "../draft/draft.ts";
import {
  addedLevel,
  convertedLevels,
  duplicated,
  freeName,
  inserted,
  moved,
  newRule,
  removed,
  ruleFromLink,
  rulesOf,
} from "./rules.ts";

const base: FormPolicy = { ...defaultPolicy };
const at = (place: number) => ({ kind: "rules", place }) as const;
const names = ({ rules }: FormPolicy) => rules.map(({ name }) => name);

it("moves a rule by one, and not beyond the ends", () => {
  expect(names(moved(base, at(0), 1))).toEqual(["req/ip/2", "req/ip/1", "req/customer", "rate/ip"]);
  expect(names(moved(base, at(3), -1))).toEqual(["req/ip/1", "req/ip/2", "rate/ip", "req/customer"]);
  expect(moved(base, at(0), -1)).toBe(base);
  expect(moved(base, at(3), 1)).toBe(base);
});

it("removes the given rule", () => {
  expect(names(removed(base, at(1)))).toEqual(["req/ip/1", "req/customer", "rate/ip"]);
});

it("changes request rules apart from the others, and leaves no empty list of them", () => {
  const requestNames = (policy: FormPolicy) => rulesOf(policy, "requestRules").map(({ name }) => name);
  const first = { kind: "requestRules", place: 0 } as const;
  const one = inserted(base, first, { name: "no-bots", action: "deny" });
  const two = duplicated(one, first);
  expect([requestNames(two), requestNames(moved(two, first, 1))]).toEqual([
    ["no-bots", "no-bots-copy"],
    ["no-bots-copy", "no-bots"],
  ]);
  expect(moved(two, first, -1)).toBe(two);
  expect(names(two)).toEqual(names(base));
  expect(removed(one, first)).toEqual(base);
});

it("adds a copy after it, with a free name and in shadow", () => {
  const twice = duplicated(duplicated(base, at(0)), at(0));
  expect(names(twice).slice(0, 3)).toEqual(["req/ip/1", "req/ip/1-copy-2", "req/ip/1-copy"]);
  expect(twice.rules[1]).toMatchObject({ mode: "shadow", client: "ip" });
  expect(checkPolicy(twice).ok).toBe(true);
});

it("starts with a rule that can be published", () => {
  const { ok } = checkPolicy(inserted(base, at(4), newRule(base)));
  expect(ok).toBe(true);
});

it("keeps a free name within the longest allowed length", () => {
  const long = "x".repeat(64);
  expect(freeName({ ...base, rules: [{ name: long }] }, long)).toBe(`${"x".repeat(62)}-2`);
});

it("reads the rule of a link from the Lab, and rejects other text", () => {
  const href = draftHref({ algorithm: "earrrl", limit: 5, periodSeconds: 10 }, 0.5);
  const rule = ruleFromLink(base, new URL(href, "http://console").searchParams.get("draft") ?? "");
  expect(rule).toMatchObject({ client: "ip", algorithm: "earrrl", mode: "shadow" });
  expect(checkPolicy(inserted(base, at(0), rule ?? {})).ok).toBe(true);
  expect(ruleFromLink(base, "%%%")).toBeUndefined();
  expect(ruleFromLink(base, btoa("[1]"))).toBeUndefined();
});

it("adds a level with an unused period", () => {
  expect(addedLevel([{ limit: 1, periodSeconds: 300 }], false)).toEqual({ limit: 300, periodSeconds: 3_600 });
  expect(addedLevel([], true)).toEqual({ limitPerSecond: 10, halfLifeSeconds: 300 });
});

it("converts limits to rates and back", () => {
  const levels = [{ limit: 300, periodSeconds: 60 }];
  const rates = convertedLevels(levels, "earrrl");
  expect(rates).toEqual([{ limitPerSecond: 5, halfLifeSeconds: 60 }]);
  expect(convertedLevels(rates, "fixed")).toEqual(levels);
});

it("leaves levels that it cannot convert", () => {
  expect(convertedLevels([{ limit: "x", periodSeconds: 60 }], "earrrl")).toEqual([
    { limit: "x", periodSeconds: 60 },
  ]);
  expect(convertedLevels("tier", "fixed")).toBe("tier");
  expect(convertedLevels("tier", "concurrent")).toEqual([{ limit: 5, periodSeconds: 60 }]);
  expect(convertedLevels("tier", "earrrl")).toEqual([{ limitPerSecond: 10, halfLifeSeconds: 300 }]);
});
