// Start time of a node with 200,000 entries, for each way to follow changes.
import { Redis } from "ioredis";
import { createGuard } from "../dist/enforce/guard/index.js";

const count = 200_000;
const rounds = 5;
/** Longest median start by polling, as a multiple of the median start by tracking. The suite fails above it. */
const mostTimes = 1.2;
/** Rights of a Redis account without CLIENT TRACKING, so that nodes poll. */
const account = ["on", ">bench", "~*", "&*", "+@all", "-client|tracking"];

/**
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureStart(url) {
  const redis = new Redis(url);
  await fill(redis);
  await redis.call("ACL", "SETUSER", "polling", ...account);
  redis.disconnect();
  const urls = { tracking: url, polling: url.replace("//", "//polling:bench@") };
  /** @type {Record<"tracking" | "polling", number[]>} */
  const seconds = { tracking: [], polling: [] };
  const ways = /** @type {const} */ (["tracking", "polling"]);
  // The first round warms up this process.
  for (let round = 0; round <= rounds; round++) {
    for (const by of round % 2 === 0 ? ways : ways.toReversed()) {
      const took = await startSeconds(urls[by], by);
      if (round > 0) seconds[by].push(took);
    }
  }
  const [tracking, polling] = [median(seconds.tracking), median(seconds.polling)];
  const ratio = polling / tracking;
  if (ratio > mostTimes)
    throw new Error(
      `a start by polling takes ${ratio.toFixed(2)}× of one by tracking; at most ${mostTimes}× is allowed`,
    );
  const figures = {
    "by tracking, s": tracking.toFixed(2),
    "by polling, s": polling.toFixed(2),
    "polling over tracking": `${ratio.toFixed(2)}×`,
  };
  return { rows: [], figures };
}

/** @param {Redis} redis */
async function fill(redis) {
  const value = JSON.stringify({ reason: "credential stuffing", by: "oncall@example.com", via: "console" });
  for (let from = 0; from < count; from += 10_000) {
    const batch = redis.pipeline();
    for (let n = from; n < from + 10_000; n++)
      batch.set(`blocklist:11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, value, "EX", 604_800);
    await batch.exec();
  }
}

/** @param {string} redis @param {"tracking" | "polling"} by */
async function startSeconds(redis, by) {
  const startedAt = performance.now();
  const guard = createGuard({ redis, app: "bench", log: () => {} });
  await guard.ready();
  const took = (performance.now() - startedAt) / 1_000;
  const used = guard.status().following?.by;
  await guard.close();
  if (used !== by) throw new Error(`changes are followed by ${used}, not by ${by}`);
  return took;
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
