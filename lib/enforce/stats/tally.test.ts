import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { randomOf } from "../stores/vitest.random.ts";
import { type CountedDecision, Pace, StatsTally } from "./tally.ts";

// The same samples are kept each time.
beforeEach(() => vi.spyOn(Math, "random").mockImplementation(randomOf(1)));
afterEach(() => vi.restoreAllMocks());

const decided = (some: Partial<CountedDecision> = {}): CountedDecision => ({
  outcome: "pass",
  rule: undefined,
  deniedBy: undefined,
  isCustomerUnknown: false,
  shadowed: [],
  isUnsure: false,
  network: "203.0.113.9",
  customerId: undefined,
  tookMs: 0.3,
  ...some,
});

const look =
  (ip = "203.0.113.9") =>
  () => ({ ip, method: "GET", host: "shop", path: "/", userAgent: "curl/8" });

it("counts outcomes, rules, shadows and how long it took, and forgets what it told", () => {
  const tally = new StatsTally();
  tally.note(decided(), look());
  tally.note(decided({ shadowed: ["rate/ip"], isUnsure: true }), look());
  tally.note(decided({ outcome: "throttled", rule: "req/ip/60", deniedBy: "req/ip", tookMs: 99 }), look());
  tally.note(decided({ outcome: "blocked", rule: "an entry" }), look());
  expect(Object.fromEntries(tally.take()?.counts ?? [])).toEqual({
    pass: 2,
    throttled: 1,
    blocked: 1,
    unsure: 1,
    "denied req/ip": 1,
    "shadow rate/ip": 1,
    "took 3": 3,
    "took 10": 1,
    "took us": 99_900,
  });
  expect(tally.take()).toBeUndefined();
});

it("reports the busiest addresses, customers, and clients that a rule counts by another value", () => {
  const tally = new StatsTally();
  for (let i = 0; i < 3; i++) tally.note(decided({ customerId: "1042" }), look());
  tally.note(decided({ outcome: "throttled", rule: "login/60", deniedBy: "login", counted: "joe" }), look());
  expect(tally.take()?.hitters).toEqual([
    { name: "ip 203.0.113.9", count: 4, denied: 1 },
    { name: "customer 1042", count: 3, denied: 0 },
    { name: "rule login joe", count: 1, denied: 1 },
  ]);
});

it("reports the heaviest of many, and the others as soon as they are", () => {
  const tally = new StatsTally();
  tally.keepAtMost({ hitters: 2, seen: 20, evidence: 100 });
  const come = (times: Record<string, number>) => {
    for (const [network, count] of Object.entries(times))
      for (let i = 0; i < count; i++) tally.note(decided({ network, outcome: "blocked" }), look());
  };
  const reported = () =>
    tally
      .take()
      ?.hitters.toSorted((a, b) => b.count - a.count)
      .map(({ name, count, denied }) => [name, count, denied]);
  come({ a: 1, b: 5, c: 9, d: 2, e: 2 });
  expect(reported()).toEqual([
    ["ip c", 9, 9],
    ["ip b", 5, 5],
  ]);
  come({ a: 3, b: 1 });
  expect(reported()).toEqual([
    ["ip a", 4, 4],
    ["ip d", 2, 2],
  ]);
  expect(reported()).toEqual([
    ["ip e", 2, 2],
    ["ip b", 1, 1],
  ]);
  expect(reported()).toBeUndefined();
  come({ a: 1, b: 1, c: 1 });
  expect(reported()).toHaveLength(2);
  tally.endMinute();
  expect(reported()).toBeUndefined();
});

it("keeps a few denials, each with the same chance, and says how many each represents", () => {
  const kept = new Map<string, number>();
  for (let run = 0; run < 400; run++) {
    const tally = new StatsTally();
    tally.keepAtMost({ hitters: 1_000, seen: 5, evidence: 0 });
    for (let i = 0; i < 20; i++)
      tally.note(decided({ outcome: "blocked", rule: "x", network: `n${i % 4}` }), look(String(i)));
    const seen = (tally.take()?.seen ?? []).filter(({ outcome }) => outcome === "blocked");
    expect(seen).toHaveLength(5);
    for (const { ip, standsFor } of seen) {
      expect(standsFor).toBe(4);
      kept.set(ip, (kept.get(ip) ?? 0) + 1);
    }
  }
  expect(kept.size).toBe(20);
  for (const count of kept.values()) expect(Math.abs(count - 100)).toBeLessThan(50);
});

it("keeps the first request of each client and ever fewer later ones, denials and passes apart, and makes no text of others", () => {
  const tally = new StatsTally();
  let looks = 0;
  const counting = () => {
    looks++;
    return look()();
  };
  for (let i = 0; i < 129; i++) tally.note(decided(), counting);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(20);
  tally.note(decided({ shadowed: ["rate/ip"] }), counting);
  tally.note(decided({ outcome: "blocked", rule: "an entry", network: "b", customerId: "1042" }), counting);
  const { denied, passed } = tally.takeEvidence();
  expect(passed[0]).toMatchObject({ outcome: "pass", nthOfIp: 1, allOfIp: 129 });
  for (const [i, { nthOfIp }] of passed.entries())
    if (i > 0) expect(nthOfIp).toBeGreaterThan(passed[i - 1]?.nthOfIp ?? 0);
  expect(denied).toMatchObject([
    { outcome: "shadow", rule: "rate/ip", network: "203.0.113.9", nthOfIp: 1, nthOfCustomer: 0 },
    { outcome: "blocked", rule: "an entry", network: "b", nthOfIp: 1, customerId: "1042", nthOfCustomer: 1 },
  ]);
  expect(tally.take()?.seen.map(({ outcome, standsFor }) => [outcome, standsFor])).toEqual([
    ["shadow", 1],
    ["blocked", 1],
  ]);
  expect(tally.takeEvidence()).toEqual({ denied: [], passed: [] });
});

