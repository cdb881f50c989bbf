import { createHash } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import { RedisStore } from "rate-limit-redis";
import rateLimiterFlexible from "rate-limiter-flexible";

const { RateLimiterRedis, RateLimiterUnion } = rateLimiterFlexible;

/** @typedef {(client: string) => Promise<unknown>} Check */
/** @typedef {ConstructorParameters<typeof Ratelimit>[0]["redis"]} Client */

/**
 * Checks of other libraries for one request, on a connection with automatic pipelining.
 * @param {import("ioredis").Redis} redis
 * @returns {Record<string, Check>}
 */
export function peers(redis) {
  return { ...bare(redis), ...flexible(redis), ...upstash(redis), ...expressStore(redis), ...sources(redis) };
}

/** @param {import("ioredis").Redis} redis @returns {Record<string, Check>} */
function bare(redis) {
  const empty = script(redis, "return 1");
  return {
    "raw INCR": (client) => redis.incr(`incr:${client}`),
    "empty EVALSHA": (client) => empty(`empty:${client}`),
  };
}

/** @param {import("ioredis").Redis} redis @returns {Record<string, Check>} */
function flexible(redis) {
  const five = new RateLimiterRedis({ storeClient: redis, points: 300, duration: 300, keyPrefix: "five" });
  const thirty = new RateLimiterRedis({
    storeClient: redis,
    points: 600,
    duration: 1_800,
    keyPrefix: "thirty",
  });
  const union = new RateLimiterUnion(five, thirty);
  const single = new RateLimiterRedis({ storeClient: redis, points: 300, duration: 300, keyPrefix: "one" });
  const both = new RateLimiterUnion(
    new RateLimiterRedis({ storeClient: redis, points: 300, duration: 300, keyPrefix: "u5" }),
    new RateLimiterRedis({ storeClient: redis, points: 600, duration: 1_800, keyPrefix: "u30" }),
  );
  return {
    "rate-limiter-flexible": (client) => single.consume(client),
    "rate-limiter-flexible, union of two": (client) => both.consume(client),
    "rate-limiter-flexible, union of two + 2 GETs": (client) =>
      Promise.all([redis.get(`safelist:${client}`), redis.get(`blocklist:${client}`), union.consume(client)]),
  };
}

/** @param {import("ioredis").Redis} redis @returns {Record<string, Check>} */
function upstash(redis) {
  const settings = { redis: upstashClient(redis), timeout: 0 };
  const fixed = new Ratelimit({
    ...settings,
    limiter: Ratelimit.fixedWindow(300, "300 s"),
    prefix: "up:f",
    ephemeralCache: false,
  });
  const sliding = new Ratelimit({
    ...settings,
    limiter: Ratelimit.slidingWindow(300, "300 s"),
    prefix: "up:s",
    ephemeralCache: false,
  });
  return {
    "@upstash/ratelimit, fixed": (client) => fixed.limit(client),
    "@upstash/ratelimit, sliding": (client) => sliding.limit(client),
  };
}

/**
 * Client for @upstash/ratelimit, whose own client uses HTTP. Removes the flag in the first line of its scripts, which Redis 7.0
 * does not know.
 * @param {import("ioredis").Redis} redis
 * @returns {Client}
 */
export function upstashClient(redis) {
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @type {(text: string) => string} */
  const sha1 = (text) => createHash("sha1").update(text).digest("hex");
  const client = {
    /** @param {string} hash @param {string[]} keys @param {unknown[]} args */
    async evalsha(hash, keys, args) {
      const stripped = known.get(hash);
      if (!stripped) throw new Error("NOSCRIPT");
      return redis.evalsha(stripped, keys.length, ...keys, ...args.map(String));
    },
    /** @param {string} text @param {string[]} keys @param {unknown[]} args */
    async eval(text, keys, args) {
      const stripped = text.replace(/^#!lua.*\n/, "\n");
      known.set(sha1(text), sha1(stripped));
      return redis.eval(stripped, keys.length, ...keys, ...args.map(String));
    },
  };
  return /** @type {Client} */ (/** @type {unknown} */ (client));
}

/** @param {import("ioredis").Redis} redis @returns {Record<string, Check>} */
function expressStore(redis) {
  /** @type {import("rate-limit-redis").SendCommandFn} */
  const sendCommand = async (name = "", ...words) =>
    /** @type {import("rate-limit-redis").RedisReply} */ (await redis.call(name, ...words));
  const store = new RedisStore({ sendCommand });
  store.windowMs = 300_000;
  return { "rate-limit-redis": (client) => store.increment(client) };
}

/** The scripts of the documents that Sluice began with. @param {import("ioredis").Redis} redis @returns {Record<string, Check>} */
function sources(redis) {
  const window = script(
    redis,
    `if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SETEX', KEYS[1], 60, 0) end
     redis.call('INCR', KEYS[1])
     if tonumber(redis.call('GET', KEYS[1])) <= 300 then return 'pass' else return 'exceeded limit' end`,
  );
  const list = script(
    redis,
    `local count = tonumber(redis.call('LLEN', KEYS[1]))
     if count < 300 then redis.call('LPUSH', KEYS[1], ARGV[1]) return 'pass' end
     local time = tonumber(redis.call('LINDEX', KEYS[1], -1))
     if ARGV[1] - time <= 60 * 1000 then return 'exceeded limit' end
     redis.call('LPUSH', KEYS[1], ARGV[1]) redis.call('RPOP', KEYS[1]) return 'pass'`,
  );
  const set = script(
    redis,
    `redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[1] - 60 * 1000)
     if tonumber(redis.call('ZCARD', KEYS[1])) < 300 then redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1]) return 'pass' end
     return 'exceeded limit'`,
  );
  return {
    "source document, window": (client) => window(`doc:w:${client}`),
    "source document, list": (client) => list(`doc:l:${client}`, Date.now()),
    "source document, sorted set": (client) => set(`doc:s:${client}`, Date.now()),
  };
}

/** @param {import("ioredis").Redis} redis @param {string} text */
function script(redis, text) {
  const sha = createHash("sha1").update(text).digest("hex");
  const loaded = redis.script("LOAD", text);
  let isLoaded = false;
  loaded.then(() => {
    isLoaded = true;
  });
  return async (/** @type {string} */ key, /** @type {number[]} */ ...args) => {
    if (!isLoaded) await loaded;
    return redis.evalsha(sha, 1, key, ...args);
  };
}
