import { beforeEach, expect, it } from "vitest";
import { windowAlgorithms } from "../algorithms/algorithms.ts";
import { KnownDenials } from "./known-denials.ts";
import type { CountedRequest, Plan, Step } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { Modelled, startMicros, stepOf, weighed } from "./vitest.differential.ts";

const counters = testCounters();
let nowMs = 0;
let denials: KnownDenials;
beforeEach(() => {
  nowMs = startMicros / 1_000;
  denials = new KnownDenials({ clock: () => nowMs });
});

const loadOf = ({ steps }: Plan, client = "a", cost = 1): CountedRequest => {
  return { plan: { steps }, clients: steps.map(() => client), costs: steps.map(() => cost) };
};

/** What Redis answers, by the tests' clock. */
function scalesAt() {
  const scales = createScales(counters.redis, { clock: () => nowMs * 1_000, withinMs: 10_000 });
  return {
    ...scales,
    async weigh(load: CountedRequest) {
      const answer = weighed(await scales.weigh(load));
      return { ...answer, at: { askedAtMs: nowMs, redisMicros: nowMs * 1_000 } };
    },
  };
}

/** Hits until Redis denies, which is remembered. */
async function exhaust(load: CountedRequest): Promise<void> {
  const scales = scalesAt();
  for (;;) {
    const answer = await scales.weigh(load);
    denials.remember(load, answer);
    if (answer.deniedBy >= 0) return;
  }
}

it("knows no client at first, and none that passed", async () => {
  const load = loadOf({ steps: [stepOf("fixed", "ip")] });
  expect(denials.find(load)).toBeUndefined();
  denials.remember(load, await scalesAt().weigh(load));
  expect(denials.find(load)).toBeUndefined();
});

it("keeps no more hits to be drained than it remembers clients, and loses no later ones", () => {
  denials = new KnownDenials({ clock: () => nowMs, mostClients: 10 });
  const plan = { steps: [stepOf("earrrl", "rate", { limit: 0.001 })] };
  const reading = { used: 1, resetMs: 60_000, isOver: true };
  const deny = (client: string) => {
    const load = loadOf(plan, client);
    denials.remember(load, { outcome: "weighed", deniedBy: 0, readings: [reading], trouble: [] });
    expect(denials.find(load)?.deniedBy).toBe(0);
  };
  for (let i = 0; i < 1_000; i++) deny(`c${i}`);
  expect(denials.drain().length).toBeLessThanOrEqual(20);
  deny("c999");
  expect(denials.drain().map(({ client }) => client)).toEqual(["c999"]);
});

it("forgets at once that a client is denied by what is under way, and not what its counter denies", async () => {
  const atOnce = loadOf({ steps: [stepOf("concurrent", "at-once", { limit: 1 })] });
  const login = loadOf({ steps: [stepOf("fixed", "login", { limit: 1, countWhen: "failed" })] });
  for (const load of [atOnce, login]) {
    const scales = scalesAt();
    await scales.weigh({ ...load, hold: "one" });
    const denied = weighed(await scales.weigh(load));
    expect(denied.deniedBy).toBe(0);
    denials.remember(load, denied);
    expect(denials.find(load)).toBeUndefined();
  }
  await scalesAt().settle({ ...login, hold: "one", charged: [1] }, startMicros);
  denials.remember(login, weighed(await scalesAt().weigh(login)));
  expect(denials.find(login)?.deniedBy).toBe(0);
});

it.each(windowAlgorithms.filter((algorithm) => algorithm !== "concurrent"))(
  "%s: denies only as long as Redis would, to the millisecond and a little",
  async (algorithm) => {
    const load = loadOf({ steps: [stepOf(algorithm, "ip", { limit: 3 })] });
    await exhaust(load);
    const scales = scalesAt();
    let last = 0;
    let denied = 0;
    for (let step = 0; step < 4_000; step++, nowMs += 37) {
      const known = denials.find(load);
      const { deniedBy } = weighed(await scales.read(load));
      if (known) expect([nowMs, deniedBy]).toEqual([nowMs, 0]);
      else if (deniedBy === 0) expect(nowMs - last).toBeLessThan(500);
      if (known) [last, denied] = [nowMs, denied + 1];
      if (!known && deniedBy === -1) break;
    }
    expect(last).toBeGreaterThan(startMicros / 1_000);
    expect(denied).toBeGreaterThan(10);
  },
);

it("denies by an estimate until it is clear, and not longer", async () => {
  const load = loadOf({ steps: [stepOf("earrrl", "rate", { limit: 0.1 })] });
  await exhaust(load);
  nowMs += (denials.find(load)?.readings[0]?.resetMs ?? 0) - 50;
  const { resetMs = 0 } = denials.find(load)?.readings[0] ?? {};
  expect(resetMs).toBeGreaterThan(1_000);
  nowMs += resetMs + 10_000;
  expect(denials.find(load)).toBeUndefined();
});

it("denies what costs as much or more, under the same limit or a lower one", async () => {
  const step = stepOf("rolling-set", "transfer", { limit: 10 });
  const load = loadOf({ steps: [step] }, "a", 4);
  await exhaust(load);
  expect(denials.find(loadOf({ steps: [step] }, "a", 5))?.deniedBy).toBe(0);
  expect(denials.find(loadOf({ steps: [step] }, "a", 3))).toBeUndefined();
  expect(denials.find(loadOf({ steps: [{ ...step, limit: 9 }] }, "a", 4))?.deniedBy).toBe(0);
  expect(denials.find(loadOf({ steps: [{ ...step, limit: 11 }] }, "a", 4))).toBeUndefined();
  expect(denials.find(loadOf({ steps: [{ ...step, isShadowed: true }] }, "a", 4))).toBeUndefined();
  expect(denials.find(loadOf({ steps: [{ ...step, rule: "other" }] }, "a", 4))).toBeUndefined();
  expect(denials.find(loadOf({ steps: [step] }, "b", 4))).toBeUndefined();
});

