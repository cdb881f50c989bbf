import { Redis } from "ioredis";
import { createScales } from "../dist/enforce/limits/scales.js";
import { startBenchRedis } from "./bench-redis.mjs";
import { bytesPerClient } from "./bytes-per-client.mjs";
import { medianPace, pace, row } from "./closed-loop.mjs";
import { openGuard } from "./guards.mjs";
import { deniedWhole, knownDenials } from "./known-denials.mjs";
import { address, loadOf, population } from "./ladder.mjs";
import { peers } from "./peers.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

/** @typedef {import("./run.mjs").Row} Row */

const rounds = 5;
const mostAttempts = 8;
/** Share of a round's requests; with more of them the machine stalled, and the round is void. */
const mostUnweighed = 0.005;
const full = "Sluice: two windows + EARRRL";
const whole = "Sluice: guard.check, with lists and reports";
const union = "rate-limiter-flexible, union of two + 2 GETs";

/**
 * Weighing beside other libraries, on one server and in one run, round by round in turn.
 * @param {string} url
 * @returns {Promise<{ rows: Row[], figures: Record<string, string> }>}
 */
export async function measureWeigh(url) {
  const redis = new Redis(url);
  const pipelining = new Redis(url, { enableAutoPipelining: true });
  // Counters are deleted with each round, the policy is not.
  const control = await startBenchRedis();
  const policing = new Redis(control.url);
  await storePolicy(policing, ladderPolicy(0));
  const guard = await openGuard({ redis: control.url, counters: url });
  /** @type {Record<string, (client: string) => Promise<unknown>>} */
  const systems = { [full]: weigher(redis), [whole]: checker(guard), ...peers(pipelining) };
  /** @type {Row[]} */
  const rows = [];
  for (const inFlight of [64, 256]) rows.push(...(await beside(redis, systems, inFlight)));
  rows.push(...(await oneAtATime(redis, url)), ...(await knownDenials(pipelining, url)));
  const figures = {
    ...ratios(rows),
    ...(await bytesPerClient(redis, systems, [full, "rate-limiter-flexible, union of two"])),
  };
  await guard.close();
  for (const connection of [redis, pipelining, policing]) connection.disconnect();
  await control.stop();
  return { rows, figures };
}

/** @param {Redis} redis */
function weigher(redis) {
  const scales = createScales(redis, { withinMs: 10_000 });
  return async (/** @type {string} */ client) => {
    const { outcome } = await scales.weigh(loadOf(client));
    if (outcome !== "weighed") throw new Error("a request was not weighed");
  };
}

/** Answers without weighing: on a machine with a stall of 40 ms there are some. */
let unweighed = 0;

/** The same with everything else that a request costs. @param {import("../dist/enforce/guard/index.js").Guard} guard */
function checker(guard) {
  return async (/** @type {string} */ ip) => {
    const { outcome, trouble } = await guard.check({ ip, method: "GET", path: "/api/stock" });
    if (outcome !== "pass") throw new Error(`a request was ${outcome}`);
    if (trouble) unweighed++;
  };
}

/**
 * Each system has the server alone: first with new clients, then with the same ones again.
 * @param {Redis} redis
 * @param {Record<string, (client: string) => Promise<unknown>>} systems
 * @param {number} inFlight
 */
async function beside(redis, systems, inFlight) {
  /** @type {Map<string, { fresh: import("./closed-loop.mjs").Pace[], known: import("./closed-loop.mjs").Pace[] }>} */
  const paces = new Map(Object.keys(systems).map((system) => [system, { fresh: [], known: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [system, check] of Object.entries(systems)) {
      const { fresh, known } = await weighedOf(redis, check, inFlight);
      if (round === 0) continue;
      paces.get(system)?.fresh.push(fresh);
      paces.get(system)?.known.push(known);
    }
  }
  return [...paces].flatMap(([system, { fresh, known }]) => [
    row(`full weigh, ${inFlight} in flight`, system, medianPace(known)),
    row(`full weigh of new clients, ${inFlight} in flight`, system, medianPace(fresh)),
  ]);
}

/** A round with an answer from Redis for nearly every request. @param {Redis} redis @param {(client: string) => Promise<unknown>} check @param {number} inFlight */
async function weighedOf(redis, check, inFlight) {
  const work = (/** @type {number} */ i) => check(address(i));
  const load = { work, inFlight, count: population, from: 0 };
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    await redis.flushall();
    const before = unweighed;
    const paces = { fresh: await pace(redis, load), known: await pace(redis, load) };
    if (unweighed - before <= mostUnweighed * 2 * population) return paces;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error("some requests were not weighed: the machine stalls");
}

/** As in a fleet of many nodes with little traffic each, whose checks rarely go in one call. @param {Redis} redis @param {string} url */
async function oneAtATime(redis, url) {
  const connections = Array.from({ length: 50 }, () => new Redis(url));
  const weighers = connections.map(weigher);
  const sha = String(await redis.script("LOAD", "return 1"));
  /** @type {Record<string, (i: number) => Promise<unknown>>} */
  const systems = {
    [full]: async (i) => weighers[i % 50]?.(address(i)),
    "empty EVALSHA": async (i) => connections[i % 50]?.evalsha(sha, 1, address(i)),
  };
  /** @type {Record<string, import("./closed-loop.mjs").Pace[]>} */
  const paces = { [full]: [], "empty EVALSHA": [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [system, check] of Object.entries(systems)) {
      const found = await pace(redis, { work: check, inFlight: 50, count: population, from: 0 });
      if (round > 0) paces[system]?.push(found);
    }
  }
  for (const connection of connections) connection.disconnect();
  return Object.entries(paces).map(([system, found]) =>
    row("one at a time, 50 connections", system, medianPace(found)),
  );
}

/** @param {readonly Row[]} rows */
function ratios(rows) {
  /** @type {(name: string, system: string) => number} */
  const of = (name, system) =>
    rows.find((found) => found.name === name && found.system === system)?.opsPerSecond ?? Number.NaN;
  /** @type {Record<string, string>} */
  const figures = {};
  for (const name of new Set(rows.map((found) => found.name))) {
    const ours = name === "known denial" ? of(name, "Sluice: known denials") : of(name, full);
    for (const other of ["empty EVALSHA", union, "rate-limiter-flexible, in-memory block"]) {
      const theirs = of(name, other);
      if (!Number.isNaN(theirs)) figures[`${name}: Sluice / ${other}`] = (ours / theirs).toFixed(2);
      const checked = of(name, name === "known denial" ? deniedWhole : whole) / theirs;
      if (!Number.isNaN(checked)) figures[`${name}: guard.check / ${other}`] = checked.toFixed(2);
    }
  }
  return figures;
}
