// `npm run bench [-- suite…]`: measures, prints tables, writes bench/results.json. Compare ratios, because machines are noisy.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ensureLib } from "../scripts/build-lib.mjs";
import { killAll } from "../scripts/children.mjs";
import { startBenchRedis } from "./bench-redis.mjs";

/** @typedef {{ name: string, system: string, opsPerSecond: number, nodeMicros: number, redisMicros: number | null }} Row */
/** @typedef {(url: string) => Promise<{ rows: Row[], figures: Record<string, string> }>} Suite */

// Stops all started processes, however this one ends.
process.on("exit", killAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

await ensureLib();
const { measureCatalogue } = await import("./catalogue.mjs");
const { measureCrowd } = await import("./crowd.mjs");
const { measureFeed } = await import("./feed.mjs");
const { measureNetworks } = await import("./networks.mjs");
const { measureNext } = await import("./next.mjs");
const { measureOverview } = await import("./overview.mjs");
const { measureReplica } = await import("./replica.mjs");
const { measureSlack } = await import("./slack.mjs");
const { measureSnapshot } = await import("./snapshot.mjs");
const { measureStart } = await import("./start.mjs");
const { measureSweep } = await import("./sweep.mjs");
const { measureWeigh } = await import("./weigh.mjs");

/** @type {Record<string, [title: string, suite: Suite]>} */
const suites = {
  replica: ["Replica with 1,000,000 entries, a tenth of them ranges", measureReplica],
  start: ["Start of a node with 200,000 entries, five rounds in turn", measureStart],
  snapshot: ["1,000,000 entries by snapshot, five rounds in turn", measureSnapshot],
  feed: ["1,000,000 addresses in a feed", measureFeed],
  catalogue: ["The console's copy of 1,000,000 entries: pages and searches", measureCatalogue],
  weigh: ["Weighing compared with other libraries, on one server", measureWeigh],
  slack: ["Checks that do not wait for Redis, for clients far from their limits", measureSlack],
  next: ["A Next app enforced in proxy.ts, 64 connections by default", measureNext],
  crowd: ["2,000,000 distinct clients through four processes", measureCrowd],
  sweep: ["Sync of the edge", measureSweep],
  networks: ["Data on networks in a console", measureNetworks],
  overview: ["Ten consoles on 1,000,000 live counters", measureOverview],
};

const file = "bench/results.json";
const wanted = process.argv.slice(2);
/** @type {Row[]} */
const results = [];
for (const [name, [title, measure]] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const redis = await startBenchRedis();
  try {
    const { rows, figures } = await measure(redis.url);
    console.log(`\n${title}`);
    console.table(figures);
    console.table(rows);
    results.push(...rows);
  } finally {
    await redis.stop();
  }
}
writeFileSync(file, `${JSON.stringify([...others(), ...results], null, 2)}\n`);

/** Earlier results of suites that do not run now. @returns {Row[]} */
function others() {
  if (wanted.length === 0 || !existsSync(file)) return [];
  /** @type {Row[]} */
  const before = JSON.parse(readFileSync(file, "utf8"));
  const names = new Set(results.map(({ name }) => name));
  return before.filter(({ name }) => !names.has(name));
}
