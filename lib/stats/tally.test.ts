import { expect, it } from "vitest";
import { type Decided, Tally } from "./tally.ts";

const decided = (some: Partial<Decided> = {}): Decided => ({
  outcome: "pass",
  rule: undefined,
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
  const tally = new Tally();
  tally.note(decided(), look());
  tally.note(decided({ shadowed: ["rate/ip"], isUnsure: true }), look());
  tally.note(decided({ outcome: "throttled", rule: "req/ip", tookMs: 99 }), look());
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

it("tells who came most: addresses, customers, and whom a rule counts otherwise", () => {
  const tally = new Tally();
  for (let i = 0; i < 3; i++) tally.note(decided({ customerId: "1042" }), look());
  tally.note(decided({ outcome: "throttled", rule: "login", client: "joe" }), look());
  expect(tally.take()?.hitters).toEqual([
    { name: "ip 203.0.113.9", count: 4, denied: 1 },
    { name: "customer 1042", count: 3, denied: 0 },
    { name: "rule login joe", count: 1, denied: 1 },
  ]);
});

it("tells the heaviest of many, and of the others as soon as they are", () => {
  const tally = new Tally();
  tally.mostHitters = 2;
  const come = (times: Record<string, number>) => {
    for (const [network, count] of Object.entries(times))
      for (let i = 0; i < count; i++) tally.note(decided({ network, outcome: "blocked" }), look());
  };
  const told = () => tally.take()?.hitters.map(({ name, count, denied }) => [name, count, denied]);
  come({ a: 1, b: 5, c: 9, d: 2, e: 2 });
  expect(told()).toEqual([
    ["ip c", 9, 9],
    ["ip b", 5, 5],
  ]);
  come({ a: 3, b: 1 });
  expect(told()).toEqual([
    ["ip a", 4, 4],
    ["ip d", 2, 2],
  ]);
  expect(told()).toEqual([
    ["ip e", 2, 2],
    ["ip b", 1, 1],
  ]);
  expect(told()).toBeUndefined();
  come({ a: 1, b: 1, c: 1 });
  expect(told()).toHaveLength(2);
  tally.endMinute();
  expect(told()).toBeUndefined();
});

it("keeps a few denials, each with the same chance, and says how many each stands for", () => {
  const kept = new Map<string, number>();
  for (let run = 0; run < 400; run++) {
    const tally = new Tally();
    tally.mostSeen = 5;
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

it("looks at few of those who pass, and knows what a shadow would have stopped", () => {
  const tally = new Tally();
  let looks = 0;
  for (let i = 0; i < 129; i++)
    tally.note(decided(), () => {
      looks++;
      return look()();
    });
  tally.note(decided({ shadowed: ["rate/ip"] }), look());
  expect(looks).toBe(3);
  expect(tally.take()?.seen.map(({ outcome, rule, standsFor }) => [outcome, rule, standsFor])).toEqual([
    ["pass", "", 64],
    ["pass", "", 64],
    ["pass", "", 64],
    ["shadow", "rate/ip", 1],
  ]);
});
