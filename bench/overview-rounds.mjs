import { setTimeout as pause } from "node:timers/promises";
import { createScales } from "../dist/enforce/limits/scales.js";
import { median, medianPace, redisCpuMicros, row } from "./closed-loop.mjs";
import { address, clients, plan } from "./overview-fill.mjs";

const rounds = 9;
const roundMs = 3_000;
const settleMs = 1_000;
const inFlight = 64;
const costs = [1, 1, 1];

/** `alone`: no console. `elsewhere`: the same consoles watch another Redis. `watched`: they watch this one. */
const manners = /** @type {const} */ (["alone", "elsewhere", "watched"]);
/** @typedef {typeof manners[number]} Manner */
/** @typedef {Record<Manner, Pace>} Round */
/** @typedef {import("./closed-loop.mjs").Pace} Pace */
/** @typedef {import("./overview.mjs").Watched} Watched */
/** @typedef {import("ioredis").Redis} Redis */

/** @param {Redis} hot @param {Watched} here @param {Watched} elsewhere */
export async function interleaved(hot, here, elsewhere) {
  /** @type {Record<Manner, () => Promise<Pace>>} */
  const paces = {
    alone: () => paceOf(here.redis, hot),
    elsewhere: () => during(elsewhere, () => paceOf(here.redis, hot)),
    watched: () => during(here, () => paceOf(here.redis, hot)),
  };
  for (const manner of manners) await paces[manner]();
  await here.consoles.tell();
  /** @type {Round[]} */
  const found = [];
  for (let round = 0; round < rounds; round++) {
    /** @type {Partial<Round>} */
    const one = {};
    // The order alternates, in case one manner warms the machine for the next.
    const order = round % 2 === 0 ? manners : manners.toReversed();
    for (const manner of order) one[manner] = await paces[manner]();
    found.push(/** @type {Round} */ (one));
  }
  return { rounds: found, took: await here.consoles.tell() };
}

/** @template T @param {Watched} watched @param {() => Promise<T>} work */
async function during({ open, close }, work) {
  await open();
  const done = await work();
  await close();
  return done;
}

/** As many requests as Redis weighs. @param {Redis} redis @param {Redis} hot @returns {Promise<Pace>} */
async function paceOf(redis, hot) {
  const scales = createScales(hot, { withinMs: 10_000 });
  let [weighed, isOver] = [0, false];
  const loop = async () => {
    while (!isOver) {
      const client = address(weighed++ % clients);
      await scales.weigh({ plan, clients: [client, client, client], costs });
    }
  };
  const loops = Array.from({ length: inFlight }, loop);
  await pause(settleMs);
  const before = {
    weighed,
    at: performance.now(),
    node: process.cpuUsage(),
    redis: await redisCpuMicros(redis),
  };
  await pause(roundMs);
  const done = weighed - before.weighed;
  const seconds = (performance.now() - before.at) / 1_000;
  const { user, system } = process.cpuUsage(before.node);
  const redisMicros = ((await redisCpuMicros(redis)) - before.redis) / done;
  isOver = true;
  await Promise.all(loops);
  return { opsPerSecond: done / seconds, nodeMicros: (user + system) / done, redisMicros };
}

/** Ratios are taken within a round, where the machine was as busy for the one as for the other. @param {readonly Round[]} found */
export function lossOf(found) {
  const percent = (/** @type {number} */ ratio) => `${((1 - ratio) * 100).toFixed(1)}%`;
  const loss = (/** @type {(round: Round) => number} */ ratioOf) => {
    const ratios = found.map(ratioOf);
    return `${percent(median(ratios))} (${percent(Math.max(...ratios))} to ${percent(Math.min(...ratios))})`;
  };
  return {
    "hot path loses, consoles on a machine of their own": loss(
      ({ elsewhere, watched }) => watched.opsPerSecond / elsewhere.opsPerSecond,
    ),
    "the same, by Redis' time for a request": loss(
      ({ elsewhere, watched }) => elsewhere.redisMicros / watched.redisMicros,
    ),
    "hot path loses, consoles, Redis and app on two cores": loss(
      ({ alone, watched }) => watched.opsPerSecond / alone.opsPerSecond,
    ),
  };
}

/** @param {readonly Round[]} found @returns {import("./run.mjs").Row[]} */
export function rowsOf(found) {
  const systems = {
    alone: "no console watching",
    elsewhere: "ten consoles watching another Redis",
    watched: "ten consoles watching",
  };
  return manners.map((manner) =>
    row(
      "full weigh, a million live counters",
      systems[manner],
      medianPace(found.map((round) => round[manner])),
    ),
  );
}
