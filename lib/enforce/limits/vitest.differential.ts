import fc from "fast-check";
import type { Redis } from "ioredis";
import { expect } from "vitest";
import { type Algorithm, chargeState, readState } from "../algorithms/algorithms.ts";
import type { CountedRequest, Plan, Reading, Step, Unweighed, Weighed } from "./plan.ts";
import { createScales, type RedisScales } from "./scales.ts";

/** What comes at one moment: some time after the last, or before it, as clocks do. */
export interface Moment {
  readonly advanceMicros: number;
  readonly hits: readonly { readonly client: string; readonly cost: number }[];
}

export const second = 1_000_000;

/** A step with the usual settings of these tests. */
export const stepOf = (algorithm: Algorithm, rule: string, some: Partial<Step> = {}): Step => ({
  rule,
  algorithm,
  limit: 5,
  periodSeconds: 60,
  overageWeight: 1,
  isShadowed: false,
  ...some,
});

/** Bursts, pauses, window's edges to the microsecond, and a clock that now and then steps back. */
export function traffic(periodSeconds: number): fc.Arbitrary<Moment[]> {
  const period = periodSeconds * second;
  const advanceMicros = fc.oneof(
    fc.constantFrom(0, 0, 1, period, period - 1, period + 1, period / 2, 3 * period),
    fc.integer({ min: 0, max: period }),
    fc.integer({ min: -period / 2, max: 0 }),
  );
  const hit = fc.record({
    client: fc.constantFrom("a", "b", "10.0.0.1"),
    cost: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 0, max: 7 })),
  });
  const hits = fc.array(hit, { minLength: 1, maxLength: 8 });
  return fc.array(fc.record({ advanceMicros, hits }), { minLength: 1, maxLength: 12 });
}

/** The same traffic through the model, hit by hit. */
export class Modelled {
  readonly #step: Step;
  readonly #states = new Map<string, unknown>();

  constructor(step: Step) {
    this.#step = step;
  }

  hit(client: string, cost: number, nowMicros: number): Reading {
    const reading = this.look(client, cost, nowMicros);
    const state = this.#states.get(client);
    this.#states.set(client, chargeState(state, this.#step, cost, nowMicros, reading.isOver));
    return reading;
  }

  look(client: string, cost: number, nowMicros: number): Reading {
    return readState(this.#states.get(client), this.#step, cost, nowMicros);
  }
}

/** Runs traffic through Redis and the model, by the tests' own clock, and compares each reading. */
export async function expectSame(
  redis: Redis,
  step: Step,
  moments: readonly Moment[],
  compare: (actual: Reading, expected: Reading) => void = (actual, expected) =>
    expect(actual).toEqual(expected),
): Promise<void> {
  let now = startMicros;
  const scales = createScales(redis, { clock: () => now, withinMs: 10_000 });
  const modelled = new Modelled(step);
  const plan = { steps: [step] };
  for (const { advanceMicros, hits } of moments) {
    now += advanceMicros;
    const expected = hits.map(({ client, cost }) => modelled.hit(client, cost, now));
    const actual = await weighAll(scales, plan, hits);
    for (const [i, reading] of expected.entries()) {
      const found = actual[i]?.readings[0];
      if (!found) throw new Error("a request was not answered");
      compare(found, reading);
    }
  }
}

export const startMicros = 1_700_000_000 * second + 123_457;

/** All at once, so that they go in one call. */
export async function weighAll(
  scales: RedisScales,
  plan: Plan,
  hits: readonly { client: string; cost: number }[],
): Promise<Weighed[]> {
  const requests = hits.map(({ client, cost }): CountedRequest => {
    return { plan, clients: plan.steps.map(() => client), costs: plan.steps.map(() => cost) };
  });
  return (await Promise.all(requests.map((request) => scales.weigh(request)))).map(weighed);
}

export function weighed(answer: Weighed | Unweighed): Weighed {
  if (answer.outcome === "unweighed") throw new Error(`${answer.reason}: ${answer.message}`);
  return answer;
}

export const one = (client: string) => ({ client, cost: 1 });

/** Who denies each hit, all sent at once. */
export async function verdicts(
  scales: RedisScales,
  plan: Plan,
  clients: readonly string[],
): Promise<number[]> {
  return (await weighAll(scales, plan, clients.map(one))).map(({ deniedBy }) => deniedBy);
}

/** Of ten hits within two seconds, five on each side of a full minute, with five allowed a minute. */
export async function passedAroundTheEdge(redis: Redis, algorithm: Algorithm): Promise<number> {
  const edge = Math.ceil(startMicros / (60 * second)) * 60 * second;
  let now = edge - second;
  const scales = createScales(redis, { clock: () => now, withinMs: 10_000 });
  const plan = { steps: [stepOf(algorithm, "products", { limit: 5 })] };
  let passed = 0;
  for (let hit = 0; hit < 10; hit++, now += (2 * second) / 10) {
    const [deniedBy] = await verdicts(scales, plan, ["a"]);
    if (deniedBy === -1) passed++;
  }
  return passed;
}
