// Start of a node with 1,000,000 entries from the snapshot that a console keeps, and by a read of all keys, in turn.
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { SnapshotKeeper } from "../dist/manage/lists/snapshot-keeper.js";
import { keys } from "../dist/redis/keys.js";
import { median, redisCpuMicros } from "./closed-loop.mjs";
import { fill } from "./replica.mjs";

/** @typedef {{ readyMs: number, turnMs: number, entries: number, redisMs: number }} Start */

const rounds = 5;
const path = fileURLToPath(new URL("snapshot-node.mjs", import.meta.url));
/** The suite fails above these. */
const most = { readyMs: 1_000, redisMs: 50, commandMs: 5, bytesAnEntry: 24 };
/** Rights of an account that may not read the snapshot: its nodes read all keys. */
const account = ["on", ">bench", "~[^s]*", "~safelist:*", "~sluice:[^s]*", "&*", "+@all"];

/**
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureSnapshot(url) {
  await fill(url);
  const redis = new Redis(url);
  await redis.call("ACL", "SETUSER", "walking", ...account);
  const urls = { snapshot: url, all: url.replace("//", "//walking:bench@") };
  const idleBefore = await redisMsOf(redis, () => pause(3_000));
  const keeper = new SnapshotKeeper({ redis: url });
  const begunAt = performance.now();
  keeper.start();
  const { id = "", keys: count } = await published(redis);
  const keptAfterMs = performance.now() - begunAt;
  const idleWith = await redisMsOf(redis, () => pause(3_000));
  const bytes = Number(await redis.memory("USAGE", keys.snapshotPieces(id), "SAMPLES", 0));
  await redis.config("SET", "slowlog-log-slower-than", 0);
  await redis.slowlog("RESET");
  await start(urls.snapshot, redis);
  const commandMs = await longestReadMs(redis);
  await redis.config("SET", "slowlog-log-slower-than", -1);
  /** @type {Record<"snapshot" | "all", Start[]>} */
  const starts = { snapshot: [], all: [] };
  const ways = /** @type {const} */ (["snapshot", "all"]);
  for (let round = 0; round < rounds; round++)
    for (const way of round % 2 === 0 ? ways : ways.toReversed())
      starts[way].push(await start(urls[way], redis));
  await keeper.stop();
  redis.disconnect();
  /** @param {"snapshot" | "all"} way @param {keyof Start} what */
  const of = (way, what) => median(starts[way].map((one) => one[what]));
  const bytesAnEntry = bytes / Number(count);
  const measured = {
    ...{ readyMs: of("snapshot", "readyMs"), redisMs: of("snapshot", "redisMs"), commandMs, bytesAnEntry },
  };
  for (const name of /** @type {(keyof typeof most)[]} */ (Object.keys(most)))
    if (measured[name] > most[name])
      throw new Error(`a start from the snapshot: ${name} is ${measured[name]}; at most ${most[name]}`);
  if (of("snapshot", "entries") !== of("all", "entries")) throw new Error("entries are missing");
  const figures = {
    "entries held": String(of("snapshot", "entries")),
    "ready from the snapshot, s": inSeconds(measured.readyMs),
    "… by reading all keys, s": inSeconds(of("all", "readyMs")),
    "Redis' time from the snapshot, ms": measured.redisMs.toFixed(1),
    "… by reading all keys, Redis' time, ms": of("all", "redisMs").toFixed(0),
    "longest command of a start from the snapshot, ms": commandMs.toFixed(2),
    "longest hold of the event loop from the snapshot, ms": of("snapshot", "turnMs").toFixed(0),
    "… by reading all keys, longest hold, ms": of("all", "turnMs").toFixed(0),
    "bytes an entry in Redis": bytesAnEntry.toFixed(1),
    "a keeper's first snapshot, its own load included, s": inSeconds(keptAfterMs),
    "Redis' time a second with a keeper, and without, ms": `${(idleWith / 3).toFixed(1)} and ${(idleBefore / 3).toFixed(1)}`,
  };
  return { rows: [], figures };
}

/** @param {Redis} redis */
async function published(redis) {
  for (;;) {
    const head = await redis.hgetall(keys.snapshot());
    if (Number(head.beats) > 0) return head;
    await pause(20);
  }
}

/** A process of its own: what runs for the first time is slow. @param {string} url @param {Redis} redis @returns {Promise<Start>} */
async function start(url, redis) {
  let text = "";
  const redisMs = await redisMsOf(redis, async () => {
    text = (await promisify(execFile)(process.execPath, [path, url])).stdout;
  });
  return { ...JSON.parse(text), redisMs };
}

/** @param {Redis} redis @param {() => Promise<unknown>} work */
async function redisMsOf(redis, work) {
  const before = await redisCpuMicros(redis);
  await work();
  return ((await redisCpuMicros(redis)) - before) / 1_000;
}

/** Of the commands that read a snapshot. @param {Redis} redis */
async function longestReadMs(redis) {
  const reads = /^(hgetall|hmget|lrange|evalsha|eval)$/i;
  const slowest = /** @type {[number, number, number, string[]][]} */ (await redis.slowlog("GET", -1));
  return (
    Math.max(...slowest.filter(([, , , [name = ""]]) => reads.test(name)).map(([, , micros]) => micros)) /
    1_000
  );
}

/** @param {number} ms */
const inSeconds = (ms) => (ms / 1_000).toFixed(2);
