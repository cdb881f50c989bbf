// `npm run bench`: measures, prints a table, writes bench/results.json. Ratios count: the machine is never quiet.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { startBenchRedis } from "./bench-redis.mjs";
import { measureReplica } from "./replica.mjs";

/** @typedef {{ name: string, system: string, opsPerSecond: number, nodeMicros: number, redisMicros: number | null }} Row */

execFileSync(process.execPath, ["scripts/build-lib.mjs"], { stdio: "inherit" });
const redis = await startBenchRedis();
try {
  const { rows, figures } = await measureReplica(redis.url);
  console.log("\nReplica with 1,000,000 entries, a tenth of them ranges");
  console.table(figures);
  console.table(
    rows.map(({ name, system, opsPerSecond, nodeMicros }) => ({ name, system, opsPerSecond, nodeMicros })),
  );
  writeFileSync("bench/results.json", `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await redis.stop();
}
