// One node with a feed: how much heap the feed takes, when a refresh is in force, and what look-ups cost beside a list.
import { setTimeout as pause } from "node:timers/promises";
import { createGuard } from "../dist/enforce/guard/index.js";
import { partsOfGuard } from "../dist/enforce/guard/shared-runtime.js";
import { Feeds } from "../dist/enforce/lists/feeds.js";
import { Replica } from "../dist/enforce/lists/replica.js";
import { readBlock } from "../dist/ip/parse.js";
import { rangeList } from "../dist/ip/range-list.js";
import { keys } from "../dist/redis/keys.js";
import { median } from "./closed-loop.mjs";
import { feedAddresses } from "./feed.mjs";

const redis = process.argv[2] ?? "";
const rounds = 7;
const megabytes = () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};
const options = { redis, app: "bench", log: console.warn };
const guard = createGuard(options);
await guard.ready();
const { node } = partsOfGuard(guard);
const before = megabytes();
process.send?.("ready");

process.on("message", async (message) => {
  const { ip, isLast } = /** @type {{ ip: string, isLast: boolean }} */ (message);
  while ((await guard.check({ ip })).outcome !== "blocked") await pause(2);
  const inForceAt = performance.timeOrigin + performance.now();
  if (!isLast) return process.send?.({ inForceAt });
  const weight = megabytes() - before;
  process.send?.({ inForceAt, weight, ...lookUps() }, () => process.exit(0));
});

function lookUps() {
  const replica = new Replica(rangeList([]), new Feeds());
  const listed = [...feedAddresses(0)];
  for (const text of listed) replica.put(keys.entryPrefix("blocklist") + text, -1);
  const hits = listed.filter((_, i) => i % 10 === 0);
  const misses = hits.map((text) => text.replace(/\d+$/, (last) => String(Number(last) ^ 1)));
  const { feeds } = node.state;
  /** @type {{ what: string, feed: number, list: number }[]} */
  const micros = [];
  for (const [what, texts] of Object.entries({ hit: hits, miss: misses })) {
    /** @type {{ feed: number[], list: number[] }} */
    const took = { feed: [], list: [] };
    for (let round = 0; round < rounds; round++) {
      took.feed.push(microsOf(texts, (block) => feeds.feedOf(block)));
      took.list.push(microsOf(texts, (block) => replica.match("blocklist", block)));
    }
    micros.push({ what, feed: median(took.feed), list: median(took.list) });
  }
  return { micros };
}

/** @param {readonly string[]} texts @param {(block: NonNullable<ReturnType<typeof readBlock>>) => unknown} find */
function microsOf(texts, find) {
  const from = performance.now();
  for (const text of texts) {
    const block = readBlock(text);
    if (block) find(block);
  }
  return ((performance.now() - from) * 1_000) / texts.length;
}
