import { describe, expect, it } from "vitest";
import { type AlarmSituation, advance } from "../../manage/alarms/advance.ts";
import { conditionsIn } from "../../manage/alarms/conditions.ts";
import type { Incident } from "../../manage/alarms/incident.ts";
import { usualOf } from "../stats/usual.ts";
import type { CountedSecond } from "./attack-detector.ts";
import { findAttacks } from "./attacks.ts";

const hourSeconds = 3_600;
const start = Date.UTC(2026, 10, 18, 0);

/** A generator whose numbers are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How many of independent requests arrive in a second with this mean. */
function poisson(mean: number, draw: () => number): number {
  if (mean > 30)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * (draw() + draw() + draw() - 1.5) * 2));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = draw(); product > limit; product *= draw()) count++;
  return count;
}

/** Ordinary traffic: three times as much at noon as at midnight, 2% of it denied, with bursts. */
const requestsAt = (second: number) => 60 - 40 * Math.cos((2 * Math.PI * second) / 86_400);
const deniedAt = (second: number) => 0.02 * requestsAt(second) * (1 + 0.5 * Math.sin(second / 37));

const terms = {
  deliveries: [],
  destinations: [
    { id: "1", name: "On-call", kind: "webhook", shown: "", alarms: ["attack"], isOn: true, by: "", at: "" },
  ],
  conditions: conditionsIn({}),
  acknowledged: new Set(),
  inFlight: new Set(),
} satisfies Partial<AlarmSituation>;

interface Replay {
  readonly from: number;
  readonly seconds: number;
  readonly hasHistory: boolean;
  readonly extra?: (second: number) => number;
}

/** Looks for attacks once a second, two seconds behind the traffic, and makes messages of what is found, as the console does. */
async function replay({ from, seconds, hasHistory, extra = () => 0 }: Replay) {
  const draw = random(from + seconds);
  const said: { second: number; event: string; text: string | undefined }[] = [];
  let incidents: readonly Incident[] = [];
  const counted: CountedSecond[] = [];
  const minutes: number[] = [];
  let memory: string | undefined;
  for (let second = from - hourSeconds; second < from + seconds; second++) {
    const denied = poisson(deniedAt(second), draw) + extra(second - from);
    counted.push({ requests: poisson(requestsAt(second), draw) + denied, denied });
    if (second % 60 === 59)
      minutes.push(counted.slice(-60).reduce((sum, one) => sum + (one?.denied ?? 0), 0) / 60);
    if (second < from) continue;
    const hour = (at: number) => usualOf([0.9, 1, 1, 1.1].map((part) => part * 0.02 * requestsAt(at))).high;
    const usualHigh = Math.max(hour(second - hourSeconds), hour(second), hour(second + hourSeconds));
    const rates = {
      seconds: counted.slice(-14, -2),
      usualHigh: hasHistory ? usualHigh : undefined,
      earlier: minutes.slice(-60, -2),
    };
    const {
      states,
      ends,
      memory: next,
    } = await findAttacks(memory, {
      now: start + second * 1_000,
      rates: new Map([["shop", rates]]),
      wordsOf: async (app, perSecond) => ({ title: `Attack on ${app}`, text: `${Math.round(perSecond)}` }),
      deniedSince: async () => 19_310,
    });
    memory = next;
    const now = start + second * 1_000;
    const { incidents: changed, deliveries } = advance(
      { ...terms, now, incidents, newId: () => `${second}` },
      { states, ends, readKinds: ["attack"], events: [] },
    );
    incidents = [...incidents.filter(({ id }) => changed.every((one) => one.id !== id)), ...changed];
    for (const { event, incident } of deliveries)
      said.push({ second: second - from, event, text: incident.lines.at(-1)?.text });
  }
  return said;
}

describe("an attack", () => {
  it.each([
    { night: true, hasHistory: true, rate: 24 },
    { night: true, hasHistory: true, rate: 6 },
    { night: false, hasHistory: true, rate: 24 },
    { night: true, hasHistory: false, rate: 24 },
    { night: false, hasHistory: false, rate: 40 },
  ])(
    "is said once within 10 s of its begin, and once at its end: %j",
    async ({ night, hasHistory, rate }) => {
      const attackSeconds = 600;
      const said = await replay({
        ...{ from: night ? 2 * hourSeconds : 12 * hourSeconds, seconds: 2_000, hasHistory },
        extra: (second) => (second >= 300 && second < 300 + attackSeconds ? rate : 0),
      });
      expect(said.map(({ event }) => event)).toEqual(["opened", "ended"]);
      const [begin, end] = said;
      expect(begin?.second).toBeGreaterThanOrEqual(300);
      // One second more for the message itself.
      expect(begin?.second).toBeLessThanOrEqual(309);
      expect(end?.second).toBeGreaterThanOrEqual(300 + attackSeconds + 300);
      expect(end?.second).toBeLessThanOrEqual(300 + attackSeconds + 330);
      expect(end?.text).toMatch(
        /^Denials were under \d+(\.\d)? per s for 5 min\. 19,310 requests were denied$/,
      );
    },
  );

  it("that pauses for a minute is one", async () => {
    const said = await replay({
      ...{ from: 3 * hourSeconds, seconds: 1_500, hasHistory: true },
      extra: (second) => (second > 100 && second < 900 && second % 120 < 60 ? 30 : 0),
    });
    expect(said.map(({ event }) => event)).toEqual(["opened", "ended"]);
  });
});

describe("ordinary traffic", () => {
  it("with its daily swing raises nothing for a whole day", async () => {
    expect(await replay({ from: 0, seconds: 86_400, hasHistory: true })).toEqual([]);
  });

  it("raises nothing without a history either", async () => {
    expect(await replay({ from: 5 * hourSeconds, seconds: 4 * hourSeconds, hasHistory: false })).toEqual([]);
  });

  it("with a burst of a second raises nothing", async () => {
    const extra = (second: number) => (second % 300 === 7 ? 25 : 0);
    expect(await replay({ from: 3 * hourSeconds, seconds: 3_600, hasHistory: true, extra })).toEqual([]);
  });
});

describe("what is unknown", () => {
  const view = (now: number, seconds: CountedSecond[]) => ({
    now,
    rates: new Map([["shop", { seconds, usualHigh: 1, earlier: [] }]]),
    wordsOf: async () => ({ title: "Attack on shop", text: "" }),
    deniedSince: async () => undefined,
  });
  const high = Array.from({ length: 10 }, () => ({ requests: 100, denied: 50 }));
  const unknown = Array.from({ length: 10 }, () => undefined);

  it("begins no attack, and ends none for an hour", async () => {
    expect((await findAttacks(undefined, view(start, unknown))).states).toEqual([]);
    const { memory } = await findAttacks(undefined, view(start, high));
    const later = await findAttacks(memory, view(start + 59 * 60_000, unknown));
    expect([later.states.length, later.ends.size]).toEqual([1, 0]);
    const over = await findAttacks(memory, view(start + 61 * 60_000, unknown));
    expect(over.ends.get("attack shop")).toBe("Nodes of the app have not reported for 1 h");
  });

  it("is not held for calm: memory that another version wrote is left out", async () => {
    expect((await findAttacks('{"shop":{"since":"yesterday"}}', view(start, unknown))).states).toEqual([]);
  });
});
