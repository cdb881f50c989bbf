import { describe, expect, it } from "vitest";
import type { FeedDefinition } from "../../manage/feeds/definition.ts";
import { type FeedState, newState } from "../../manage/feeds/feed-state.ts";
import type { UserRequest } from "../../manage/requests/user-request.ts";
import { refusedAttempts } from "../../manage/users/refused-sign-ins.ts";
import type { CatalogueEntry } from "../catalogue/listing.ts";
import type { LiveNode } from "../stats/nodes.ts";
import type { ClientReading } from "../stats/offenders.ts";
import { attackWords } from "./attack-words.ts";
import { customerStates } from "./customer-states.ts";
import { expiringStates } from "./expiring-entries.ts";
import { feedStates } from "./feed-states.ts";
import { type FleetMemory, fleetStates, readFleetMemory } from "./fleet-states.ts";
import { requestStates } from "./request-states.ts";

const now = Date.UTC(2026, 10, 18, 15, 41);
const dayMs = 86_400_000;

describe("nodes", () => {
  const node = (id: string, said: Partial<LiveNode> = {}) =>
    ({ id, app: "shop", change: 9, replicaAgeMs: 100, counters: "ok", ...said }) as LiveNode;
  const view = (at: number, nodes: LiveNode[], memory: FleetMemory, areCountersUp = true) =>
    fleetStates({ nodes, newest: { number: 9, at: 0, now: at }, areCountersUp, memory });
  const none: FleetMemory = { lagging: {}, withoutCounters: {} };

  it("are out of sync after 10 s, all in one incident", () => {
    const nodes = [node("web-1", { change: 7 }), node("web-2", { replicaAgeMs: 60_000 }), node("web-3")];
    const first = view(now, nodes, none);
    expect(first.states).toEqual([]);
    expect(view(now + 9_000, nodes, first.memory).states).toEqual([]);
    const late = view(now + 10_000, nodes, first.memory);
    expect(late.states).toMatchObject([{ kind: "node", title: "2 nodes are out of sync" }]);
    expect(view(now + 11_000, [node("web-1")], late.memory).states).toEqual([]);
  });

  it("without counters raise one incident after 5 s, also where only the console has none", () => {
    const first = view(now, [node("web-1", { counters: "away" })], none, false);
    const [state] = view(now + 5_000, [node("web-1", { counters: "late" })], first.memory, false).states;
    expect(state).toMatchObject({ kind: "redis", text: expect.stringContaining("web-1, the console") });
  });
});

it("a feed raises an alarm when it fails twice, and when it waits", () => {
  const feed = (id: string) =>
    ({ id, name: id, isPaused: id === "paused", contents: { ranges: 7_585 } }) as FeedDefinition;
  const failing = (tries: number): FeedState => ({
    ...newState,
    failing: { since: 0, tries, cause: "HTTP 502" },
  });
  const held = { ...newState, held: { percent: 140 } } as FeedState;
  const states = new Map([
    ["once", failing(1)],
    ["twice", failing(2)],
    ["paused", failing(9)],
    ["held", held],
  ]);
  expect(feedStates([...states.keys()].map(feed), states, now)).toMatchObject([
    { cause: "feed twice failing", text: "2 tries: HTTP 502. The 7,585 current ranges stay in force" },
    {
      cause: "feed held held",
      text: "New contents differ by 140%. The 7,585 current ranges stay in force",
    },
  ]);
});

it("entries for long raise one incident for each day on which they expire; bans and short entries none", () => {
  const entry = (address: string, more: Partial<CatalogueEntry>): CatalogueEntry => ({
    ...{ address, isRange: false, reason: "", expiresAt: now + dayMs, lifeMs: 7 * dayMs },
    ...more,
  });
  const found = expiringStates(
    "blocklist",
    [
      entry("203.0.113.1", {}),
      entry("203.0.113.2", { expiresAt: now + 60_000 }),
      entry("203.0.113.3", { lifeMs: dayMs }),
      entry("203.0.113.4", { via: "auto:req/ip" }),
      entry("203.0.113.5", { lifeMs: null }),
      entry("203.0.113.6", { expiresAt: now + 2 * dayMs }),
      entry("203.0.113.7", { expiresAt: null }),
      entry("203.0.113.8", {}),
    ],
    now,
  );
  expect(found.map(({ title, text }) => `${title}: ${text}`)).toEqual([
    "2 entries of the blocklist expire on 2026-11-19: 203.0.113.1, 203.0.113.8. Extend what must stay",
    "1 entry of the blocklist expires on 2026-11-18: 203.0.113.2. Extend what must stay",
  ]);
});

