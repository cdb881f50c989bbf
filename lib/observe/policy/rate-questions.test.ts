import { expect, it } from "vitest";
import { requirePolicy } from "../../enforce/policy/schema.ts";
import { hourQuestions, worstEffect } from "./rate-questions.ts";

const ruleOf = (given: object) => {
  const rule = { name: "r", client: "ip", algorithm: "fixed", levels: [{ limit: 5, periodSeconds: 60 }] };
  const [found] = requirePolicy({ mode: "enforce", rules: [{ ...rule, ...given }], tiers: {} }).rules;
  if (!found) throw new Error("a policy without its rule");
  return found;
};
const asked = (given: object) =>
  hourQuestions(ruleOf(given)).map(({ limit, periodSeconds }) => [limit, periodSeconds]);

it("asks for each level with a period, of at most a day", () => {
  const levels = [
    { limit: 0, periodSeconds: 60 },
    { limit: 900, periodSeconds: 604_800 },
    { limit: 100, period: "day", timeZone: "UTC" },
  ];
  expect(asked({ levels })).toEqual([
    [0, 60],
    [900, 86_400],
  ]);
  expect(hourQuestions(ruleOf({ match: { who: "anonymous" } }))[0]).toMatchObject({ kind: "anonymous" });
});

it("asks nothing where a count of requests in a window is another thing", () => {
  expect(asked({ countWhen: "failed" })).toEqual([]);
  expect(asked({ algorithm: "concurrent" })).toEqual([]);
  expect(asked({ algorithm: "earrrl", levels: [{ limitPerSecond: 1, halfLifeSeconds: 60 }] })).toEqual([]);
});

it("has the effect of the level that would have denied most, and none without history", () => {
  const effect = (requests: number) => ({ requests, clients: 2, customers: 1, limit: 5 });
  const reply = (knownMinutes: number, requests: number) => ({
    knownMinutes,
    judged: [effect(requests), effect(99)],
  });
  expect(worstEffect([reply(60, 4), reply(60, 7), reply(0, 50)])).toEqual({
    ...{ requests: 7, clients: 2, customers: 1 },
  });
  expect(worstEffect([reply(0, 50), { knownMinutes: 60, judged: [] }])).toBeNull();
});
