import { Ratelimit } from "@upstash/ratelimit";
import rateLimiterFlexible from "rate-limiter-flexible";
import { createGuard } from "../dist/enforce/guard/index.js";
import { KnownDenials } from "../dist/enforce/limits/known-denials.js";
import { median, nextTurn, row, turnEvery } from "./closed-loop.mjs";
import { address, loadOf } from "./ladder.mjs";
import { upstashClient } from "./peers.mjs";
import { storePolicy, windowPolicy } from "./policies.mjs";

const rounds = 5;
export const deniedWhole = "Sluice: guard.check, with lists and reports";

/** Denials without a call to Redis. @param {import("ioredis").Redis} redis @param {string} url of the same */
export async function knownDenials(redis, url) {
  const clients = Array.from({ length: 1_000 }, (_, i) => address(i));
  const denials = new KnownDenials();
  const reading = { used: 300, resetMs: 3_000_000, isOver: true };
  const other = { used: 3, resetMs: 0, isOver: false };
  for (const client of clients) {
    denials.remember(loadOf(client), {
      outcome: "weighed",
      deniedBy: 0,
      readings: [reading, other, other],
      trouble: [],
    });
  }
  const blocking = new rateLimiterFlexible.RateLimiterRedis({
    storeClient: redis,
    points: 1,
    duration: 3_000,
    keyPrefix: "block",
    inMemoryBlockOnConsumed: 1,
    inMemoryBlockDuration: 3_000,
  });
  const caching = new Ratelimit({
    redis: upstashClient(redis),
    limiter: Ratelimit.fixedWindow(1, "3000 s"),
    prefix: "cache",
    ephemeralCache: new Map(),
    timeout: 0,
  });
  const guard = await strictGuard(redis, url);
  const check = (/** @type {string} */ ip) => guard.check({ ip, method: "GET", path: "/api/stock" });
  for (const client of [...clients, ...clients]) {
    await check(client);
    await blocking.consume(client).catch(() => {});
    await caching.limit(client);
  }
  /** @type {Record<string, (client: string) => unknown>} */
  const systems = {
    "Sluice: known denials": (client) => denials.find(loadOf(client)),
    [deniedWhole]: check,
    "rate-limiter-flexible, in-memory block": (client) => blocking.consume(client).catch(() => {}),
    "@upstash/ratelimit, ephemeral cache": (client) => caching.limit(client),
  };
  /** @type {Record<string, number[]>} */
  const micros = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [system, check] of Object.entries(systems)) {
      const from = performance.now();
      for (let i = 0; i < 100_000; i++) {
        if (i % turnEvery === 0) await nextTurn();
        await check(clients[i % 1_000] ?? "");
      }
      const found = ((performance.now() - from) * 1_000) / 100_000;
      if (round > 0) micros[system] = [...(micros[system] ?? []), found];
    }
  }
  await guard.close();
  return Object.entries(micros).map(([system, found]) => {
    const nodeMicros = median(found);
    return row("known denial", system, { opsPerSecond: 1e6 / nodeMicros, nodeMicros, redisMicros: 0 });
  });
}

/** A guard that lets each client pass once. @param {import("ioredis").Redis} redis @param {string} url */
async function strictGuard(redis, url) {
  await storePolicy(redis, windowPolicy({ limit: 1, periodSeconds: 604_800 }));
  const guard = createGuard({ redis: url, app: "strict", log: () => {} });
  await guard.ready();
  return guard;
}
