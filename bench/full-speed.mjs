import { Redis } from "ioredis";
import { startBenchRedis } from "./bench-redis.mjs";
import { medianPace, pace, row } from "./closed-loop.mjs";
import { counted } from "./counted.mjs";
import { openGuard } from "./guards.mjs";
import { address, newAddress, population } from "./ladder.mjs";
import { peers } from "./peers.mjs";
import { ladderPolicy, storePolicy } from "./policies.mjs";

/** @typedef {import("./run.mjs").Row} Row */
/** @typedef {{ check: (client: string) => Promise<unknown>, finish?: () => Promise<unknown> }} System */
/** @typedef {{ work: string, system: string, inFlight: number, passes: number, isNew?: boolean, slack?: number }} Run */

const rounds = 5;
const slack = 0.1;
/**
 * How often each client comes in a round, where that needs no Redis. No node's share of a limit is used up by it. With fewer, the
 * last charges, for which nothing else remains to be done, would take a fifth of the round.
 */
const manyPasses = 25;
/** Where it does. */
const fewPasses = 2;
const known = (/** @type {number} */ inFlight) => `known clients, ${inFlight} in flight`;
const fresh = (/** @type {number} */ inFlight) => `new clients, ${inFlight} in flight`;
const single = "one at a time";
const plain = "the same keys by plain commands";
const slackGuard = `guard.check, slack ${slack}`;
const exactGuard = "guard.check, slack 0";

/** @type {Run[]} */
const runs = [
  ...[64, 256].flatMap((inFlight) => [
    { work: known(inFlight), system: "raw INCR", inFlight, passes: fewPasses },
    { work: known(inFlight), system: "empty EVALSHA", inFlight, passes: fewPasses },
    { work: known(inFlight), system: exactGuard, inFlight, passes: fewPasses, slack: 0 },
    { work: known(inFlight), system: slackGuard, inFlight, passes: manyPasses, slack },
    { work: fresh(inFlight), system: slackGuard, inFlight, passes: fewPasses, isNew: true, slack },
    { work: fresh(inFlight), system: plain, inFlight, passes: fewPasses, isNew: true },
  ]),
  { work: single, system: "raw INCR", inFlight: 1, passes: 1 },
  { work: single, system: slackGuard, inFlight: 1, passes: manyPasses, slack },
];

/** Ratios that are reported. The time until everything that passed is charged counts. */
const comparisons = [
  ...[64, 256].flatMap((inFlight) => [
    { work: known(inFlight), ours: slackGuard, beside: known(inFlight), theirs: "raw INCR" },
    { work: known(inFlight), ours: exactGuard, beside: known(inFlight), theirs: "empty EVALSHA" },
    { work: fresh(inFlight), ours: slackGuard, beside: known(inFlight), theirs: "empty EVALSHA" },
    { work: fresh(inFlight), ours: slackGuard, beside: fresh(inFlight), theirs: plain },
  ]),
  { work: single, ours: slackGuard, beside: single, theirs: "raw INCR" },
];

/** Checks that Redis was asked and did not answer in time; and the least share of the others that it has counted. */
const doubts = { unsure: 0, checks: 0, charged: Number.POSITIVE_INFINITY };

/**
 * The whole `guard.check` beside bare commands, on one server, round by round in turn.
 * @param {string} url
 * @returns {Promise<{ rows: Row[], figures: Record<string, string> }>}
 */
