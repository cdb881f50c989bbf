/**
 * @typedef {{ opsPerSecond: number, nodeMicros: number, redisMicros: number }} Pace
 * @typedef {(index: number) => Promise<unknown> | unknown} Work
 */

/** Answers that need no Redis come in one turn of the event loop: without another turn, timers and sockets would starve. */
export const turnEvery = 512;

/**
 * Runs a fixed number of requests at a time: a new one starts when one ends.
 * @param {import("ioredis").Redis} redis the server whose CPU is read
 * @param {{ work: Work, inFlight: number, count: number, from: number, finish?: () => Promise<unknown> }} load `finish` does what
 * answers have left to do. Its time counts, too.
 * @returns {Promise<Pace>}
 */
export async function pace(redis, { work, inFlight, count, from, finish }) {
  let next = from;
  const end = from + count;
  /** @type {Promise<void> | undefined} */
  let turn;
  const loop = async () => {
    while (next < end) {
      const index = next++;
      if (index % turnEvery === 0) {
        turn = nextTurn().then(() => {
          turn = undefined;
        });
      }
      if (turn) await turn;
      await work(index);
    }
  };
  const redisBefore = await redisCpuMicros(redis);
  const nodeBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, loop));
  await finish?.();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(nodeBefore);
  return {
    opsPerSecond: count / seconds,
    nodeMicros: (user + system) / count,
    redisMicros: ((await redisCpuMicros(redis)) - redisBefore) / count,
  };
}

/** @returns {Promise<void>} */
export function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The medians of each system's rounds. @param {readonly Pace[]} rounds @returns {Pace} */
export function medianPace(rounds) {
  return {
    opsPerSecond: median(rounds.map(({ opsPerSecond }) => opsPerSecond)),
    nodeMicros: median(rounds.map(({ nodeMicros }) => nodeMicros)),
    redisMicros: median(rounds.map(({ redisMicros }) => redisMicros)),
  };
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** Of the thread that runs commands. @param {import("ioredis").Redis} redis */
export async function redisCpuMicros(redis) {
  const info = await redis.info("cpu");
  const seconds = ["user", "sys"].map(
    (kind) => new RegExp(`used_cpu_${kind}_main_thread:([\\d.]+)`).exec(info)?.[1],
  );
  return seconds.reduce((sum, text) => sum + Number(text) * 1e6, 0);
}

/** @param {string} name @param {string} system @param {Pace} pace @returns {import("./run.mjs").Row} */
export function row(name, system, { opsPerSecond, nodeMicros, redisMicros }) {
  const two = (/** @type {number} */ number) => Number(number.toFixed(2));
  return {
    name,
    system,
    opsPerSecond: Math.round(opsPerSecond),
    nodeMicros: two(nodeMicros),
    redisMicros: Number.isNaN(redisMicros) ? null : two(redisMicros),
  };
}
