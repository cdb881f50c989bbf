import { keys } from "../dist/redis/keys.js";

const periodMs = 1_800_000;
const most = 5_000;

/**
 * What Redis has counted of these clients by the second rule of the ladder, whose windows are long, in this window and in the one before it.
 * @param {import("ioredis").Redis} redis @param {readonly string[]} clients
 */
export async function counted(redis, clients) {
  const window = Math.floor(Date.now() / periodMs);
  let sum = 0;
  for (const index of [window - 1, window]) {
    const prefix = keys.fixedWindow("req/ip/2", index);
    for (let i = 0; i < clients.length; i += most) {
      const counts = await redis.mget(clients.slice(i, i + most).map((client) => prefix + client));
      for (const count of counts) sum += Number(count);
    }
  }
  return sum;
}
