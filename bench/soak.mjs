// `npm run soak`: 200,000 clients for several minutes, some of them far over their limits. Memory must not keep growing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";
import { ensureLib } from "../scripts/build-lib.mjs";
import { startBenchRedis } from "./bench-redis.mjs";

/** @typedef {{ seconds: number, checks: number, denied: number, unsure: number, heap: number, rss: number, redis: number, keys: number }} Sample memory in MB */

const clients = 200_000;
const everySeconds = 10;
/** Warm-up in s. After it every client has sent a request, and the heap has its final size. */
const warmShare = 1 / 3;
/** Limit for the growth of the lowest sample from the first half to the second: a share of it, or a number of MB if that is more. */
const tolerances = {
  heap: { share: 0.1, megabytes: 8 },
  rss: { share: 0.1, megabytes: 20 },
  redis: { share: 0.05, megabytes: 4 },
};

/** Policy with short windows: counters expire, and clients are denied and pass again, many times in one run. */
const policy = {
  mode: "enforce",
  rules: [
    { name: "soak/1", client: "ip", algorithm: "fixed", levels: [{ limit: 20, periodSeconds: 10 }] },
    { name: "soak/2", client: "ip", algorithm: "fixed", levels: [{ limit: 200, periodSeconds: 30 }] },
    {
      name: "soak/rate",
      client: "ip",
      algorithm: "earrrl",
      levels: [{ limitPerSecond: 10, halfLifeSeconds: 10 }],
      mode: "shadow",
    },
  ],
  tiers: {},
};

const { values } = parseArgs({ options: { seconds: { type: "string", default: "300" } } });
const seconds = Number(values.seconds);
// Each half after the warm-up must contain a whole cycle of the longest window.
if (!(seconds >= 90 && seconds <= 3_600)) throw new Error("--seconds: write a number from 90 to 3600.");

await ensureLib();
const server = await startBenchRedis();
const redis = new Redis(server.url);
const { keys: keyNames } = await import("../dist/redis/keys.js");
await redis.set(keyNames.policy(), JSON.stringify({ version: 1, reason: "a soak", policy }));
const words = [
  "--expose-gc",
  fileURLToPath(new URL("soak-node.mjs", import.meta.url)),
  server.url,
  `${clients}`,
];
const node = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
try {
  const samples = await watch();
  console.table(samples);
  process.exitCode = isFlat(samples) ? 0 : 1;
} finally {
  node.kill("SIGKILL");
  redis.disconnect();
  await server.stop();
}

async function watch() {
  /** @type {Sample[]} */
  const samples = [];
  const startedAt = performance.now();
  for (let at = everySeconds; at <= seconds; at += everySeconds) {
    await wait(Math.max(0, startedAt + at * 1_000 - performance.now()));
    if (node.exitCode !== null || node.signalCode !== null) throw new Error("the guard's process has ended");
    node.send("tell");
    const [counts] = await once(node, "message", { signal: AbortSignal.timeout(10_000) });
    const bytes = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
    const { checks, denied, unsure, heap, rss } = counts;
    const [heapMb, rssMb, redisMb] = [heap, rss, bytes / 1e6].map((mb) => Math.round(mb * 10) / 10);
    const keys = await redis.dbsize();
    samples.push({
      seconds: at,
      checks,
      denied,
      unsure,
      heap: heapMb ?? 0,
      rss: rssMb ?? 0,
      redis: redisMb ?? 0,
      keys,
    });
    console.log(`${at} s: ${checks} checks, heap ${heapMb} MB, rss ${rssMb} MB, Redis ${redisMb} MB`);
  }
  return samples;
}

/**
 * Compares the two halves after the warm-up by their lowest samples: memory rises and falls with the windows, and a leak
 * raises the lowest sample.
 * @param {Sample[]} samples
 */
function isFlat(samples) {
  const warm = samples.slice(Math.floor(samples.length * warmShare));
  const middle = warm.length >> 1;
  let isFlatSoFar = true;
  for (const what of /** @type {const} */ (["heap", "rss", "redis"])) {
    const [early, late] = [warm.slice(0, middle), warm.slice(middle)].map((part) =>
      Math.min(...part.map((sample) => sample[what])),
    );
    const { share, megabytes } = tolerances[what];
    const most = (early ?? 0) + Math.max((early ?? 0) * share, megabytes);
    const isOver = !((late ?? Number.NaN) <= most);
    console.log(
      `${what}: ${early} MB, later ${late} MB, at most ${most.toFixed(1)} MB: ${isOver ? "GROWS" : "flat"}`,
    );
    if (isOver) isFlatSoFar = false;
  }
  return isFlatSoFar;
}
