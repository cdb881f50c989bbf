import { Redis } from "ioredis";
import { sendSightings } from "../dist/enforce/edge/sightings.js";
import { keyOf } from "../dist/enforce/policy/fingerprint.js";
import { EdgeSync } from "../dist/manage/edge/sync.js";
import { connectControl } from "../dist/redis/connect.js";

/** @typedef {import("./run.mjs").Row} Row */

const sweeps = 60;
const counters = 1_000_000;
const overLimit = 100_000;
const limit = 120;
/** Clients that newly exceed the limit between two sweeps. */
const newcomers = 200;

/**
 * Runs one sweep after another: with no client over the limit, with many, and with many beside a million counters. The cost of
 * a sweep must not depend on the number of counters.
 * @param {string} url
 * @returns {Promise<{ rows: Row[], figures: Record<string, string> }>}
 */
export async function measureSweep(url) {
  const redis = connectControl(url, "patiently");
  /** @type {Row[]} */
  const rows = [];
  /** @type {Record<string, string>} */
  const figures = {};
  const take = async (/** @type {string} */ system) => {
    const { row, worstMs, kept } = await sweepOn(redis, system);
    rows.push(row);
    figures[`${system}: longest sweep`] = `${worstMs.toFixed(1)} ms, ${kept} keys in the dictionary`;
  };
  await take("no client over the limit");
  await come(redis, 0, overLimit);
  await take(`${overLimit.toLocaleString("en-US")} over the limit`);
  await fill(url);
  await come(redis, 0, overLimit);
  await take(`the same beside ${counters.toLocaleString("en-US")} counters`);
  redis.disconnect();
  return { rows, figures };
}

/** @param {import("../dist/redis/connect.js").Connection} redis @param {string} system */
async function sweepOn(redis, system) {
  const held = new Set();
  const sweep = new EdgeSync({ redis, dictionaries: [dictionaryOf(held)] });
  await sweep.once();
  const before = await usage(redis);
  let worstMs = 0;
  let sweepingMs = 0;
  for (let i = 0; i < sweeps; i++) {
    if (system !== "no client over the limit") await come(redis, overLimit + i * newcomers, newcomers);
    const startedAt = performance.now();
    await sweep.once();
    const ms = performance.now() - startedAt;
    sweepingMs += ms;
    worstMs = Math.max(worstMs, ms);
  }
  const after = await usage(redis);
  await sweep.close();
  const row = {
    name: "a sweep of the edge",
    system,
    opsPerSecond: Math.round((sweeps / sweepingMs) * 1_000),
    nodeMicros: Math.round((after.node - before.node) / sweeps),
    redisMicros: Math.round((after.redis - before.redis) / sweeps),
  };
  return { row, worstMs, kept: held.size };
}

/** @param {Set<string>} held @returns {import("../dist/manage/edge/dictionary.js").Dictionary} */
function dictionaryOf(held) {
  return {
    ...{ kind: "haproxy", name: "memory", capacity: 1_000, changesACall: 1_000, readEveryMs: 60_000 },
    read: async () => new Set(held),
    async change({ add, remove }) {
      for (const key of remove) held.delete(key);
      for (const key of add) held.add(key);
    },
    close() {},
  };
}

/** In micros of processor time. @param {import("../dist/redis/connect.js").Connection} redis */
async function usage(redis) {
  const info = await redis.info("cpu");
  const seconds = (/** @type {string} */ name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  const { user, system } = process.cpuUsage();
  return { node: user + system, redis: (seconds("used_cpu_user") + seconds("used_cpu_sys")) * 1e6 };
}

/**
 * Clients that exceed the limit in this minute, each by more than the one before.
 * @param {import("../dist/redis/connect.js").Connection} redis @param {number} from @param {number} count
 */
async function come(redis, from, count) {
  const [seconds] = await redis.time();
  const minute = Math.floor(Number(seconds) / 60);
  for (let done = 0; done < count; done += 10_000) {
    const standard = Array.from({ length: Math.min(10_000, count - done) }, (_, i) =>
      sightingOf(from + done + i),
    );
    await sendSightings(redis, { minute, sightings: { standard, broad: [] } });
  }
}

/** @param {number} i @returns {import("../dist/enforce/edge/fingerprint-tally.js").Sighting} */
function sightingOf(i) {
  // The text is in canonical form, so the cast is safe.
  const ip = /** @type {import("../dist/ip/parse.js").Ip} */ (`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  const about = { host: "shop.example.org", path: "/login", method: "POST", userAgent: "curl/8.5.0" };
  return { ...about, ip, more: limit + 1 + i, key: keyOf(`shop.example.org:/login:POST:${ip}:curl/8.5.0`) };
}

/** @param {string} url */
async function fill(url) {
  const redis = new Redis(url);
  for (let written = 0; written < counters; ) {
    const batch = redis.pipeline();
    for (let i = 0; i < 10_000; i++, written++)
      batch.set(`rack::attack:1:req/ip/1:${written}`, "5", "EX", 3_600);
    await batch.exec();
  }
  redis.disconnect();
}
