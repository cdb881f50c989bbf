import fc from "fast-check";
import { expect, it } from "vitest";
import { HeavyHitters } from "./heavy-hitters.ts";

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
