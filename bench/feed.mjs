// A feed of 1,000,000 addresses: memory in Redis, time until a refresh is in force on a node, heap and look-ups of the node.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { sealFrom } from "../dist/manage/audit/seal.js";
import { addFeed } from "../dist/manage/feeds/change-feed.js";
import { requireFeed } from "../dist/manage/feeds/definition.js";
import { FeedSecrets } from "../dist/manage/feeds/feed-secret.js";
import { refreshFeed } from "../dist/manage/feeds/refresh.js";
import { keys } from "../dist/redis/keys.js";
import { median } from "./closed-loop.mjs";
import { randomFrom } from "./entries.mjs";

const count = 1_000_000;
const rounds = 5;
const path = fileURLToPath(new URL("feed-node.mjs", import.meta.url));
/** The suite fails above these. A look-up is held against one in a list of the same addresses. */
const most = { bytes: 10e6, inForceMs: 1_000, megabytes: 20, times: 1.5 };
const secret = "a secret of the benchmark";

/** Distinct addresses in no order. Each version has a hundred others than the one before. @param {number} version */
export function* feedAddresses(version) {
  const random = randomFrom(3);
  const seen = new Set();
  while (seen.size < count - 100) {
    const number = 0x0b000000 + Math.floor(random() * 0xb0000000);
    if (seen.has(number)) continue;
    seen.add(number);
    yield addressOf(number);
  }
  for (let n = 0; n < 100; n++) yield newAddress(version, n);
}

/** @param {number} number */
const addressOf = (number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");

/** @param {number} version @param {number} n */
const newAddress = (version, n) => addressOf(0xc8000000 + version * 1_000 + 2 * n);

/**
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureFeed(url) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-feed-"));
  const file = join(folder, "list.txt");
  const redis = new Redis(url);
  const child = fork(path, [url], { execArgv: ["--expose-gc"] });
  try {
    await once(child, "message");
    const ctx = {
      ...{ redis, seal: sealFrom(secret), secrets: new FeedSecrets(secret), protectedRanges: [] },
      actor: { name: "bench", via: "cli" },
      fetching: { folder },
      networkRanges: async () => ({ blocks: [], madeAt: "" }),
    };
    const terms = { everyMs: 3_600_000, keepMs: 604_800_000, holdPercent: 50, isWideConfirmed: false };
    const source = /** @type {const} */ ({ source: { kind: "file", path: file } });
    /** @type {import("../dist/manage/feeds/change-feed.js").NewFeed} */
    const given = {
      ...{ name: "bench", list: "blocklist", mode: "enforce", reason: "a benchmark", source },
      ...terms,
    };
    /** @type {{ refreshMs: number, inForceMs: number }[]} */
    const took = [];
    /** @type {any} */
    let answer;
    for (let version = 0; version <= rounds; version++) {
      writeFileSync(file, [...feedAddresses(version)].join("\n"));
      const answered = once(child, "message");
      child.send({ ip: newAddress(version, 50), isLast: version === rounds });
      const begunAt = performance.now();
      if (version === 0) await addFeed(ctx, given);
      else await refreshFeed(ctx, await requireFeed(redis, "bench"));
      const writtenAt = performance.timeOrigin + performance.now();
      const refreshMs = performance.now() - begunAt;
      [answer] = await answered;
      // The first refresh warms up both processes.
      if (version > 0) took.push({ refreshMs, inForceMs: Math.max(0, answer.inForceAt - writtenAt) });
    }
    const { id, contents } = await requireFeed(redis, "bench");
    if (contents?.ranges === undefined) throw new Error("the feed has nothing");
    const bytes = Number(await redis.memory("USAGE", keys.feedContents(id, contents.digest)));
    const inForceMs = median(took.map((one) => one.inForceMs));
    const refreshMs = median(took.map((one) => one.refreshMs));
    const [hit, miss] = answer.micros;
    const times = Math.max(hit.feed / hit.list, miss.feed / miss.list);
    const measured = { bytes, inForceMs, megabytes: answer.weight, times };
    for (const name of /** @type {(keyof typeof most)[]} */ (Object.keys(most)))
      if (measured[name] > most[name]) throw new Error(`${name} is ${measured[name]}; at most ${most[name]}`);
    const figures = {
      ranges: String(contents.ranges),
      "bytes in Redis, MB": (bytes / 1e6).toFixed(2),
      "in force on a node after the refresh was written, s": (inForceMs / 1_000).toFixed(2),
      "a refresh in the console, reading and packing included, s": (refreshMs / 1_000).toFixed(2),
      "more heap and buffers of a node, MB": answer.weight.toFixed(1),
      "look-up of a hit, in a feed and in a list, µs": `${hit.feed.toFixed(2)} and ${hit.list.toFixed(2)}`,
      "… of a miss, µs": `${miss.feed.toFixed(2)} and ${miss.list.toFixed(2)}`,
    };
    return { rows: [], figures };
  } finally {
    child.kill();
    redis.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
