// One node: time of the first load, size in memory, and cost of a look-up.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Redis } from "ioredis";
import { createGuard } from "../dist/enforce/guard/index.js";
import { acquireRuntime } from "../dist/enforce/guard/shared-runtime.js";
import { protectedRanges } from "../dist/enforce/lists/protected.js";
import { parseAddress, readBlock } from "../dist/ip/parse.js";
import { entries, randomFrom } from "./entries.mjs";

const url = process.argv[2] ?? "";
const rounds = 7;
const megabytes = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

const before = megabytes();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedAt = performance.now();
const options = { redis: url, app: "bench" };
const guard = createGuard(options);
await guard.ready();
const loadSeconds = (performance.now() - startedAt) / 1_000;
delay.disable();
const weight = megabytes() - before;
const { node, close } = acquireRuntime({
  ...options,
  counters: url,
  protectedRanges: protectedRanges({}),
  log: console.warn,
});
const { lists } = node.state;

const hits = sample(entries(randomFrom(1)), 100_000).filter((text) => !text.includes("/"));
const misses = sample(entries(randomFrom(2)), 100_000).filter((text) => !text.includes("/"));
const redis = new Redis(url);
const rows = [];
for (const [name, addresses] of Object.entries({ hit: hits, miss: misses })) {
  rows.push(row(`look-up, ${name}`, "replica (parse and match)", await median(() => ask(addresses))));
  // A miss would continue with the rules and Redis.
  if (name === "hit") rows.push(row(`look-up, ${name}`, "guard.check", await median(() => check(addresses))));
  rows.push(
    row(`look-up, ${name}`, "GET, one at a time", await median(() => get(addresses.slice(0, 5_000)))),
  );
  rows.push(
    row(`look-up, ${name}`, "GET, 100 in flight", await median(() => getMany(addresses.slice(0, 50_000)))),
  );
}
const figures = {
  "load, s": loadSeconds.toFixed(2),
  "more heap and buffers, MB": weight.toFixed(1),
  "longest hold of the event loop while loading, ms": (delay.max / 1e6).toFixed(1),
  "entries held": String(lists.entries.blocklist),
};
redis.disconnect();
await guard.close();
await close();
process.send?.({ rows, figures }, () => process.disconnect());

/** @param {Iterable<string>} source @param {number} count */
function sample(source, count) {
  const found = [];
  for (const text of source) {
    const parsed = parseAddress(text);
    if (parsed.ok) found.push(parsed.value);
    if (found.length === count) break;
  }
  return found;
}

/** @param {string} name @param {string} system @param {number} micros */
function row(name, system, micros) {
  return {
    name,
    system,
    opsPerSecond: Math.round(1e6 / micros),
    nodeMicros: Number(micros.toFixed(3)),
    redisMicros: null,
  };
}

/** Microseconds an address. @param {() => Promise<number> | number} round */
async function median(round) {
  const times = [];
  for (let i = 0; i < rounds; i++) times.push(await round());
  return times.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
}

/** @param {readonly string[]} addresses */
function ask(addresses) {
  const from = performance.now();
  for (const address of addresses) {
    const block = readBlock(address);
    if (block) lists.match("blocklist", block);
  }
  return ((performance.now() - from) * 1_000) / addresses.length;
}

/** @param {readonly string[]} addresses */
async function check(addresses) {
  const from = performance.now();
  for (const ip of addresses) await guard.check({ ip });
  return ((performance.now() - from) * 1_000) / addresses.length;
}

/** @param {readonly string[]} addresses */
async function get(addresses) {
  const from = performance.now();
  for (const address of addresses) await redis.get(`blocklist:${address}`);
  return ((performance.now() - from) * 1_000) / addresses.length;
}

/** @param {readonly string[]} addresses */
async function getMany(addresses) {
  const from = performance.now();
  for (let i = 0; i < addresses.length; i += 100)
    await Promise.all(addresses.slice(i, i + 100).map((address) => redis.get(`blocklist:${address}`)));
  return ((performance.now() - from) * 1_000) / addresses.length;
}
