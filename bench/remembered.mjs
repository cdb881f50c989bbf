import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { start, stop } from "../scripts/children.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

const clients = 200_000;

/**
 * Heap of a node that remembers clients.
 * @param {string} url
 * @returns {Promise<Record<string, string>>}
 */
export async function remembered(url) {
  const redis = new Redis(url);
  await redis.flushall();
  await storePolicy(redis, ladderPolicy(0.1));
  redis.disconnect();
  const path = fileURLToPath(new URL("remembered-node.mjs", import.meta.url));
  const words = ["--expose-gc", path, url, String(clients)];
  const node = start("remembered-node", process.execPath, words, { withChannel: true });
  try {
    const found = await Promise.race([once(node.process, "message"), node.exited]);
    if (typeof found === "string") throw new Error(`${node.name}: ${found}\n${node.tail()}`);
    const [{ remembered, later, unsure }] = found;
    return {
      [`heap of a node that has met ${clients} clients, and half as many later`]: `${remembered.toFixed(1)} and ${later.toFixed(1)} MB; ${unsure} not answered in time`,
    };
  } finally {
    await stop(node);
  }
}
