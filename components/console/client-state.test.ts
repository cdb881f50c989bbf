import { expect, it } from "vitest";
import type { ClientReply } from "@/lib/queries/client.ts";
import { clientState, evidenceOf, rangeFacts } from "./client-state.ts";
import { now, passing } from "./vitest.client.ts";

const hour = 3_600_000;
const step = { decides: true, says: "", entries: [], rules: [], slack: [] };
const entry = (list: "safelist" | "blocklist", expiresAt: number | null, notEnforced?: string) => ({
  ...step,
  step: list,
  entries: [{ list, address: "203.0.113.9", reason: "", expiresAt, ...(notEnforced && { notEnforced }) }],
});
const level = {
  ...{
    name: "req/ip/2",
    algorithm: "fixed",
    used: 9,
    limit: 5,
    periodSeconds: 60,
    resetSeconds: 3,
    says: "",
  },
  ...{ isOver: true, isShadowed: false, isDeciding: true },
};

it("names the rule that throttles, the tool, and what was denied in the last hour", () => {
  const reply: ClientReply = {
    ...passing,
    outcome: "throttled",
    steps: [{ ...step, step: "rules", rules: [level] }],
    day: {
      ...{ unknownMinutes: 0, firstAt: null, lastAt: null },
      minutes: [
        { at: now - 2 * hour, requests: 5_000, denied: 5_000 },
        { at: now - 120_000, requests: 2_000, denied: 1_646 },
        { at: now - 60_000, requests: 1_000, denied: 1_000 },
      ],
    },
    userAgents: [{ text: "sqlmap/1.7", share: 1, tool: "sqlmap" }],
  };
  expect(clientState(reply, now)).toEqual({
    tone: "throttled",
    says: "Throttled by req/ip/2",
    facts: ["sqlmap", "2,646 of 3,000 requests denied in the last hour"],
  });
  expect(evidenceOf(reply)).toBe("over req/ip/2, uses sqlmap");
});

it("says how long a listed client stays so", () => {
  const left = 22 * hour + 50 * 60_000;
  const blocked: ClientReply = { ...passing, outcome: "blocked", steps: [entry("blocklist", now + left)] };
  expect(clientState(blocked, now)).toMatchObject({ tone: "blocked", says: "Blocked, 22 h 50 min left" });
  const safe: ClientReply = { ...passing, outcome: "safelisted", steps: [entry("safelist", null)] };
  expect(clientState(safe, now)).toMatchObject({ tone: "safelisted", says: "Safelisted, never expires" });
});

it("says that a client passes only when it is known", () => {
  expect(clientState(passing, now)).toMatchObject({ tone: "pass", says: "Passes" });
  expect(clientState({ ...passing, isCertain: false }, now).says).toBe("State unknown");
  expect(clientState({ ...passing, steps: [entry("blocklist", null)] }, now).says).toBe(
    "On the blocklist, but protection is off",
  );
  expect(clientState({ ...passing, steps: [entry("blocklist", null, "a trusted proxy")] }, now).says).toBe(
    "Passes",
  );
});

it("tells what is unknown from what was not recorded", () => {
  expect(clientState({ ...passing, day: null }, now).facts).toEqual(["requests of the last hour unknown"]);
  expect(clientState(passing, now).facts).toEqual(["no request recorded in the last 24 h"]);
});

it("says which clients and customers are in a range", () => {
  const reach = {
    asOf: now,
    address: "203.0.113.0/24",
    busiest: [],
    countedWith: null,
    customersKnownSince: 0,
  };
  const counts = { requests: 2_446, denied: 12, clients: 5, customers: [{ text: "3008", count: 1 }] };
  expect(rangeFacts({ ...reach, ...counts })).toEqual([
    "5 clients in the last hour",
    "12 of 2,446 requests denied",
    "1 customer: 3008",
  ]);
  expect(rangeFacts({ ...reach, requests: 0, denied: 0, clients: 0, customers: [] })).toEqual([
    "no client in it was among the busiest in the last hour",
  ]);
});
