import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { ladderPolicy, storePolicy } from "./policies.mjs";
import { buildStorefronts, startStorefront } from "./storefronts.mjs";
import { ensureWrk, load } from "./wrk.mjs";

const rounds = 7;
const seconds = 2;

/** Clients in networks that are reserved for benchmarks. */
const many = { network: "198.18", count: 50_000 };
const few = { network: "198.19", count: 16 };
const blocked = { network: "198.20", count: 16 };

/**
 * @typedef {"empty" | "gate" | "enforced"} App
 * @typedef {{ system: string, app: App, clients: import("./wrk.mjs").Clients, connections: number, isDenied: boolean }} Run
 * @type {Run[]}
 */
const runs = [
  { system: "empty proxy.ts", app: "empty", clients: many, connections: 64, isDenied: false },
  { system: "gate that enforces nothing", app: "gate", clients: many, connections: 64, isDenied: false },
  { system: "full check", app: "enforced", clients: many, connections: 64, isDenied: false },
  { system: "known denial", app: "enforced", clients: few, connections: 64, isDenied: true },
  { system: "blocked client", app: "enforced", clients: blocked, connections: 64, isDenied: true },
  { system: "empty proxy.ts, 1 connection", app: "empty", clients: many, connections: 1, isDenied: false },
  { system: "full check, 1 connection", app: "enforced", clients: many, connections: 1, isDenied: false },
];

/**
 * Ratios that are reported. An empty proxy alone is misleading: Next handles requests cheaper that a batched answer releases
 * together, which is not part of the cost of enforcing. The gate has that gain, too.
 */
const comparisons = [
  ["full check", "empty proxy.ts"],
  ["full check", "gate that enforces nothing"],
  ["gate that enforces nothing", "empty proxy.ts"],
  ["full check, 1 connection", "empty proxy.ts, 1 connection"],
  ["known denial", "empty proxy.ts"],
  ["blocked client", "empty proxy.ts"],
];

/**
 * Compares a Next app that is enforced in proxy.ts with the same app and an empty proxy. The route answers a few bytes of
 * JSON, so that the cost of the proxy is visible. One process each, with interleaved runs.
 * @param {string} redisUrl @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureNext(redisUrl) {
  const wrk = await ensureWrk();
  if (!wrk) return { rows: [], figures: { "not measured": "wrk is missing: apt-get install wrk" } };
  const redis = new Redis(redisUrl);
  await storePolicy(redis, ladderPolicy(0.1));
  await blockAll(redis);
  const folders = await buildStorefronts();
  const environment = { REDIS_URL: redisUrl, TRUSTED_PROXIES: "127.0.0.0/8" };
  const apps = {
    enforced: await startStorefront(folders.enforced, environment),
    empty: await startStorefront(folders.empty, {}),
    gate: await startStorefront(folders.gate, {}),
  };
  try {
    const found = await interleaved(wrk, apps, redis);
    const rows = runs.map(({ system }) =>
      rowOf(
        system,
        found.filter((sample) => sample.system === system),
      ),
    );
    return { rows, figures: figuresOf(found) };
  } finally {
    redis.disconnect();
    await Promise.all(Object.values(apps).map((app) => app.stop()));
  }
}

/** @typedef {{ system: string, round: number, perSecond: number, nodeMicros: number, redisMicros: number, weighed: number, late: number }} Sample */

/** @param {string} wrk @param {Record<App, import("./storefronts.mjs").Storefront>} apps @param {Redis} redis */
async function interleaved(wrk, apps, redis) {
  for (const { app, clients, connections } of runs)
    await load(wrk, apps[app].url, clients, { connections, seconds: 2 * seconds, first: 0 });
  /** @type {Sample[]} */
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    // The order changes, in case a run warms up the machine for the next one.
    const order = round % 2 === 0 ? runs : runs.toReversed();
    for (const run of order) samples.push(await sample(wrk, apps[run.app], run, redis, round));
  }
  return samples;
}

