import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { startBenchRedis } from "./bench-redis.mjs";
import { redisCpuMicros } from "./closed-loop.mjs";
import { sendThroughFleet } from "./fleet.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

const fleet = { processes: 4, nodes: 20 };
/** Two fifths of the shortest window. In its first seconds all busy clients come near their limits, which happens once a window. */
const traffic = { seconds: 120, perSecond: 200, clients: 1_000_000, exponent: 1 };
const windowSeconds = 300;

/**
 * What checks cost Redis where nodes have little traffic each, from very many clients.
 * @param {string} url of the counters
 * @returns {Promise<Record<string, string>>}
 */
export async function redisTime(url) {
  const control = await startBenchRedis();
  const [counters, controlling] = [new Redis(url), new Redis(control.url)];
  /** @type {Record<string, string>} */
  const figures = {};
  try {
    for (const slack of [0.1, 0]) {
      await Promise.all([counters.flushall(), controlling.flushall()]);
      await storePolicy(controlling, ladderPolicy(slack));
      const servers = [counters, controlling];
      /** @type {number[]} */
      let before = [];
      const options = { ...fleet, redis: control.url, counters: url };
      const sent = await sendThroughFleet(options, traffic, {
        before: async () => {
          await untilFits();
          before = await Promise.all(servers.map(redisCpuMicros));
        },
      });
      const after = await Promise.all(servers.map(redisCpuMicros));
      const sum = (/** @type {"checks" | "denied" | "unsure"} */ what) =>
        sent.reduce((all, one) => all + one[what], 0);
      const [ofCounters, ofControl] = after.map((micros, i) =>
        ((micros - (before[i] ?? 0)) / sum("checks")).toFixed(1),
      );
      const of = `${fleet.nodes} nodes with ${traffic.perSecond} a second each, ${traffic.clients} clients`;
      figures[`Redis' time per check, ${of}, slack ${slack}`] =
        `${ofCounters} µs, and ${ofControl} µs of control; ${share(sum("denied"), sum("checks"))} denied, ${sum("unsure")} not answered in time`;
    }
  } finally {
    for (const connection of [counters, controlling]) connection.disconnect();
    await control.stop();
  }
  return figures;
}

/** Until a window has room for the traffic: a new window would count the busy clients again. */
async function untilFits() {
  const left = windowSeconds - ((Date.now() / 1_000) % windowSeconds);
  if (left < traffic.seconds + 5) await pause(left * 1_000);
}

/** @param {number} some @param {number} all */
const share = (some, all) => `${((100 * some) / all).toFixed(1)}%`;
