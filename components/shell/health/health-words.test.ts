import { expect, it } from "vitest";
import type { NodeStatus, Status } from "@/lib/queries/status.ts";
import { healthOf, sayFollowing, sayPolling, sayWay } from "./health-words.ts";

const node = (id: string, said: Partial<NodeStatus> = {}): NodeStatus => ({
  ...{ id, app: "shop", host: "web-1", version: "0.1.0", lastChange: 4, replicaAgeMs: 100 },
  ...{ isInSync: true, isStamped: true },
  ...{ requestsPerSecond: 12.5, deniedPerSecond: 0, counters: "ok" },
  ...{ following: "tracking", othersWithinMs: 250 },
  ...said,
});

const known = (said: Partial<Status> = {}): Status => ({
  at: 0,
  you: { email: "ada@example.org", role: "staff", address: null },
  redis: { isUp: true, latencyMs: 0.4 },
  counters: { isUp: true, latencyMs: 0.4 },
  nodes: [node("a"), node("b")],
  mode: "enforce",
  modeSince: null,
  edgeOff: null,
  modeUntilMs: null,
  attack: null,
  policyVersion: 1,
  policyProblem: null,
  rules: [],
  counts: null,
  newestChange: { number: 4, at: null },
  warnings: [],
  ...said,
});

it("reports that all is well", () => {
  expect(healthOf({ known: known() })).toEqual({
    state: "well",
    title: "Redis OK",
    detail: "0.4 ms · 2 nodes in sync",
  });
});

it("names polling, which is not a fault", () => {
  const nodes = [node("a"), node("b", { following: "polling", othersWithinMs: 30_000 })];
  expect(healthOf({ known: known({ nodes }) })).toMatchObject({
    state: "well",
    detail: "0.4 ms · 2 nodes in sync · polling",
  });
});

it("names polling with notifications", () => {
  const nodes = [node("a"), node("b", { following: "notifications", othersWithinMs: 250 })];
  const { detail } = healthOf({ known: known({ nodes }) });
  expect(detail).toBe("0.4 ms · 2 nodes in sync · polling with notifications");
});

it.each([
  ["a node is behind", { nodes: [node("a"), node("b", { isInSync: false })] }, "1 of 2 nodes in sync"],
  [
    "a node gets requests without a client address",
    { nodes: [node("a", { isStamped: false })] },
    "1 node in sync",
  ],
  ["no node runs", { nodes: [] }, "no node"],
  ["Redis may drop entries", { warnings: ["maxmemory-policy is allkeys-lru"] }, "2 nodes in sync"],
] as const)("is not well when %s", (_, said, detail) => {
  const nodes = "nodes" in said ? { nodes: [...said.nodes] } : {};
  const warnings = "warnings" in said ? { warnings: [...said.warnings] } : {};
  const health = healthOf({ known: known({ ...nodes, ...warnings }) });
  expect(health).toMatchObject({ state: "limping", title: "Redis OK" });
  expect(health.detail).toContain(detail);
});

it("names the counters when only they are unavailable", () => {
  const health = healthOf({ known: known({ counters: { isUp: false, latencyMs: null } }) });
  expect(health).toMatchObject({ state: "limping", title: "Counters unavailable" });
});

it.each([
  ["redis", "down", "Redis unreachable"],
  ["console", "down", "Console unreachable"],
  ["signed-out", "limping", "Status unknown"],
] as const)("does not show the last status as current: %s", (kind, state, title) => {
  expect(healthOf({ known: known(), trouble: { kind, message: "", since: 0 } })).toEqual({
    state,
    title,
    detail: "",
  });
});

const tracking = { following: "tracking", othersWithinMs: 250 } as const;
const notified = { following: "notifications", othersWithinMs: 250 } as const;
const polling = { following: "polling", othersWithinMs: 30_000 } as const;
const slow = { following: "polling", othersWithinMs: 300_000 } as const;

it("names how a node learns of changes", () => {
  expect(sayFollowing(tracking)).toBe("client tracking");
  expect(sayFollowing({ following: "notifications", othersWithinMs: 250 })).toBe(
    "polling with notifications",
  );
  expect(sayFollowing(polling)).toBe("polling, others 30 s");
  expect(sayFollowing({ following: null, othersWithinMs: null })).toBe("unknown");
});

it("states the effect of polling, by the slowest node", () => {
  expect(sayPolling([tracking])).toBeUndefined();
  expect(sayPolling([tracking, polling])).toContain("not available. 1 node polls");
  expect(sayPolling([slow, polling])).toMatch(/2 nodes poll .* within 5 min\.$/);
  expect(sayPolling([tracking, notified])).toMatch(
    /1 node polls for changes, with notifications\. .* within 0\.25 s\.$/,
  );
  expect(sayPolling([notified, polling])).toMatch(/2 nodes poll for changes\. .* within 30 s\.$/);
});

it("names the slowest way", () => {
  expect(sayWay([tracking])).toBeUndefined();
  expect(sayWay([tracking, notified])).toBe("polling with notifications");
  expect(sayWay([tracking, notified, polling])).toBe("polling");
});
