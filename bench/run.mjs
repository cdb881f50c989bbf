// `npm run bench [-- suite…]`: measures, prints tables, writes bench/results.json. Ratios count: the machine is never quiet.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { startBenchRedis } from "./bench-redis.mjs";

/** @typedef {{ name: string, system: string, opsPerSecond: number, nodeMicros: number, redisMicros: number | null }} Row */
/** @typedef {(url: string) => Promise<{ rows: Row[], figures: Record<string, string> }>} Suite */

execFileSync(process.execPath, ["scripts/build-lib.mjs"], { stdio: "inherit" });
const { measureCatalogue } = await import("./catalogue.mjs");
const { measureNext } = await import("./next.mjs");
const { measureReplica } = await import("./replica.mjs");
const { measureWeigh } = await import("./weigh.mjs");

/** @type {Record<string, [title: string, suite: Suite]>} */
const suites = {
  replica: ["Replica with 1,000,000 entries, a tenth of them ranges", measureReplica],
  catalogue: ["The console's copy of 1,000,000 entries: pages and searches", measureCatalogue],
  weigh: ["Weighing beside others, on one server", measureWeigh],
  next: ["A Next app enforced in proxy.ts, 64 connections unless said otherwise", measureNext],
};

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
writeFileSync("bench/results.json", `${JSON.stringify(results, null, 2)}\n`);
