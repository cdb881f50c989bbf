import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { ensureBuilt } from "../scripts/build-app.mjs";
import { redisCpuMicros } from "./closed-loop.mjs";
import { fill, keepReporting } from "./overview-fill.mjs";
import { interleaved, lossOf, rowsOf } from "./overview-rounds.mjs";
import { startConsole, startConsoles, startCopy } from "./watched.mjs";

const settleMs = 1_000;
const quietMs = 15_000;
const barMs = 50;

/** @typedef {Awaited<ReturnType<typeof watch>>} Watched */

/**
 * The built console on a fleet with a day of reports: how long ten consoles wait for their reads, and how much slower the hot
 * path gets. Consoles that watch another Redis with the same data use as much of this machine: compared with those, the hot
 * path shares Redis alone, as where consoles have a machine of their own. A console that does not watch is paused, so that the
 * scan of all counters is part of the difference.
 * @param {string} url @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureOverview(url) {
  await ensureBuilt();
  await fill(url);
  const other = await startCopy(url);
  const here = await watch(url);
  const elsewhere = await watch(other.url);
  const hot = new Redis(url);
  try {
    const before = await here.redis.dbsize();
    const quiet = await watchQuietly(here);
    const { rounds: found, took } = await interleaved(hot, here, elsewhere);
    const figures = {
      "keys in Redis, at the end": `${before}, ${await here.redis.dbsize()}`,
      ...quiet,
      ...timesOf(took, "Redis at its limit: "),
      ...lossOf(found),
    };
    return { rows: rowsOf(found), figures };
  } finally {
    hot.disconnect();
    await Promise.all([here.end(), elsewhere.end()]);
    await other.stop();
  }
}

/** A fleet that reports to this Redis, a console, and ten browsers that watch it; paused until `open`. @param {string} url */
async function watch(url) {
  const redis = new Redis(url);
  const stopReporting = keepReporting(redis);
  const server = await startConsole(url);
  const consoles = await startConsoles(server.url);
  server.hold();
  return {
    redis,
    consoles,
    async open() {
      server.resume();
      await consoles.open();
    },
    async close() {
      await consoles.close();
      server.hold();
    },
    resume: server.resume,
    async end() {
      consoles.end();
      stopReporting();
      await server.stop();
      redis.disconnect();
    },
  };
}

/** Only the fleet's reports and the console use Redis. @param {Watched} here */
async function watchQuietly({ redis, consoles, open, close, resume }) {
  const shareOf = async () => {
    await pause(settleMs);
    const [before, from] = [await redisCpuMicros(redis), performance.now()];
    await pause(quietMs);
    const percent = ((await redisCpuMicros(redis)) - before) / (performance.now() - from) / 10;
    return `${percent.toFixed(2)}%`;
  };
  const alone = await shareOf();
  await open();
  await pause(settleMs);
  await consoles.tell();
  await open();
  const watched = await shareOf();
  await close();
  resume();
  await consoles.loadPages();
  await close();
  return {
    "Redis' share of a core, the fleet's reports alone": alone,
    "Redis' share of a core, ten consoles and the walk over all counters with it": watched,
    ...timesOf(await consoles.tell(), "no requests: "),
  };
}

/** @param {import("./watched.mjs").Took} took @param {string} when */
function timesOf(took, when) {
  return Object.fromEntries(
    took.map(([path, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const [half, most] = [0.5, 0.95].map(
        (share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN,
      );
      const verdict = (most ?? 0) <= barMs ? "" : ` OVER ${barMs}`;
      return [`${when}${path}, p50 and p95`, `${half?.toFixed(1)} and ${most?.toFixed(1)} ms${verdict}`];
    }),
  );
}
