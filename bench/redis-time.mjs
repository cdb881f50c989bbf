import { Redis } from "ioredis";
import { startBenchRedis } from "./bench-redis.mjs";
import { redisCpuMicros } from "./closed-loop.mjs";
import { sendThroughFleet } from "./fleet.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

const fleet = { processes: 4, nodes: 20 };
const traffic = { seconds: 20, perSecond: 200, clients: 1_000_000, exponent: 1 };

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

/** @param {number} some @param {number} all */
const share = (some, all) => `${((100 * some) / all).toFixed(1)}%`;
