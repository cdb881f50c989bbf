// Heap of a node that remembers clients: node --expose-gc remembered-node.mjs <redis> <clients>.
import { setTimeout as pause } from "node:timers/promises";
import { openGuard } from "./guards.mjs";
import { newAddress } from "./ladder.mjs";
import { openLoop } from "./open-loop.mjs";

const [redis = "", count = "0"] = process.argv.slice(2);
const clients = Number(count);
/** Few enough for Redis to count them all. */
const perSecond = 10_000;
/** What other work of a node adds and removes. */
const nearMb = 0.2;
const looks = 10;

process.on("disconnect", () => process.exit(1));
const guard = await openGuard({ redis, counters: redis });
let next = 0;
let unsure = 0;

await meet(1_000);
const before = await heapMb();
await meet(clients - 1_000);
const remembered = await heapMb();
await meet(clients / 2);
const later = await heapMb();
process.send?.({ remembered: remembered - before, later: later - before, unsure });
await guard.close();
process.disconnect();

/** @param {number} count of clients that were not there before */
async function meet(count) {
  const send = async () => {
    const { trouble } = await guard.check({ ip: newAddress(next++), method: "GET", path: "/api/stock" });
    if (trouble) unsure++;
  };
  await openLoop({ atMs: Date.now(), perSecond, seconds: count / perSecond, send });
}

/** Once everything is charged and reported. */
async function heapMb() {
  let found = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks; look++) {
    await pause(1_000);
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = (heapUsed + arrayBuffers) / 1e6;
    if (Math.abs(found - now) < nearMb) return now;
    found = now;
  }
  return found;
}
