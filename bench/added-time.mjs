import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { start, stop } from "../scripts/children.mjs";
import { counted } from "./counted.mjs";
import { openGuard } from "./guards.mjs";
import { address } from "./ladder.mjs";
import { openLoop } from "./open-loop.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

const perSecond = 5_000;
const seconds = 12;
const clients = 2_000;
/** One direction. */
const delayMs = 1;
const [stallMs, everyMs] = [200, 5_000];

/**
 * The time that a check adds while Redis is distant and stalls, for clients far from their limit.
 * @param {string} url
 * @returns {Promise<Record<string, string>>}
 */
export async function addedTime(url) {
  const redis = new Redis(url);
  const words = [new URL(url).port, delayMs, stallMs, everyMs].map(String);
  const path = fileURLToPath(new URL("far-proxy.mjs", import.meta.url));
  const proxy = start("far-proxy", process.execPath, [path, ...words], { withChannel: true });
  /** @type {Record<string, string>} */
  const figures = {};
  try {
    const [{ port }] = await once(proxy.process, "message");
    const far = `redis://127.0.0.1:${port}`;
    const what = `Redis ${await roundTripMs(far)} ms away, stalled ${stallMs} ms every ${everyMs / 1_000} s`;
    for (const slack of [0.1, 0]) {
      await redis.flushall();
      await storePolicy(redis, ladderPolicy(slack));
      figures[`a check adds, slack ${slack}, ${what}`] = await timesOf(far, redis);
    }
  } finally {
    redis.disconnect();
    await stop(proxy);
  }
  return figures;
}

/** @param {string} far @param {Redis} redis the same server, near */
async function timesOf(far, redis) {
  const guard = await openGuard({ redis: far, counters: far });
  const took = new Float64Array(perSecond * seconds);
  const sinceDue = new Float64Array(took.length);
  let [checks, unsure, unsureBefore] = [0, 0, 0];
  const check = async (/** @type {number} */ i) => {
    const ip = address(i % clients);
    const { outcome, trouble } = await guard.check({ ip, method: "GET", path: "/api/stock" });
    if (outcome !== "pass") throw new Error(`a request was ${outcome}`);
    checks++;
    if (trouble) unsure++;
  };
  const timed = async (/** @type {number} */ i, /** @type {number} */ dueMs) => {
    const startedAt = performance.now();
    await check(i);
    const endedAt = performance.now();
    took[i] = endedAt - startedAt;
    sinceDue[i] = endedAt - dueMs;
  };
  try {
    // The code is compiled and the clients are known.
    const warm = { atMs: Date.now(), perSecond, isPrecise: true };
    await openLoop({ ...warm, seconds: 1, send: check });
    unsureBefore = unsure;
    await openLoop({ ...warm, atMs: Date.now(), seconds, send: timed });
  } finally {
    await guard.close();
  }
  const text = (/** @type {Float64Array} */ times) => `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms`;
  const all = Array.from({ length: clients }, (_, i) => address(i));
  const share = (100 * (await counted(redis, all))) / (checks - unsure);
  return `${text(took)}; since it was due ${text(sinceDue)}; ${unsure - unsureBefore} not answered in time, ${share.toFixed(1)}% of the others counted`;
}

/** @param {Float64Array} times @param {number} share */
function at(times, share) {
  return times.toSorted()[Math.floor(share * times.length)]?.toFixed(3);
}

/** The median of a hundred. @param {string} url */
async function roundTripMs(url) {
  const redis = new Redis(url);
  const times = new Float64Array(100);
  for (let i = 0; i < times.length; i++) {
    const startedAt = performance.now();
    await redis.ping();
    times[i] = performance.now() - startedAt;
  }
  redis.disconnect();
  return times.toSorted()[50]?.toFixed(1);
}
