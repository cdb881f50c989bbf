import { address, population } from "./ladder.mjs";

/**
 * Bytes in Redis for each client that has sent one request, with two systems.
 * @param {import("ioredis").Redis} redis
 * @param {Record<string, (client: string) => Promise<unknown>>} systems
 * @param {readonly string[]} names
 * @returns {Promise<Record<string, string>>}
 */
export async function bytesPerClient(redis, systems, names) {
  /** @type {number[]} */
  const bytes = [];
  for (const system of names) {
    await redis.flushall();
    const before = await usedMemory(redis);
    for (let i = 0; i < population; i += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, k) => systems[system]?.(address(i + k))));
    }
    bytes.push(((await usedMemory(redis)) - before) / population);
  }
  const [ours = 0, theirs = 0] = bytes;
  return {
    [`bytes a client, ${names.join(" : ")}`]: `${ours.toFixed(0)} : ${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`,
  };
}

/** Once Redis has moved everything into the tables that it has grown. @param {import("ioredis").Redis} redis */
async function usedMemory(redis) {
  for (let before = 0; ; ) {
    const used = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
    if (Math.abs(used - before) < 10_000) return used;
    before = used;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
