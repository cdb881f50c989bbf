import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../enforce/limits/plan.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { sendReport } from "../../enforce/stats/report.ts";
import { type CountedDecision, StatsTally } from "../../enforce/stats/tally.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { ClientCounts } from "./client-counts.ts";
import { type ClientRates, effectOf, readRates } from "./rates.ts";

let server: TestRedis;
let redis: Connection;
/** Where windows of one and of five minutes begin. */
const start = 1_700_006_400;
const minutes = 10;
const seconds = minutes * 60;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(() => server.client.flushall());

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** The clients of each second's requests. */
type Traffic = readonly (readonly string[])[];

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** The first client is the busiest. Every third sends requests in some minutes alone, and then three times as many. */
function traffic(clients: number): Traffic {
  const random = randomFrom(11);
  return Array.from({ length: seconds }, (_, second) =>
    Array.from({ length: clients }, (_, i) => {
      const perSecond = 4 / (1 + i / 6);
      const isBursty = i % 3 === 2;
      if (isBursty && (Math.floor(second / 60) + i) % 3 > 0) return [];
      const expected = isBursty ? 3 * perSecond : perSecond;
      const times = Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
      return Array.from({ length: times }, () => `10.0.${i >> 8}.${i & 255}`);
    }).flat(),
  );
}

const passed = (network: string): CountedDecision => ({
  ...{
    outcome: "pass",
    rule: undefined,
    deniedBy: undefined,
    isCustomerUnknown: false,
    shadowed: [],
    isUnsure: false,
    customerId: undefined,
    tookMs: 0.1,
  },
  network,
});
const look = () => ({ ip: "", method: "GET", host: "", path: "/", userAgent: "" });

interface ReportOptions {
  /** After the end of the requests' second. */
  readonly lateMs: number;
  readonly mostHitters?: number;
}

/** The rates read from a node's reports, one a second. */
async function ratesOf(came: Traffic, periodMinutes: number, { lateMs, mostHitters }: ReportOptions) {
  const tally = new StatsTally();
  if (mostHitters !== undefined) tally.keepAtMost({ hitters: mostHitters, seen: 20, evidence: 100 });
  for (const [second, clients] of came.entries()) {
    for (const client of clients) tally.note(passed(client), look);
    const report = tally.take();
    const nowMs = (start + second + 1) * 1_000 - 1 + lateMs;
    if (second % 60 === 59) tally.endMinute();
    if (report) await sendReport(redis, { app: "shop", node: "n", report, nowMs });
  }
  // One window more, for late reports of the last second.
  const windows = minutes / periodMinutes + 1;
  const nowMs = (start + seconds + 60 * (periodMinutes - 1)) * 1_000;
  return readRates(new ClientCounts(redis), { kind: "ip", periodMinutes, windows, nowMs });
}

/** The same traffic under that limit: how often each client was denied. */
async function replay(came: Traffic, periodMinutes: number, limit: number): Promise<Map<string, number>> {
  let second = 0;
  const scales = createScales(redis, { withinMs: 10_000, clock: () => (start + second) * 1e6 });
  const step = { rule: "tried", algorithm: "fixed", limit, periodSeconds: 60 * periodMinutes } as const;
  const plan: Plan = { steps: [{ ...step, overageWeight: 1, isShadowed: false }] };
  const denied = new Map<string, number>();
  for (const clients of came) {
    const weighed = clients.map((client) => scales.weigh({ plan, clients: [client], costs: [1] }));
    for (const [i, answer] of (await Promise.all(weighed)).entries()) {
      const client = clients[i] ?? "";
      if (answer.outcome !== "weighed") throw new Error("a request was not weighed");
      if (answer.deniedBy >= 0) denied.set(client, (denied.get(client) ?? 0) + 1);
    }
    second++;
  }
  return denied;
}

const overIn = (rates: readonly ClientRates[], limit: number) =>
  new Set(rates.filter(({ peak }) => peak > limit).map(({ client }) => client));
const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);

describe.each([
  { periodMinutes: 1, limits: [30, 60, 150] },
  { periodMinutes: 5, limits: [120, 300, 800] },
])("a limit per $periodMinutes min", ({ periodMinutes, limits }) => {
  const came = traffic(60);
  const replays = new Map<number, ReadonlyMap<string, number>>();

  beforeAll(async () => {
    for (const limit of limits) {
      await server.client.flushall();
      replays.set(limit, await replay(came, periodMinutes, limit));
    }
  });

  it("throttles the very clients and requests that were predicted", async () => {
    const rates = await ratesOf(came, periodMinutes, { lateMs: 0 });
    for (const [limit, denied] of replays) {
      const judged = effectOf(rates, limit);
      expect(denied.size).toBeGreaterThan(2);
      expect(denied.size).toBeLessThan(58);
      expect(overIn(rates, limit)).toEqual(new Set(denied.keys()));
      expect([judged.clients, judged.requests]).toEqual([denied.size, sum(denied.values())]);
      expect(judged.share).toBeCloseTo(sum(denied.values()) / came.flat().length, 12);
    }
  });

  // Reports are of a second that is over, so the last requests of a window are reported in the next one.
  it("differs by no more than what reports carry over the ends of windows", async () => {
    const rates = await ratesOf(came, periodMinutes, { lateMs: 900 });
    const carried = new Map<string, number>();
    for (let end = 60 * periodMinutes - 1; end < seconds; end += 60 * periodMinutes)
      for (const client of came[end] ?? []) carried.set(client, (carried.get(client) ?? 0) + 1);
    let differing = 0;
    for (const [limit, denied] of replays)
      for (const { client, counts } of rates) {
        const predicted = sum(counts.map((count) => Math.max(0, count - limit)));
        const difference = Math.abs(predicted - (denied.get(client) ?? 0));
        expect(difference).toBeLessThanOrEqual(carried.get(client) ?? 0);
        if (difference > 0) differing++;
      }
    expect(differing).toBeGreaterThan(0);
  });

  // A node of a large fleet reports few clients at a time; the others later, but never more requests than there were.
  it("never predicts more than happens, and nearly all of it, where a report has no room for everybody", async () => {
    const rates = await ratesOf(came, periodMinutes, { lateMs: 0, mostHitters: 20 });
    const known = sum(rates.flatMap(({ counts }) => counts));
    expect(known / came.flat().length).toBeGreaterThan(0.98);
    for (const [limit, denied] of replays) {
      for (const client of overIn(rates, limit)) expect(denied.has(client)).toBe(true);
      const { requests } = effectOf(rates, limit);
      expect(requests).toBeLessThanOrEqual(sum(denied.values()));
      expect(requests).toBeGreaterThan(0.95 * sum(denied.values()));
    }
  });
});
