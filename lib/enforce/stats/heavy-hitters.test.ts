import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAddress, readBlock } from "../../ip/parse.ts";
import { AddressUses } from "./address-uses.ts";
import { ownedNames, readOwnedName } from "./fields.ts";
import { BusiestClients, HeavyHitters, RuleHits, ScopeTally, ShadowedClients } from "./heavy-hitters.ts";

function counted(hits: readonly string[], capacity: number) {
  const hitters = new HeavyHitters(capacity);
  for (const name of hits) hitters.hit(name);
  return new Map([...hitters.certain()].map(({ name, count }) => [name, count]));
}

function truth(hits: readonly string[]) {
  const counts = new Map<string, number>();
  for (const name of hits) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const names = fc.array(
  fc.integer({ min: 0, max: 30 }).map((i) => `n${i}`),
  { maxLength: 300 },
);

it("is exact for as long as there is room", () => {
  const isExact = (hits: string[]) => {
    expect(counted(hits, 31)).toEqual(truth(hits));
  };
  fc.assert(fc.property(names, isExact), { numRuns: 500 });
});

it("never claims more than there was, and misses no name that has more than a share of it", () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 12 }), (hits, capacity) => {
      const found = counted(hits, capacity);
      const actual = truth(hits);
      expect(found.size).toBeLessThanOrEqual(capacity);
      for (const [name, count] of found) expect(count).toBeLessThanOrEqual(actual.get(name) ?? 0);
      for (const [name, count] of actual)
        if (count > hits.length / (capacity - (capacity >> 2))) expect(found.has(name)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it("says when a slot has changed hands", () => {
  const hitters = new HeavyHitters(2);
  expect([hitters.hit("a"), hitters.hit("a"), hitters.hit("b"), hitters.hit("c"), hitters.hit("c")]).toEqual([
    ~0,
    0,
    ~1,
    ~1,
    1,
  ]);
});

it("starts a forgotten name at 0, and gives its slot to another", () => {
  const hitters = new HeavyHitters(3);
  for (const name of "aaabbc") hitters.hit(name);
  hitters.forget("b");
  hitters.forget("nobody");
  expect([hitters.hit("d"), hitters.hit("a")]).toEqual([~1, 0]);
  expect([...hitters.certain()].map(({ slot, name, count }) => [slot, name, count])).toEqual([
    [0, "a", 4],
    [2, "c", 1],
    [1, "d", 1],
  ]);
});

it("counts the same with any guess of the slot", () => {
  const steps = fc.array(
    fc.record({
      name: fc.constantFrom(..."abcdefgh"),
      guess: fc.integer({ min: 0, max: 3 }),
      does: fc.constantFrom("hit", "hit", "hit", "hit", "forget", "clear"),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const [plain, guessing] = [new HeavyHitters(4), new HeavyHitters(4)];
      for (const { name, guess, does } of all) {
        if (does === "hit") expect(guessing.hit(name, guess)).toBe(plain.hit(name));
        else if (does === "forget") for (const one of [plain, guessing]) one.forget(name);
        else for (const one of [plain, guessing]) one.clear();
      }
      expect([...guessing.certain()]).toEqual([...plain.certain()]);
    }),
    { numRuns: 1_000 },
  );
});

it("gives the heaviest of its names, and as many of equal ones as there is room for", () => {
  fc.assert(
    fc.property(
      names,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (hits, capacity, most) => {
        const hitters = new HeavyHitters(capacity);
        for (const name of hits) hitters.hit(name);
        const countsOf = (some: Iterable<{ readonly count: number }>) =>
          [...some].map(({ count }) => count).sort((a, b) => b - a);
        expect(countsOf(hitters.certain(most))).toEqual(countsOf(hitters.certain()).slice(0, most));
      },
    ),
    { numRuns: 500 },
  );
});

it("starts at 0 when cleared", () => {
  const hitters = new HeavyHitters(3);
  for (const name of "aabbbcdef") hitters.hit(name);
  hitters.clear();
  for (const name of "xxy") hitters.hit(name);
  expect([...hitters.certain()].map(({ name, count }) => [name, count])).toEqual([
    ["x", 2],
    ["y", 1],
  ]);
});

it("finds twenty attackers among two million others, in memory that does not grow", () => {
  const hitters = new HeavyHitters(4_096);
  let other = 0;
  for (let i = 0; i < 2_000_000; i++) {
    hitters.hit(`other-${other++}`);
    if (i % 20 === 0) hitters.hit(`attacker-${(i / 20) % 20}`);
  }
  const top = [...hitters.certain()].toSorted((a, b) => b.count - a.count).slice(0, 20);
  expect(new Set(top.map(({ name }) => name))).toEqual(
    new Set(Array.from({ length: 20 }, (_, i) => `attacker-${i}`)),
  );
  expect(hitters.size).toBeLessThanOrEqual(4_096);
  // Of each attacker's 5,000 hits only those before it was among the heaviest are missing.
  for (const { count } of top) expect(count).toBeGreaterThan(4_900);
});

const reportOf = (uses: AddressUses) =>
  uses.take()?.map(({ address, customer, requests }) => `${customer} ${address} ${requests}`);

function turns(uses: AddressUses, count: number): (readonly string[] | undefined)[] {
  return Array.from({ length: count }, () => reportOf(uses));
}

it("reports a new customer of an address at once, and a known one once a minute with all its requests", () => {
  const uses = new AddressUses();
  uses.note("203.0.113.9", "acme");
  uses.note("203.0.113.9", "acme");
  uses.note("203.0.113.9", "1042");
  expect(reportOf(uses)).toEqual(["acme 203.0.113.9 2", "1042 203.0.113.9 1"]);
  for (let i = 0; i < 500; i++) uses.note("203.0.113.9", "acme");
  const [first, ...others] = turns(uses, 61).filter((one) => one !== undefined && one.length > 0);
  expect(first).toEqual(["acme 203.0.113.9 500"]);
  expect(others).toEqual([]);
});

it("reports once a minute although nothing is new", () => {
  const reports = turns(new AddressUses(), 121);
  expect(reports.flatMap((report, turn) => (report ? [turn] : []))).toEqual([0, 60, 120]);
});

it("reports no more at once than it may, and the others with a later request", () => {
  const uses = new AddressUses();
  uses.keepAtMost(2);
  const come = () => {
    for (const customer of ["a", "b", "c"]) uses.note("203.0.113.9", customer);
  };
  come();
  expect(reportOf(uses)).toEqual(["a 203.0.113.9 1", "b 203.0.113.9 1"]);
  come();
  expect(reportOf(uses)).toEqual(["c 203.0.113.9 1"]);
  expect(turns(uses, 60).flat()).toContain("a 203.0.113.9 1");
});

it("forgets what has nothing to report when there is no room, and takes nothing new while there is none", () => {
  const uses = new AddressUses();
  uses.keepAtMost(20_000);
  const come = (from: number, to: number) => {
    for (let i = from; i < to; i++) uses.note(`10.0.${i >> 8}.${i & 255}`, "crowd");
  };
  come(0, 8_192);
  come(8_192, 8_200);
  expect(uses.take()).toHaveLength(8_192);
  come(0, 8_191);
  come(8_192, 8_200);
  expect(reportOf(uses)).toEqual(["crowd 10.0.32.0 1"]);
});

it("reports again what a failed report had", () => {
  const uses = new AddressUses();
  uses.note("203.0.113.9", "acme");
  uses.take();
  uses.clear();
  uses.note("203.0.113.9", "acme");
  expect(reportOf(uses)).toEqual(["acme 203.0.113.9 1"]);
});

it("names addresses so that those of a range are between the names of its ends", () => {
  const nameOf = (text: string) => {
    const block = readBlock(text);
    if (!block) throw new Error(text);
    return ownedNames(block);
  };
  for (const text of ["0.0.0.0", "203.0.113.9", "255.255.255.255", "2001:db8:1:2::/64", "ff00::/64"]) {
    const [first, last] = nameOf(text);
    expect(first).toBe(last);
    const parsed = parseAddress(text);
    expect(readOwnedName(first)).toBe(parsed.ok ? parsed.value : undefined);
  }
  const [first, last] = nameOf("203.0.112.0/23");
  for (const inside of ["203.0.112.0", "203.0.113.255"]) {
    expect(nameOf(inside)[0] >= first && nameOf(inside)[0] <= last).toBe(true);
  }
  for (const outside of ["203.0.111.255", "203.0.114.0", "2001:db8::/64"]) {
    expect(nameOf(outside)[0] >= first && nameOf(outside)[0] <= last).toBe(false);
  }
  expect(readOwnedName("5c633640a")).toBeUndefined();
});

const narrow = { key: "n", seconds: 10, isBroad: false, isAnonymous: false } as const;
const broad = { key: "b", seconds: 60, isBroad: true, isAnonymous: true } as const;

it("counts a scope's clients in the ten seconds in which they came, however late they are reported", () => {
  const tally = new ScopeTally(narrow, 50_000);
  tally.add("a", 3, 59_999);
  tally.add("a", 1, 60_000);
  tally.add("b", 2, 60_500);
  const facts = { key: "n", seconds: 10 };
  expect(tally.report(10, 73_000)).toEqual([
    { ...facts, bucket: 5, clients: [["a", 3]] },
    {
      ...facts,
      bucket: 6,
      clients: [
        ["b", 2],
        ["a", 1],
      ],
    },
  ]);
  expect(tally.report(10, 74_000)).toEqual([]);
});

it("reports the heaviest of a scope, and the others later", () => {
  const tally = new ScopeTally(narrow, 0);
  for (const [client, amount] of [
    ["a", 1],
    ["b", 5],
    ["c", 3],
  ] as const)
    tally.add(client, amount, 500);
  const reported = () => tally.report(2, 900).flatMap(({ clients }) => clients);
  expect(reported()).toEqual([
    ["b", 5],
    ["c", 3],
  ]);
  expect(reported()).toEqual([["a", 1]]);
  expect(reported()).toEqual([]);
});

it("keeps a scope's memory bounded, and its heaviest clients, among a million others", () => {
  const tally = new ScopeTally(narrow, 0);
  for (let i = 0; i < 1_000_000; i++) {
    tally.add(`other-${i}`, 1, Math.floor(i / 50));
    if (i % 20 === 0) tally.add(`attacker-${(i / 20) % 20}`, 1, Math.floor(i / 50));
  }
  const all = tally.report(100_000, 20_000);
  expect(all.reduce((sum, { clients }) => sum + clients.length, 0)).toBeLessThanOrEqual(2 * 2_048);
  for (const { clients } of all)
    expect(new Set(clients.slice(0, 20).map(([client]) => client))).toEqual(
      new Set(Array.from({ length: 20 }, (_, i) => `attacker-${i}`)),
    );
});

it("counts a broad scope by the place of the address, and a customer without limits by its id", () => {
  const ips = new BusiestClients("ip", 4);
  const tally = new ScopeTally(broad, 0);
  ips.countFor([tally]);
  for (let i = 0; i < 3; i++) ips.hit("a", false, false, undefined, [tally]);
  ips.hit("a", false, false);
  ips.hit("a", false, false, undefined, [tally], "stranger");
  ips.hit("b", false, false);
  const report = () => {
    for (const hitter of [...ips.unreported(4)]) ips.report(hitter);
    return tally.report(10, 1_000).flatMap(({ clients }) => clients);
  };
  expect(new Map(report())).toEqual(
    new Map([
      ["a", 3],
      ["customer:stranger", 1],
    ]),
  );
  // Its place has a count of its own again, and so has that of another client.
  for (const name of ["c", "a", "a"]) ips.hit(name, false, false, undefined, [tally]);
  expect(new Map(report())).toEqual(
    new Map([
      ["a", 2],
      ["c", 1],
    ]),
  );
});

it("keeps the customers of denials in shadow apart from requests that are not signed in", () => {
  const clients = new ShadowedClients();
  clients.note("203.0.113.9", undefined);
  clients.note("203.0.113.9", "acme");
  clients.note("203.0.113.9", "acme");
  expect(new Map(clients.take())).toEqual(
    new Map([
      [" 203.0.113.9", 1],
      ["acme 203.0.113.9", 2],
    ]),
  );
});

const plan = (...rules: string[]) => ({ steps: rules.map((rule) => ({ rule, limit: 10 })) });
const reading = (used: number, isOver = false) => ({ used, isOver });

function taken(hits: RuleHits) {
  const found = new Map<string, number>();
  hits.take((field, count) => found.set(field, (found.get(field) ?? 0) + count));
  return Object.fromEntries(found);
}

it("counts each rule of a request once, also one with several levels", () => {
  const hits = new RuleHits();
  const [both, one] = [plan("a", "a", "b"), plan("a")];
  for (const made of [both, one, one, both]) hits.note(made, undefined);
  expect(taken(hits)).toEqual({ "hit a": 4, "hit b": 2 });
  expect(taken(hits)).toEqual({});
  hits.note(both, undefined);
  expect(taken(hits)).toEqual({ "hit a": 1, "hit b": 1 });
});

it("counts requests above 80% of a limit, and denied ones", () => {
  const hits = new RuleHits();
  const both = plan("a", "a", "b");
  hits.note(both, [reading(7), reading(7), reading(0)]);
  hits.note(both, [reading(8), reading(9), reading(0)]);
  hits.note(both, [reading(0), reading(10, true), reading(8)]);
  expect(taken(hits)).toEqual({ "hit a": 3, "hit b": 3, "near a": 2, "near b": 1 });
});
