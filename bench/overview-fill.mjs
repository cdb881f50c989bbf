import { Redis } from "ioredis";
import { createScales } from "../dist/enforce/limits/scales.js";
import { fieldOfApp, fields, hitterText } from "../dist/enforce/stats/fields.js";
import { heartbeat } from "../dist/enforce/stats/membership.js";
import { resolutions, sendEvidence, sendReport } from "../dist/enforce/stats/report.js";
import { keys } from "../dist/redis/keys.js";
import { randomFrom } from "./entries.mjs";

export const clients = 345_000;
/** Another system's, a window each. */
const foreign = 10_000;
const apps = ["shop", "docs", "accounts"];
const hour = 3_600;
const keptHours = 24;
/** As many buckets as a page shows. @type {Record<number, number>} */
const buckets = { 1: 1_200, 10: 720, 60: keptHours * 60, [hour]: 168 };
/** A minute's clients of an app, as many as are kept, and those of them that were denied. */
const [busiest, denied] = [1_000, 200];
/** Samples: the feed and the lists of clients are as long as they get. */
const [sampled, samplesAtOnce] = [100_000, 100];
const counted = [
  ...["pass", "throttled", "blocked", "safelisted"].map(fields.outcome),
  ...[fields.denied("req/ip/1"), fields.shadow("rate/ip"), fields.tookMicros],
  ...Array.from({ length: 7 }, (_, i) => fields.took(i)),
];
const random = randomFrom(5);
const longest = { day: 86_400, week: 604_800, halfLife: 600 };

/** The measured plan, in windows long enough that no counter ends during the run. */
export const plan = {
  steps: [
    step("req/ip/1", "fixed", 1_000_000, longest.day),
    step("req/ip/2", "fixed", 9_000_000, longest.week),
    step("rate/ip", "earrrl", 10, longest.halfLife),
  ],
};
const rules = plan.steps.map(({ rule: name, algorithm, limit, periodSeconds }) => ({
  ...{ name, algorithm, client: "ip", mode: algorithm === "earrrl" ? "shadow" : "enforce" },
  levels: [
    algorithm === "earrrl"
      ? { limitPerSecond: limit, halfLifeSeconds: periodSeconds }
      : { limit, periodSeconds },
  ],
}));

/** A fleet after a day: a million live counters, and all reports of its nodes. @param {string} url */
export async function fill(url) {
  const redis = new Redis(url);
  await redis.set(
    keys.policy(),
    JSON.stringify({ version: 1, reason: "a bench", policy: { mode: "enforce", rules, tiers: {} } }),
  );
  await fillCounters(redis);
  await fillSeries(redis);
  await fillHitters(redis);
  await fillFeed(redis);
  redis.disconnect();
}

/** Sends the reports of the fleet's nodes until the returned function is called. @param {Redis} redis */
export function keepReporting(redis) {
  const timers = apps.flatMap((_, i) => [
    setInterval(() => void heartbeat(redis, node(i)).catch(() => {}), 2_000),
    setInterval(() => void sendReport(redis, report(i)).catch(() => {}), 1_000),
  ]);
  return () => timers.forEach(clearInterval);
}

/** @param {Redis} redis */
async function fillCounters(redis) {
  const scales = createScales(redis, { withinMs: 60_000 });
  for (let i = 0; i < clients; i += 1_000) {
    const loads = Array.from({ length: 1_000 }, (_, k) => {
      const client = address(i + k);
      // What an estimate of a hundred hits needs to be forgotten is half an hour.
      return scales.weigh({
        plan,
        clients: [client, client, client],
        costs: [1 + upTo(50), 1 + upTo(90), 100],
      });
    });
    await Promise.all(loads);
  }
  const day = Math.floor(Date.now() / 86_400_000);
  const batch = redis.pipeline();
  for (let i = 0; i < foreign; i++)
    batch.set(`${keys.fixedWindow("logins/ip", day)}${address(i)}`, 1 + upTo(99), "EX", 86_400);
  await batch.exec();
}