/** A run without a change of verdict: at the end of a window, denied clients pass for a while.
 * @param {string} wrk @param {import("./storefronts.mjs").Storefront} app @param {Run} run @param {Redis} redis
 * @param {number} round @returns {Promise<Sample>}
 */
async function sample(wrk, app, { system, clients, connections, isDenied }, redis, round) {
  for (let attempt = 0; attempt < 6; attempt++) {
    const before = { node: cpuMicros(app.pid), redis: await redisMicros(redis) };
    const first = Math.floor((round / rounds) * clients.count);
    const counts = await load(wrk, app.url, clients, { connections, seconds, first });
    const { requests, denied, broken, micros, weighed, late } = counts;
    if (broken > 0) throw new Error(`${system}: ${broken} requests had no answer`);
    if (denied !== (isDenied ? requests : 0)) continue;
    return {
      system,
      round,
      perSecond: (requests / micros) * 1e6,
      weighed: weighed / requests,
      late,
      nodeMicros: (cpuMicros(app.pid) - before.node) / requests,
      redisMicros: ((await redisMicros(redis)) - before.redis) / requests,
    };
  }
  throw new Error(`${system}: some requests are ${isDenied ? "not denied" : "denied"}`);
}

/** @param {string} system @param {Sample[]} samples @returns {import("./run.mjs").Row} */
function rowOf(system, samples) {
  return {
    name: "Next app",
    system,
    opsPerSecond: Math.round(median(samples.map(({ perSecond }) => perSecond))),
    nodeMicros: Number(median(samples.map(({ nodeMicros }) => nodeMicros)).toFixed(1)),
    redisMicros: Number(median(samples.map(({ redisMicros }) => redisMicros)).toFixed(1)),
  };
}

/** Ratios are taken within a round, where the machine was as busy for the one as for the other. @param {Sample[]} samples */
function figuresOf(samples) {
  const of = (/** @type {string} */ system) => samples.filter((sample) => sample.system === system);
  /** @type {Record<string, string>} */
  const figures = {};
  for (const [one = "", other = ""] of comparisons) {
    const others = of(other);
    const requests = of(one).map(
      ({ perSecond, round }) => perSecond / (others[round]?.perSecond ?? Number.NaN),
    );
    const cpu = of(one).map(
      ({ nodeMicros, round }) => (others[round]?.nodeMicros ?? Number.NaN) / nodeMicros,
    );
    figures[`${one} over ${other}, requests/s`] = spread(requests);
    figures[`${one} over ${other}, requests per CPU second`] = spread(cpu);
  }
  const shares = of("full check").map(({ weighed }) => weighed);
  figures["full checks with a timely answer of the counters"] = spread(shares);
  figures["answers after more than 2 s, empty proxy.ts / full check"] = ["empty proxy.ts", "full check"]
    .map((system) => of(system).reduce((sum, { late }) => sum + late, 0))
    .join(" / ");
  return figures;
}

/** @param {number[]} numbers */
function spread(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) => number.toFixed(2));
  return `${median(numbers).toFixed(3)} (${least} to ${most})`;
}

/** @param {Redis} redis */
async function blockAll(redis) {
  const batch = redis.pipeline();
  for (let i = 1; i <= blocked.count; i++) batch.set(`blocklist:${blocked.network}.0.${i}`, "a bench");
  await batch.exec();
}

/** CPU time of a process. The kernel counts in hundredths of a second. NaN if it is unknown.
 * @param {number} pid
 */
function cpuMicros(pid) {
  try {
    const [, user = "", system = ""] =
      /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return (Number(user) + Number(system)) * 10_000;
  } catch {
    return Number.NaN;
  }
}

/** @param {Redis} redis */
async function redisMicros(redis) {
  const said = await redis.info("cpu");
  const [, system = "", user = ""] = /used_cpu_sys:([\d.]+)\s+used_cpu_user:([\d.]+)/.exec(said) ?? [];
  return (Number(system) + Number(user)) * 1e6;
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
