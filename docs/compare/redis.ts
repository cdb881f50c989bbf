// Connections of the other libraries. Not counted: every app has one.
import { createHash } from "node:crypto";
import type { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "ioredis";
import type { RedisReply } from "rate-limit-redis";

export const redis = new Redis(process.env.REDIS_URL ?? "", { lazyConnect: true });

/** For rate-limit-redis. */
export const sendCommand = async (name = "", ...words: string[]) =>
  (await redis.call(name, ...words)) as RedisReply;

/** In place of `Redis.fromEnv()`, whose HTTP server this comparison does not have. Its scripts are run as they are. */
export const upstashRedis = {
  evalsha: (hash: string, keys: string[], args: unknown[]) => run(scripts.get(hash), keys, args),
  eval(script: string, keys: string[], args: unknown[]) {
    scripts.set(createHash("sha1").update(script).digest("hex"), script);
    return run(script, keys, args);
  },
} as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"];

const scripts = new Map<string, string>();

/** Redis 7.0 does not know the flag in the first line of the scripts. */
async function run(script: string | undefined, keys: string[], args: unknown[]): Promise<unknown> {
  if (script === undefined) throw new Error("NOSCRIPT");
  return redis.eval(script.replace(/^#!lua.*\n/, "\n"), keys.length, ...keys, ...args.map(String));
}