it("a customer raises an alarm at 80% and at 100%, by the fullest level of a rule", () => {
  const reading = (client: string, used: number, limit: number, isShadowed = false) =>
    ({
      name: { kind: "customer", client },
      step: { rule: "req/customer", periodSeconds: 3_600, limit, isShadowed },
      reading: { used },
      ratio: used / limit,
    }) as ClientReading;
  const readings = [
    reading("1042", 80, 100),
    reading("1042", 79, 100),
    reading("2210", 100, 100),
    reading("2210", 85, 100),
    reading("7", 79, 100),
    reading("8", 100, 100, true),
    { ...reading("9", 100, 100), name: { kind: "ip", client: "203.0.113.9" } } as ClientReading,
  ];
  expect(customerStates(readings, now).map(({ title, grade }) => [title, grade])).toEqual([
    ["Customer 1042 is at 80% of 100 per 1 h", 1],
    ["Customer 2210 is at 100% of 100 per 1 h", 2],
  ]);
});

it("a request is open until it is decided", () => {
  const request: UserRequest = {
    ...{
      id: "1",
      kind: "block" as const,
      target: "203.0.113.7",
      ttlMs: dayMs,
      reason: "scans",
      role: "viewer",
    },
    ...{ by: "vera@example.org", at: new Date(now).toISOString() },
  };
  expect(requestStates([request]).states).toMatchObject([
    {
      title: "Request: block 203.0.113.7",
      text: "vera@example.org (viewer) asks to block 203.0.113.7: scans",
    },
  ]);
  const decision = { is: "declined", by: "sam@example.org", at: "", word: "a partner" } as const;
  const { states, ends } = requestStates([{ ...request, decision }]);
  expect([states, ends.get("request 1")]).toEqual([[], "Declined by sam@example.org: a partner"]);
});

it.each([
  ["1 attempt for ada@example.org", { count: 1, isSlowdown: false }],
  [
    "57 more from 3 addresses (203.0.113.7, 203.0.113.9 and others), for no known user",
    { count: 57, isSlowdown: false },
  ],
  [
    "20 failures within 15 min, from any address, for ada@example.org: attempts for it take turns, one every 2 s",
    { count: 0, isSlowdown: true },
  ],
  [
    "5 more for ada@example.org; 1 more account is slowed down: ada@example.org",
    { count: 5, isSlowdown: true },
  ],
])("a refused sign-in says how often: %s", (reason, attempts) => {
  expect(refusedAttempts(reason)).toEqual(attempts);
});

describe("an attack in words", () => {
  const client = (address: string, customers: string[] = []) => ({
    ...{ client: address, requests: 500, denied: 400, app: "shop", customers, isBlocked: false },
    network: { asn: 64_500, name: "Example Hosting" },
  });
  const facts = { app: "shop", perSecond: 24.2, before: 0.1, rule: "rule req/ip/2", change: undefined };
  const share = { percent: 81, isLeast: false };
  const network = "AS64500 Example Hosting";

  it("says who, from where, and which rule denies them", () => {
    const clients = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"].map((one) => client(one));
    expect(attackWords({ ...facts, named: { clients, share, network } })).toEqual({
      title: "Attack on shop",
      text: "Denials rose from 0.1 to 24 per s. 4 clients of AS64500 Example Hosting cause 81% of them: 203.0.113.1, 203.0.113.2, 203.0.113.3 and 1 more. Most are denied by rule req/ip/2.",
    });
  });

  it("is none where customers cause it, or no few clients", () => {
    const clients = [client("203.0.113.1", ["acme"])];
    const { title, text } = attackWords({ ...facts, named: { clients, share, network: undefined } });
    expect(title).toBe("Denials of shop are far over their usual rate");
    expect(text).toContain("1 client causes 81% of them: 203.0.113.1. Customer acme");
    const change = { at: now, action: "policy.set", text: "saved version 9 of the policy" };
    expect(attackWords({ ...facts, named: undefined, change }).text).toBe(
      "Denials rose from 0.1 to 24 per s. No few clients cause most of them. Most are denied by rule req/ip/2. Shortly before: saved version 9 of the policy.",
    );
  });
});

it("begins again where what was kept of nodes is not what it wrote", () => {
  const none = { lagging: {}, withoutCounters: {} };
  for (const text of [undefined, "", "no JSON", "{", "[]", '{"lagging":7,"withoutCounters":null}'])
    expect(readFleetMemory(text), text).toEqual(none);
  const kept = { lagging: { "shop-1": 5 }, withoutCounters: { "shop-2": 6 } };
  expect(readFleetMemory(JSON.stringify(kept))).toEqual(kept);
  expect(readFleetMemory('{"lagging":{"shop-1":"x"},"withoutCounters":{}}')).toEqual(none);
});
