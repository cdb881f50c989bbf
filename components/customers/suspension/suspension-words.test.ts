import { expect, it } from "vitest";
import { customerAs } from "../draft/vitest.customer.ts";
import { sayLastHour, sayOlderNodes, saySafelisted, saySuspended, sayTerms } from "./suspension-words.ts";

const minutes = (last: number, before = 0) =>
  Array.from({ length: 1_440 }, (_, i) => (i >= 1_440 - 60 ? last : before));

it("says what a suspension would have changed in the last hour, and what is unknown of it", () => {
  const day = { requests: minutes(10, 99), denied: minutes(1, 99), unknown: [] };
  expect(sayLastHour(day)).toBe(
    "600 requests in the last hour, 60 of them denied. Suspended, all would have got 403.",
  );
  expect(sayLastHour({ ...day, unknown: [[1_370, 25]] })).toContain("15 min of it are unknown.");
  // The running minute and the one before.
  expect(sayLastHour({ ...day, unknown: [[1_438, 2]] })).not.toContain("unknown");
  expect(sayLastHour({ requests: minutes(0, 5), denied: minutes(0), unknown: [] })).toBe(
    "No request is known of the last hour.",
  );
  expect(sayLastHour(undefined)).toBe("Requests of the last hour: unknown.");
});

it("names safelisted addresses, from which requests still pass", () => {
  const address = { requests: 1, lastAt: 0, entry: null, rule: null, blockedInside: 0 };
  const read = (outcome: "pass" | "safelisted") => ({
    ...{ asOf: 0, knownSince: null, total: 1 },
    addresses: [{ ...address, address: "192.0.2.7", outcome }],
  });
  expect(saySafelisted(read("safelisted"))).toBe(
    "The safelist has precedence: requests from 192.0.2.7 still pass.",
  );
  expect(saySafelisted(read("pass"))).toBeUndefined();
  expect(saySafelisted(undefined)).toBeUndefined();
});

it("names the nodes that do not enforce suspensions", () => {
  const nodes = (...nodesWithoutSuspensions: string[]) => sayOlderNodes({ nodesWithoutSuspensions });
  expect(nodes()).toBeUndefined();
  expect(nodes("a")).toBe("Node a runs an earlier version and does not enforce suspensions.");
  expect(nodes("a", "b", "c", "d")).toBe(
    "4 nodes run an earlier version and do not enforce suspensions: a, b, c, ….",
  );
});

it("says the state in each mode, and the terms", () => {
  expect(saySuspended(customerAs())).toBe("This customer is suspended. Its requests get 403");
  expect(saySuspended(customerAs({ mode: "off" }))).toContain("the mode is off: its requests pass");
  expect(saySuspended(customerAs({ mode: "shadow" }))).toContain("its requests are only counted");
  const now = Date.parse("2026-03-28T15:00:00.000Z");
  const note = { reason: "", by: "ada@example.org", at: "2026-03-28T14:34:00.000Z" };
  expect(sayTerms({ expiresAt: now + 3_600_000, note }, now)).toBe(
    "By ada@example.org, since 28 Mar, 14:34 UTC. Ends 28 Mar, 16:00 UTC.",
  );
  expect(sayTerms({ expiresAt: null, note: { reason: "x", at: "?" } }, now)).toBe(
    "By another program. It never expires.",
  );
});