/** @param {Redis} redis */
async function fillSeries(redis) {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  for (const seconds of resolutions) {
    const batch = redis.pipeline();
    for (let i = 0; i < (buckets[seconds] ?? 0); i++) {
      const counts = apps.flatMap((app) =>
        counted.flatMap((field) => [fieldOfApp(app, field), seconds * upTo(900)]),
      );
      batch.hset(keys.series(seconds, Math.floor(nowSeconds / seconds) - i), ...counts);
    }
    await batch.exec();
  }
}

/** @param {Redis} redis */
async function fillHitters(redis) {
  const now = Math.floor(Date.now() / 60_000);
  for (let minute = now - keptHours * 60; minute <= now; minute++) {
    const batch = redis.pipeline();
    batch.sadd(keys.activeApps(minute), ...apps);
    for (const app of apps)
      for (const [what, count] of /** @type {const} */ ([
        ["all", busiest],
        ["denied", denied],
      ])) {
        const hitters = Array.from({ length: count }, () => [
          1 + upTo(600),
          hitterText("ip", address(upTo(clients))),
        ]);
        batch.zadd(keys.hitters(what, app, minute), ...hitters.flat());
      }
    await batch.exec();
  }
}

/** @param {Redis} redis */
async function fillFeed(redis) {
  const nowMs = Date.now();
  for (let from = 0; from < sampled; from += samplesAtOnce) {
    const denied = Array.from({ length: samplesAtOnce }, (_, i) => sample(from + i, "throttled", "req/ip/1"));
    const passed = Array.from({ length: samplesAtOnce / 4 }, (_, i) => sample(from + i, "pass", ""));
    const app = String(apps[(from / samplesAtOnce) % apps.length]);
    await sendEvidence(redis, {
      ...{ app, node: "shop@web-1:1", nowMs: nowMs - sampled + from },
      ...{ seen: denied, evidence: { denied, passed } },
    });
  }
}

/** @param {number} i @param {"throttled" | "pass"} outcome @param {string} rule */
function sample(i, outcome, rule) {
  const ip = address(upTo(3_000));
  return {
    ...{ ip, network: ip, method: "GET", host: "shop.example.org", path: `/products/${upTo(9_999)}` },
    ...{ userAgent: "Scrapy/2.11.2 (+https://scrapy.org)", outcome, rule, standsFor: 4 },
    ...{ customerId: i % 4 === 0 ? `c${upTo(600)}` : "", nthOfIp: 1 + upTo(9), nthOfCustomer: 1 },
  };
}

/** @param {number} i */
function node(i) {
  return {
    ...{ id: `${apps[i]}@web-${i}:1`, app: apps[i] ?? "", version: "0.1.0", host: `web-${i}`, startedAt: 1 },
    ...{ change: 0, replicaAgeMs: 400, safelisted: 0, blocklisted: 0, unknownClients: 0 },
  };
}

/** A second of a busy app. @param {number} i */
function report(i) {
  const { id, app } = node(i);
  const hitters = Array.from({ length: busiest }, () => {
    const count = 1 + upTo(20);
    return { name: hitterText("ip", address(upTo(clients))), count, denied: upTo(count) };
  });
  const counts = new Map(counted.map((field) => [field, upTo(900)]));
  return { app, node: id, report: { counts, hitters, seen: [] }, nowMs: Date.now() };
}

/** @param {string} rule @param {"fixed" | "earrrl"} algorithm @param {number} limit @param {number} periodSeconds */
function step(rule, algorithm, limit, periodSeconds) {
  return { rule, algorithm, limit, periodSeconds, overageWeight: 1, isShadowed: algorithm === "earrrl" };
}

/** @param {number} i */
export const address = (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

/** @param {number} most */
const upTo = (most) => Math.floor(random() * most);
