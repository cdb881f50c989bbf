import { expect, it } from "vitest";
import { sayHour, saySum } from "./last-hour-words.ts";

const known = (requests: number, customers = 0) => ({
  is: "known" as const,
  requests,
  clients: 3,
  customers,
});

it("says what a rule would have denied, and why that is unknown", () => {
  expect(sayHour(known(4_120, 2))).toEqual({ says: "4,120 requests", more: "3 clients, 2 customers" });
  expect(sayHour(known(0))).toEqual({ says: "0 requests" });
  expect(sayHour({ is: "not counted" })).toEqual({ says: "unknown", more: "no node counted these requests" });
});

it("claims no effect and no sum that is not known", () => {
  expect(saySum([])).toBe("Attack mode adds nothing: no rule is prepared.");
  expect(saySum([{ is: "loading" }])).toBe("Reading the last hour …");
  expect(saySum([{ is: "not counted" }])).toMatch(/is unknown: no node has counted it/);
  expect(saySum([known(0), { is: "failed" }])).toMatch(/is unknown: it failed to load/);
  expect(saySum([known(0)])).toBe("Attack mode would have denied no request of the last hour.");
  expect(saySum([known(10), { is: "not asked" }])).toBe(
    "Attack mode would have denied 10 of the last hour's requests, of 3 clients.",
  );
  expect(saySum([known(10), known(4_120, 1), { is: "loading" }])).toBe(
    "Attack mode would have denied at least 4,120 of the last hour's requests, of 3 clients, 1 customer among them.",
  );
});

it("does not say that nothing would be denied while a rule's effect is unknown", () => {
  expect(saySum([known(0), { is: "not counted" }])).toMatch(/unknown/);
});