it("tells what Redis told, with the time that is left now", async () => {
  const load = loadOf({
    steps: [
      stepOf("first-hit", "ip", { limit: 2 }),
      stepOf("fixed", "day", { limit: 9, periodSeconds: 86_400 }),
    ],
  });
  await exhaust(load);
  nowMs += 20_000;
  const known = denials.find(load);
  expect(known?.readings[0]).toMatchObject({ used: 2, isOver: true });
  expect(known?.readings[0]?.resetMs).toBeCloseTo(40_000, -1);
  expect(known?.readings[1]).toMatchObject({ used: 2, isOver: false });
});

it("forgets a client, or everything", async () => {
  const plan = { steps: [stepOf("fixed", "ip", { limit: 1 }), stepOf("earrrl", "rate")] };
  for (const forget of [() => denials.forgetClient(" A "), () => denials.clear()]) {
    await counters.client.flushall();
    await exhaust(loadOf(plan));
    expect(denials.find(loadOf(plan))).toBeDefined();
    forget();
    expect(denials.find(loadOf(plan))).toBeUndefined();
  }
});

it("remembers so many clients and no more, and longest those who come", async () => {
  denials = new KnownDenials({ clock: () => nowMs, mostClients: 100 });
  const plan = { steps: [stepOf("fixed", "ip", { limit: 0, periodSeconds: 86_400 })] };
  const answer = await scalesAt().weigh(loadOf(plan));
  denials.remember(loadOf(plan, "busy"), answer);
  let known = 0;
  for (let i = 0; i < 1_000; i++) {
    denials.remember(loadOf(plan, `client-${i}`), answer);
    if (denials.find(loadOf(plan, "busy"))) known++;
  }
  expect(known).toBe(1_000);
  const stillKnown = Array.from({ length: 1_000 }, (_, i) =>
    denials.find(loadOf(plan, `client-${i}`)),
  ).filter(Boolean);
  expect(stillKnown.length).toBeLessThanOrEqual(100);
});

it("believes a denial no longer than it may", async () => {
  denials = new KnownDenials({ clock: () => nowMs, longestMs: 1_000 });
  const load = loadOf({ steps: [stepOf("fixed", "ip", { limit: 1, periodSeconds: 86_400 })] });
  await exhaust(load);
  nowMs += 999;
  expect(denials.find(load)).toBeDefined();
  nowMs += 1;
  expect(denials.find(load)).toBeUndefined();
});

it("charges EARRRL what the hits weigh by the time they are flushed, as if each had been weighed alone", async () => {
  for (const overageWeight of [1, 0.3]) {
    await counters.client.flushall();
    denials.clear();
    const rate: Step = stepOf("earrrl", "rate", { limit: 0.5, periodSeconds: 10, overageWeight });
    const plan = { steps: [stepOf("fixed", "ip", { limit: 8, periodSeconds: 86_400 }), rate] };
    const load = loadOf(plan);
    const modelled = new Modelled(rate);
    const scales = scalesAt();
    let calls = 0;
    for (let hit = 0; hit < 200; hit++, nowMs += 137) {
      const expected = modelled.hit("a", 1, nowMs * 1_000);
      const known = denials.find(load);
      const answer = known ?? (await scales.weigh(load));
      if (!known) {
        calls++;
        denials.remember(load, answer);
      }
      expect(answer.readings[1]?.used).toBeCloseTo(expected.used, 9);
      expect(answer.readings[1]?.isOver).toBe(expected.isOver);
      if (hit % 20 === 19) await scales.charge(denials.drain());
    }
    expect(calls).toBe(9);
    const { readings } = weighed(await scales.read(load));
    expect(readings[1]?.used).toBeCloseTo(modelled.look("a", 1, nowMs * 1_000).used, 9);
  }
});

it("lets Redis correct an estimate that other nodes have raised", async () => {
  const plan = { steps: [stepOf("earrrl", "rate", { limit: 0.5, periodSeconds: 10 })] };
  const load = loadOf(plan);
  await exhaust(load);
  const scales = scalesAt();
  for (let hit = 0; hit < 50; hit++) await scales.weigh(load);
  const alone = denials.find(load)?.readings[0]?.used ?? 0;
  await scales.charge(denials.drain());
  const corrected = denials.find(load)?.readings[0]?.used ?? 0;
  expect(corrected - alone).toBeCloseTo((51 * Math.LN2) / 10, 6);
});

it("charges in a call for each 128 clients, whatever they hammered", async () => {
  const plan = {
    steps: [stepOf("fixed", "ip", { limit: 0, periodSeconds: 86_400 }), stepOf("earrrl", "rate")],
  };
  const scales = scalesAt();
  const answer = await scales.weigh(loadOf(plan, "first"));
  for (let client = 0; client < 300; client++) denials.remember(loadOf(plan, `client-${client}`), answer);
  for (let hit = 0; hit < 30_000; hit++) denials.find(loadOf(plan, `client-${hit % 300}`));
  await counters.client.config("RESETSTAT");
  await scales.charge(denials.drain());
  const stats = await counters.client.info("commandstats");
  expect(Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1])).toBeLessThanOrEqual(3);
  const { readings } = weighed(await scales.read(loadOf(plan, "client-7")));
  expect(readings[1]?.used).toBeCloseTo((100 * Math.LN2) / 60, 9);
});
