import { expect, it } from "vitest";
import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import type { FormPolicy } from "../draft/draft.ts";
import { findableIn, findKey, hitBy, tryInShadow, withLimit } from "./finder.ts";

const base: FormPolicy = { ...defaultPolicy };
const [first] = findableIn(base);
if (!first) throw new Error("no rule to find a limit for");

it("finds rules that count by address or customer and have windows", () => {
  expect(findableIn(base).map(findKey)).toEqual(["req/ip/1", "req/ip/2"]);
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
    ...{ asOf: 0, periodMinutes: 5, known: 3, judged: [] },
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