it("gives each request the same chance to be the last sample of its client", () => {
  const lasts: number[] = [];
  for (let run = 0; run < 2_000; run++) {
    const tally = new StatsTally();
    for (let i = 0; i < 20; i++) tally.note(decided(), look());
    lasts.push(Math.max(...tally.takeEvidence().passed.map(({ nthOfIp }) => nthOfIp)));
  }
  for (let nth = 1; nth <= 20; nth++) {
    const count = lasts.filter((last) => last === nth).length;
    expect(count, `${nth}`).toBeGreaterThan(50);
    expect(count, `${nth}`).toBeLessThan(150);
  }
});

it("keeps denials of a customer behind a busy address", () => {
  const tally = new StatsTally();
  for (let i = 0; i < 100; i++) tally.note(decided({ outcome: "throttled" }), look());
  tally.note(decided({ outcome: "throttled", customerId: "1042" }), look());
  expect(tally.takeEvidence().denied.filter(({ customerId }) => customerId === "1042")).toHaveLength(1);
});

it("bounds what is kept in one report, however many clients are denied", () => {
  const tally = new StatsTally();
  for (let i = 0; i < 50_000; i++) {
    tally.note(decided({ outcome: "blocked", network: `d${i}` }), look());
    tally.note(decided({ network: `p${i}` }), look());
  }
  const { denied, passed } = tally.takeEvidence();
  expect([denied.length, passed.length]).toEqual([50, 25]);
  // Each has the same chance: not the first of the second alone.
  expect(denied.filter(({ network }) => Number(network?.slice(1)) >= 25_000).length).toBeGreaterThan(8);
});

const counted = (counts: Record<string, number>) => ({ counts: new Map(Object.entries(counts)) });

it("gives the mean of the last ten seconds, without anything before", () => {
  const pace = new Pace(0);
  for (let at = 1_000; at <= 60_000; at += 1_000) {
    const isBusy = at > 40_000;
    pace.add(counted({ pass: isBusy ? 80 : 1, throttled: isBusy ? 15 : 0, blocked: isBusy ? 5 : 0 }), at);
  }
  expect(pace.read(60_000)).toEqual({ requestsPerSecond: 100, deniedPerSecond: 20 });
  expect(pace.read(65_000)).toEqual({ requestsPerSecond: 50, deniedPerSecond: 10 });
  expect(pace.read(70_000)).toEqual({ requestsPerSecond: 0, deniedPerSecond: 0 });
});

it("counts each outcome once, whatever else was counted of it", () => {
  const pace = new Pace(0);
  pace.add(counted({ safelisted: 2, throttled: 3, "denied req/ip/1": 3, unsure: 1, "took 0": 5 }), 1_000);
  expect(pace.read(1_000)).toEqual({ requestsPerSecond: 5, deniedPerSecond: 3 });
});

it("does not take a first second that is not over for a busy one", () => {
  const pace = new Pace(0);
  pace.add(counted({ pass: 10 }), 20);
  expect(pace.read(20)).toEqual({ requestsPerSecond: 10, deniedPerSecond: 0 });
  expect(pace.read(4_000)).toEqual({ requestsPerSecond: 2.5, deniedPerSecond: 0 });
});

it("counts which entry of which list decided", () => {
  const tally = new StatsTally();
  const listed = (outcome: "blocked" | "safelisted", entry: string) =>
    tally.note(decided({ outcome, entry }), look());
  for (let i = 0; i < 3; i++) listed("blocked", "198.51.100.0/24");
  listed("safelisted", "198.51.100.0/24");
  tally.note(decided({ outcome: "throttled", deniedBy: "req/ip" }), look());
  expect(tally.take()?.entries).toEqual({
    blocklist: [["198.51.100.0/24", 3]],
    safelist: [["198.51.100.0/24", 1]],
  });
  expect(tally.take()).toBeUndefined();
});

it("reports the busiest entries first, and others later in the same minute alone", () => {
  const tally = new StatsTally();
  tally.keepAtMost({ hitters: 1, seen: 20, evidence: 100 });
  const block = (entry: string) =>
    tally.note(decided({ outcome: "blocked", entry, network: undefined }), look());
  for (const entry of ["a", "b", "b", "c"]) block(entry);
  expect(tally.take()?.entries?.blocklist).toEqual([["b", 2]]);
  block("c");
  expect(tally.take()?.entries?.blocklist).toEqual([["c", 2]]);
  tally.endMinute();
  expect(tally.take()).toBeUndefined();
});

it("counts a thousand entries of a list apart, however many decide", () => {
  const tally = new StatsTally();
  for (let i = 0; i < 20_000; i++) {
    tally.note(decided({ outcome: "blocked", entry: `one ${i}`, network: undefined }), look());
    tally.note(decided({ outcome: "blocked", entry: `busy ${i % 4}`, network: undefined }), look());
  }
  const found = tally.take()?.entries?.blocklist ?? [];
  expect(found.length).toBeLessThanOrEqual(1_000);
  const busiest = [...found].sort((a, b) => b[1] - a[1]).slice(0, 4);
  expect(new Map(busiest)).toEqual(new Map([0, 1, 2, 3].map((i) => [`busy ${i}`, 5_000])));
});
