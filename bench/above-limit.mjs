import { Redis } from "ioredis";
import { readTotals } from "../dist/observe/stats/totals.js";
import { sendThroughFleet } from "./fleet.mjs";
import { storePolicy, windowPolicy } from "./policies.mjs";

const windows = 10;
const clients = 8;
/** Of each client, at all nodes together. */
const perSecond = 200;
const slack = 0.1;
/** Each client sends twice the limit. A limit of ten requests a node has slack. */
const fleets = [
  { processes: 4, nodes: 4, limit: 300, periodSeconds: 3 },
  { processes: 4, nodes: 50, limit: 500, periodSeconds: 5 },
];

/**
 * What passes above a limit by its slack, and whether statistics have it all.
 * @param {string} url
 * @returns {Promise<Record<string, string>>}
 */
export async function aboveLimit(url) {
  const redis = new Redis(url);
  /** @type {Record<string, string>} */
  const figures = {};
  try {
    for (const { processes, nodes, limit, periodSeconds } of fleets) {
      await redis.flushall();
      await storePolicy(redis, windowPolicy({ limit, periodSeconds, slack }));
      const traffic = {
        seconds: windows * periodSeconds,
        perSecond: (clients * perSecond) / nodes,
        clients,
        exponent: 0,
        windowMs: periodSeconds * 1_000,
      };
      const options = { redis: url, counters: url, processes, nodes };
      const sent = await sendThroughFleet(options, traffic, { before: async () => {} });
      const of = `${nodes} nodes, ${clients} clients with twice the limit of ${limit}`;
      Object.assign(figures, figuresOf(of, sent, limit, await ledger(redis)));
    }
  } finally {
    redis.disconnect();
  }
  return figures;
}

/** @param {string} of @param {import("./fleet-node.mjs").Sent[]} sent @param {number} limit @param {number} reported */
function figuresOf(of, sent, limit, reported) {
  /** @type {Map<number, Map<string, { sure: number, unsure: number }>>} what passed of each client, window by window */
  const passed = new Map();
  for (const { window, client, count, unsure } of sent.flatMap((one) => one.passed)) {
    const counts = passed.get(window) ?? new Map();
    const before = counts.get(client) ?? { sure: 0, unsure: 0 };
    counts.set(client, { sure: before.sure + count, unsure: before.unsure + unsure });
    passed.set(window, counts);
  }
  // A busy machine sends the last requests after the last window.
  const ended = [...passed].sort(([a], [b]) => a - b).slice(0, windows);
  const counts = ended.flatMap(([, ofClients]) => [...ofClients.values()]);
  const overs = counts.map(({ sure }) => sure - limit);
  const truth = sum(overs.map((over) => Math.max(0, over)));
  const atMost = sum(counts.map(({ sure, unsure }) => Math.max(0, sure + unsure - limit)));
  const [least, most] = [Math.min(...overs), Math.max(...overs)].map((over) => percent(over / limit));
  const isTrue = reported >= truth && reported <= atMost;
  const unsure = sum(counts.map((one) => one.unsure));
  return {
    [`passed above the limit, ${of}`]: `at most ${most}, on average ${percent(truth / limit / overs.length)}`,
    [`… windows of a client, and the least in one, ${of}`]: `${overs.length}, ${least}`,
    [`… the ledger and the truth, ${of}`]: `${reported} and ${truth === atMost ? truth : `${truth} to ${atMost}`}: ${isTrue ? "equal" : "NOT EQUAL"}; ${unsure} passed because Redis did not answer in time`,
  };
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(2)}%`;

/** What nodes have reported. @param {Redis} redis */
async function ledger(redis) {
  const apps = await readTotals(redis, (name) => name);
  return apps.reduce((sum, { overs }) => sum + (overs.get("bench") ?? 0), 0);
}
