import fc from "fast-check";
import { expect, it } from "vitest";
import { decide, type Limited, type Seen } from "./decide.ts";
import type { Over } from "./sightings.ts";
import { broad, edgePolicy, over, standard } from "./vitest.edge.ts";

const minuteMs = 60_000;
const now = (minute: number) => minute * minuteMs + 1_000;

function see(minute: number, seen: Partial<Seen> = {}): Seen {
  return {
    ...{
      nowMs: now(minute),
      policy: edgePolicy,
      over: [],
      cleared: new Map(),
      isFree: () => false,
      most: 100,
    },
    ...seen,
  };
}

const none = new Map<string, Limited>();
const client = standard("203.0.113.9");

it("limits who came too often, until the cool-down after the last such minute is over", () => {
  const first = decide(none, see(100, { over: [over(client, 121, 100)] }));
  expect([...first.values()]).toEqual([
    {
      ...{ fingerprint: client, since: now(100), lastOver: 100, count: 121, limit: 120 },
      until: 111 * minuteMs,
    },
  ]);
  const quiet = decide(first, see(110));
  expect(quiet.size).toBe(1);
  expect(decide(quiet, see(111)).size).toBe(0);
  const again = decide(quiet, see(110, { over: [over(client, 500, 110)] }));
  expect([...again.values()]).toMatchObject([{ since: now(100), count: 500, until: 121 * minuteMs }]);
});

it("lets in at once who is safelisted, who was let in by hand, and who is within limits that were raised", () => {
  const limited = decide(
    none,
    see(100, { over: [over(client, 200, 100), over(broad("203.0.113.8"), 301, 100)] }),
  );
  expect(decide(limited, see(100, { isFree: ({ ip }) => ip === "203.0.113.9" })).size).toBe(1);
  expect(decide(limited, see(100, { cleared: new Map([[client.key, 100]]) })).size).toBe(1);
  expect(decide(limited, see(100, { policy: { ...edgePolicy, standardPerMinute: 200 } })).size).toBe(1);
});

it("does not hold against somebody what was before a clearing, and holds what comes after", () => {
  const cleared = new Map([[client.key, 100]]);
  expect(decide(none, see(100, { over: [over(client, 900, 100)], cleared })).size).toBe(0);
  expect(decide(none, see(101, { over: [over(client, 900, 101)], cleared })).size).toBe(1);
});

it("keeps the worst of more than fit, by how far over their own limit they are", () => {
  const many = Array.from({ length: 300 }, (_, i) => over(standard("203.0.113.9", `/${i}`), 121 + i, 100));
  const kept = decide(none, see(100, { over: [...many, over(broad("203.0.113.9"), 3_000, 100)], most: 10 }));
  expect([...kept.values()].map(({ count }) => count)).toEqual([
    3_000, 420, 419, 418, 417, 416, 415, 414, 413, 412,
  ]);
});

it("gives a place to another who is twice as bad, and not to and fro among those who are alike", () => {
  const [one, other] = [standard("203.0.113.1"), standard("203.0.113.2")];
  const held = decide(none, see(100, { over: [over(one, 130, 100)], most: 1 }));
  const alike = decide(held, see(100, { over: [over(one, 130, 100), over(other, 250, 100)], most: 1 }));
  expect([...alike.keys()]).toEqual([one.key]);
  const worse = decide(alike, see(100, { over: [over(one, 130, 100), over(other, 261, 100)], most: 1 }));
  expect([...worse.keys()]).toEqual([other.key]);
  expect(decide(worse, see(100, { over: [over(one, 300, 100)], most: 1 })).has(other.key)).toBe(true);
});

it("comes to the same whoever decides in between: one process all the time, or another that takes over", () => {
  const sight = fc.record({ who: fc.integer({ min: 0, max: 5 }), count: fc.integer({ min: 121, max: 999 }) });
  fc.assert(
    fc.property(fc.array(fc.array(sight, { maxLength: 4 }), { minLength: 1, maxLength: 30 }), (minutes) => {
      let one = none;
      let other = none;
      for (const [i, sights] of minutes.entries()) {
        const minute = 100 + i;
        const seen: Over[] = sights.map(({ who, count }) =>
          over(standard(`203.0.113.${who}`), count, minute),
        );
        one = decide(one, see(minute, { over: seen }));
        other = decide(decide(other, see(minute, { over: seen })), see(minute, { over: seen }));
        other = new Map([...other].map(([key, limited]) => [key, structuredClone(limited)]));
      }
      expect(other).toEqual(one);
    }),
  );
});
