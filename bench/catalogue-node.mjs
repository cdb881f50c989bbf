// One console: load time and size of its copy of the lists, and the cost of a page.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { protectedRanges } from "../dist/enforce/lists/protected.js";
import { startCatalogue } from "../dist/observe/catalogue/catalogue.js";

const [, , url = "", kind = ""] = process.argv;
const rounds = 9;
const megabytes = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

const before = megabytes();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedAt = performance.now();
const usedBefore = process.cpuUsage();
const catalogue = startCatalogue({ redis: url, protectedRanges: protectedRanges({}) });
await catalogue.ready;
const loadSeconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(usedBefore);
await catalogue.page("blocklist", { limit: 50 });
const firstPageSeconds = (performance.now() - startedAt) / 1_000;
// The console sorts by the other columns after the first page.
for (const sort of /** @type {const} */ (["address", "expires", "reason", "by"]))
  await catalogue.page("blocklist", { sort });
const sortedSeconds = (performance.now() - startedAt) / 1_000;
await pause(100);
delay.disable();
const weight = megabytes() - before;

/** @typedef {import("../dist/observe/catalogue/view.js").EntryPageQuery} Wanted */
/** @type {Record<string, Wanted>} */
const asked = {
  "first page": {},
  "page in the middle, by reason": { sort: "reason", offset: 480_000 },
  "facet: mine": { facet: "mine", by: "person7@example.com", sort: "expires", dir: "asc" },
  "search: part of a reason": { q: "stuffing" },
  "search: beginning of an address": { q: "20", sort: "address", dir: "asc" },
  "search: beginning of an IPv6 address": { q: "2001:", sort: "address", dir: "asc" },
  "search: nothing found": { q: "no such text" },
  "search: an address": { q: "100.64.3.9" },
  "search: a range": { q: "100.0.0.0/8", sort: "expires", dir: "asc" },
};
const redis = new Redis(url);
const rows = [];
for (const [name, wanted] of Object.entries(asked)) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    await change(i);
    const from = performance.now();
    await catalogue.page("blocklist", { limit: 50, ...wanted });
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const micros = (times[rounds >> 1] ?? Number.NaN) * 1_000;
  rows.push({
    name: `${name}, after a change`,
    system: `catalogue, ${kind} reasons`,
    opsPerSecond: Math.round(1e6 / micros),
    nodeMicros: Math.round(micros),
    redisMicros: null,
  });
}
const figures = {
  [`${kind} reasons: load, s`]: loadSeconds.toFixed(2),
  [`${kind} reasons: CPU of the console while loading, s`]: ((user + system) / 1e6).toFixed(2),
  [`${kind} reasons: first page, s`]: firstPageSeconds.toFixed(2),
  [`${kind} reasons: sorted by everything, s`]: sortedSeconds.toFixed(2),
  [`${kind} reasons: heap and buffers, MB`]: weight.toFixed(0),
  [`${kind} reasons: longest hold of the event loop, ms`]: (delay.max / 1e6).toFixed(1),
  [`${kind} reasons: slowest page, ms`]: (
    Math.max(...rows.map(({ nodeMicros }) => nodeMicros)) / 1_000
  ).toFixed(1),
};
redis.disconnect();
catalogue.close();
process.send?.({ rows, figures }, () => process.disconnect());

/** A few entries change, so that nothing can be answered as the last time. @param {number} round */
async function change(round) {
  const { version } = catalogue;
  await redis.mset(
    `blocklist:203.0.113.${round}`,
    String(Math.random()),
    "blocklist:203.0.113.250",
    String(round),
  );
  while (catalogue.version === version) await pause(1);
}