export async function fullSpeed(url) {
  const control = await startBenchRedis();
  const redis = new Redis(url);
  const pipelining = new Redis(url, { enableAutoPipelining: true });
  const policing = new Redis(control.url);
  /** @type {Map<Run, import("./closed-loop.mjs").Pace[]>} */
  const paces = new Map(runs.map((run) => [run, []]));
  try {
    /** @type {Record<"several" | "single", Record<string, import("./peers.mjs").Check>>} */
    const bare = { several: { ...peers(pipelining), [plain]: counting(pipelining) }, single: peers(redis) };
    for (let round = 0; round <= rounds; round++) {
      for (const run of runs) {
        await redis.flushall();
        const peer = bare[run.inFlight > 1 ? "several" : "single"][run.system];
        if (run.slack !== undefined) await storePolicy(policing, ladderPolicy(run.slack));
        const system = peer ? { check: peer } : await guarded({ redis: control.url, counters: url });
        const found = await measured(redis, run, system);
        if (round > 0) paces.get(run)?.push(found);
      }
    }
  } finally {
    for (const connection of [redis, pipelining, policing]) connection.disconnect();
    await control.stop();
  }
  const rows = [...paces].map(([{ work, system }, found]) => row(work, system, medianPace(found)));
  return { rows, figures: figuresOf(rows) };
}

/** What the rules write of a new client, without a script and without a check: the least that Redis has to do. @param {Redis} redis */
function counting(redis) {
  const lives = [300, 1_800].map((seconds) => [seconds, Math.floor(Date.now() / 1_000 / seconds)]);
  return (/** @type {string} */ client) =>
    Promise.all([
      ...lives.map(async ([seconds = 0, window = 0], i) => {
        const key = `rack::attack:${window}:req/ip/${i + 1}:${client}`;
        await Promise.all([redis.incr(key), redis.pexpireat(key, (window + 1) * seconds * 1_000)]);
      }),
      redis.set(`sluice:earrrl:60:rate/ip:${client}`, "0123456789abcdef", "EX", 600),
    ]);
}

/** @param {{ redis: string, counters: string }} servers @returns {Promise<System>} */
async function guarded(servers) {
  const guard = await openGuard(servers);
  return {
    async check(ip) {
      const { outcome, trouble } = await guard.check({ ip, method: "GET", path: "/api/stock" });
      if (outcome !== "pass") throw new Error(`a request was ${outcome}`);
      doubts.checks++;
      if (trouble) doubts.unsure++;
    },
    // What has passed without Redis is charged before this ends.
    finish: () => guard.close(),
  };
}

/** @param {Redis} redis @param {Run} run @param {System} system */
async function measured(redis, { inFlight, passes, isNew, system }, { check, finish }) {
  const client = isNew ? newAddress : address;
  const work = (/** @type {number} */ i) => check(client(i));
  const before = doubts.unsure;
  if (!isNew) await pace(redis, { work, inFlight: 256, count: population, from: 0 });
  const count = passes * population;
  const found = await pace(redis, { work, inFlight, count, from: 0, ...(finish && { finish }) });
  if (system === slackGuard) {
    const clients = Array.from({ length: isNew ? count : population }, (_, i) => client(i));
    const sure = (isNew ? count : count + population) - (doubts.unsure - before);
    doubts.charged = Math.min(doubts.charged, (await counted(redis, clients)) / sure);
  }
  return found;
}

/** @param {readonly Row[]} rows @returns {Record<string, string>} */
function figuresOf(rows) {
  const of = (/** @type {string} */ work, /** @type {string} */ system) =>
    rows.find((found) => found.name === work && found.system === system);
  /** @type {Record<string, string>} */
  const figures = {};
  for (const { work, ours, beside, theirs } of comparisons) {
    const [one, other] = [of(work, ours), of(beside, theirs)];
    const ratio = one && other ? one.opsPerSecond / other.opsPerSecond : Number.NaN;
    figures[`${work}: ${ours} / ${theirs}`] = ratio.toFixed(2);
  }
  for (const inFlight of [64, 256])
    figures[`${known(inFlight)}: Redis' time per check, slack ${slack} : 0`] = [slackGuard, exactGuard]
      .map((system) => `${of(known(inFlight), system)?.redisMicros} µs`)
      .join(" : ");
  const { unsure, checks, charged } = doubts;
  figures["checks that Redis did not answer in time"] = `${unsure} of ${checks}`;
  figures["counted of the others, in the worst round"] = `${(100 * charged).toFixed(2)}%`;
  return figures;
}
