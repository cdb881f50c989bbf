import { expect, it } from "vitest";
import type { FeedItem } from "../../observe/stats/feed.ts";
import { habitsOf } from "./client-habits.ts";

const item = (some: Partial<FeedItem> = {}): FeedItem => ({
  ...{ id: "1-0", at: 1, ip: "203.0.113.7", method: "GET", host: "Shop.example.org:8080", path: "/a?x=1" },
  ...{ userAgent: "sqlmap/1.8", outcome: "throttled", rule: "r", customerId: "", standsFor: 1 },
  ...{ app: "shop", node: "n" },
  ...some,
});

const nothing = { appsCounted: new Map() };
const uncounted = (seen: readonly FeedItem[]) => ({ seen, clients: [{ seen, minutes: [] }] });

it("counts fingerprints as rules and edges do: the host bare, the path without its query", () => {
  const seen = [
    item(),
    item({ path: "/a?x=2" }),
    item({ path: "/b", method: "POST" }),
    item({ ip: "2001:db8::1", userAgent: "curl/8" }),
    item({ ip: "" }),
  ];
  const { standard, broad } = habitsOf({ ...uncounted(seen), ...nothing }, []).fingerprints;
  expect(standard).toEqual([
    { text: "shop.example.org:/a:GET:203.0.113.7:sqlmap/1.8", share: 0.4, isCut: false },
    { text: "shop.example.org:/b:POST:203.0.113.7:sqlmap/1.8", share: 0.2, isCut: false },
    { text: "shop.example.org:/a:GET:2001:db8::1:curl/8", share: 0.2, isCut: false },
  ]);
  expect(broad).toEqual([
    { text: "203.0.113.7:sqlmap/1.8", share: 0.6, isCut: false },
    { text: "2001:db8::1:curl/8", share: 0.2, isCut: false },
  ]);
});

it("gives shares of all requests, by what was counted of denials and of others", () => {
  const seen = [
    item({ userAgent: "ffuf/2.1", rule: "login", outcome: "blocked" }),
    item({ userAgent: "ffuf/2.1" }),
    item({ outcome: "pass", rule: "", path: "/b", app: "docs" }),
    item({ outcome: "pass", rule: "", path: "/c" }),
  ];
  const clients = [{ seen, minutes: [{ minute: 0, requests: 1_000, denied: 900 }] }];
  const appsCounted = new Map([["shop", 1_000]]);
  const habits = habitsOf({ seen, clients, appsCounted }, []);
  expect(habits.userAgents).toMatchObject([
    { text: "ffuf/2.1", share: 0.9, tool: "ffuf" },
    { text: "sqlmap/1.8", share: 0.1, tool: "sqlmap" },
  ]);
  expect(habits.outcomes).toEqual([
    { text: "blocked", share: 0.45 },
    { text: "throttled", share: 0.45 },
    { text: "pass", share: 0.1 },
  ]);
  expect(habits.denyingRules).toEqual([
    { text: "login", share: 0.5 },
    { text: "r", share: 0.5 },
  ]);
  expect(habits.apps).toEqual([
    { text: "shop", share: 1 },
    { text: "docs", share: 0 },
  ]);
  expect(habits.samples).toMatchObject({ count: 4, latest: [{ outcome: "blocked" }, {}, {}, {}] });
});

it("knows the apps of a client without samples", () => {
  const clients = [{ seen: [], minutes: [{ minute: 0, requests: 4, denied: 1 }] }];
  const { apps, samples, outcomes } = habitsOf(
    { seen: [], clients, appsCounted: new Map([["shop", 4]]) },
    [],
  );
  expect([apps, samples]).toEqual([[{ text: "shop", share: 1 }], null]);
  expect(outcomes).toEqual([
    { text: "not-denied", share: 0.75 },
    { text: "denied", share: 0.25 },
  ]);
});

it("weighs each sample by what was counted around its minute", () => {
  const minuteMs = 60_000;
  // Twenty samples of a first second, and one a minute later on.
  const burst = Array.from({ length: 20 }, () => item({ outcome: "throttled", path: "/login" }));
  const later = Array.from({ length: 10 }, (_, i) =>
    item({ at: (20 + i) * minuteMs, outcome: "blocked", path: "/api" }),
  );
  const seen = [...burst, ...later, item({ outcome: "pass", path: "/" })];
  const minutes = [
    { minute: 0, requests: 300, denied: 200 },
    ...later.map((_, i) => ({ minute: 20 + i, requests: 70, denied: 70 })),
  ];
  const { outcomes, requests } = habitsOf({ seen, clients: [{ seen, minutes }], ...nothing }, []);
  expect(outcomes).toEqual([
    { text: "blocked", share: expect.closeTo(0.7) },
    { text: "throttled", share: expect.closeTo(0.2) },
    { text: "pass", share: expect.closeTo(0.1) },
  ]);
  expect(requests[0]).toMatchObject({ text: "/api", share: expect.closeTo(0.7) });
});

it("shows no share of a verdict that was not counted, and does not tell requests in shadow from those that passed", () => {
  const seen = [item(), item({ outcome: "pass" }), item({ outcome: "shadow" })];
  expect(habitsOf({ ...uncounted(seen), ...nothing }, []).outcomes).toEqual([]);
  const clients = [{ seen, minutes: [{ minute: 0, requests: 10, denied: 2 }] }];
  expect(habitsOf({ seen, clients, ...nothing }, []).outcomes).toEqual([
    { text: "not-denied", share: 0.8 },
    { text: "throttled", share: 0.2 },
  ]);
});

it("says which fingerprint is not the whole one", () => {
  const longPath = item({ path: `/${"a".repeat(199)}` });
  const longQuery = item({ path: `/b?${"a".repeat(197)}` });
  const longAgent = item({ path: "/c", userAgent: "a".repeat(200) });
  const { standard, broad } = habitsOf(
    { ...uncounted([longPath, longQuery, longAgent]), ...nothing },
    [],
  ).fingerprints;
  expect(standard.map(({ isCut }) => isCut)).toEqual([true, false, false]);
  expect(broad.map(({ isCut }) => isCut)).toEqual([false, false]);
});
