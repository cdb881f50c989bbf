import fc from "fast-check";
import { expect, it } from "vitest";
import type { Over } from "../../enforce/edge/sightings.ts";
import { type DecisionInputs, decide, type Limited } from "./decide.ts";
import { broad, edgePolicy, over, standard } from "./vitest.edge.ts";

const minuteMs = 60_000;
const now = (minute: number) => minute * minuteMs + 1_000;

function inputs(minute: number, some: Partial<DecisionInputs> = {}): DecisionInputs {
  return {
    ...{
      nowMs: now(minute),
      policy: edgePolicy,
      over: [],
      cleared: new Map(),
      isExempt: () => false,
      most: 100,
    },
    ...some,
  };
}

const none = new Map<string, Limited>();
const client = standard("203.0.113.9");

it("limits a client over the limit until the cool-down after the last such minute ends", () => {
  const first = decide(none, inputs(100, { over: [over(client, 121, 100)] }));
  expect([...first.values()]).toEqual([
    {
      ...{ fingerprint: client, since: now(100), lastOver: 100, count: 121, limit: 120 },
      until: 111 * minuteMs,
    },
  ]);
  const quiet = decide(first, inputs(110));
  expect(quiet.size).toBe(1);
  expect(decide(quiet, inputs(111)).size).toBe(0);
  const again = decide(quiet, inputs(110, { over: [over(client, 500, 110)] }));
  expect([...again.values()]).toMatchObject([{ since: now(100), count: 500, until: 121 * minuteMs }]);
});

it("ends a limit at once for a client that is safelisted, cleared, or within raised limits", () => {
  const limited = decide(
    none,
    inputs(100, { over: [over(client, 200, 100), over(broad("203.0.113.8"), 301, 100)] }),
  );
  expect(decide(limited, inputs(100, { isExempt: ({ ip }) => ip === "203.0.113.9" })).size).toBe(1);
  expect(decide(limited, inputs(100, { cleared: new Map([[client.key, 100]]) })).size).toBe(1);
  expect(decide(limited, inputs(100, { policy: { ...edgePolicy, standardPerMinute: 200 } })).size).toBe(1);
});

it("ignores requests before a clearing, and counts requests after it", () => {
  const cleared = new Map([[client.key, 100]]);
  expect(decide(none, inputs(100, { over: [over(client, 900, 100)], cleared })).size).toBe(0);
  expect(decide(none, inputs(101, { over: [over(client, 900, 101)], cleared })).size).toBe(1);
});

it("keeps the worst of more clients than fit, by how far over their own limit they are", () => {
  const many = Array.from({ length: 300 }, (_, i) => over(standard("203.0.113.9", `/${i}`), 121 + i, 100));
  const kept = decide(
    none,
    inputs(100, { over: [...many, over(broad("203.0.113.9"), 3_000, 100)], most: 10 }),
  );
  expect([...kept.values()].map(({ count }) => count)).toEqual([
    3_000, 420, 419, 418, 417, 416, 415, 414, 413, 412,
  ]);
});

it("gives a place to a client that is twice as bad, and does not swap places of similar clients", () => {
  const [one, other] = [standard("203.0.113.1"), standard("203.0.113.2")];
  const first = decide(none, inputs(100, { over: [over(one, 130, 100)], most: 1 }));
  const alike = decide(first, inputs(100, { over: [over(one, 130, 100), over(other, 250, 100)], most: 1 }));
  expect([...alike.keys()]).toEqual([one.key]);
  const worse = decide(alike, inputs(100, { over: [over(one, 130, 100), over(other, 261, 100)], most: 1 }));
  expect([...worse.keys()]).toEqual([other.key]);
  expect(decide(worse, inputs(100, { over: [over(one, 300, 100)], most: 1 })).has(other.key)).toBe(true);
});

it("decides the same in one process and when another process takes over", () => {
  const sighting = fc.record({
    client: fc.integer({ min: 0, max: 5 }),
    count: fc.integer({ min: 121, max: 999 }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(sighting, { maxLength: 4 }), { minLength: 1, maxLength: 30 }),
      (minutes) => {
        let one = none;
        let other = none;
        for (const [i, sightings] of minutes.entries()) {
          const minute = 100 + i;
          const seen: Over[] = sightings.map(({ client: last, count }) =>
            over(standard(`203.0.113.${last}`), count, minute),
          );
          one = decide(one, inputs(minute, { over: seen }));
          other = decide(decide(other, inputs(minute, { over: seen })), inputs(minute, { over: seen }));
          other = new Map([...other].map(([key, limited]) => [key, structuredClone(limited)]));
        }
        expect(other).toEqual(one);
      },
    ),
  );
});
