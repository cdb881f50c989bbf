import { keys } from "../dist/redis/keys.js";

const anonymous = { match: { who: "anonymous" }, client: "ip", algorithm: "fixed" };

/**
 * The rules of a fresh install, and the slack of those that count addresses.
 * @param {number} slack
 */
export function ladderPolicy(slack) {
  return policyOf([
    { ...anonymous, name: "req/ip/1", slack, levels: [{ limit: 300, periodSeconds: 300 }] },
    { ...anonymous, name: "req/ip/2", slack, levels: [{ limit: 600, periodSeconds: 1_800 }] },
    {
      name: "req/customer",
      match: { who: "customers" },
      client: "customer",
      algorithm: "fixed",
      levels: [{ limit: 100, periodSeconds: 3_600 }],
    },
    {
      name: "rate/ip",
      client: "ip",
      algorithm: "earrrl",
      slack,
      levels: [{ limitPerSecond: 10, halfLifeSeconds: 60 }],
      mode: "shadow",
    },
  ]);
}

/** One fixed window. @param {{ limit: number, periodSeconds: number, slack?: number }} rule */
export function windowPolicy({ limit, periodSeconds, slack = 0 }) {
  const levels = [{ limit, periodSeconds }];
  return policyOf([{ name: "bench", client: "ip", algorithm: "fixed", slack, levels }]);
}

/** @param {readonly object[]} rules */
const policyOf = (rules) => ({ mode: "enforce", rules, tiers: {} });

/** Puts a policy in force, whatever a fresh install has. @param {import("ioredis").Redis} redis @param {object} policy */
export async function storePolicy(redis, policy) {
  await redis.set(keys.policy(), JSON.stringify({ version: 1, reason: "a bench", policy }));
}
