import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { startBenchRedis } from "./bench-redis.mjs";
import { redisCpuMicros, row } from "./closed-loop.mjs";
import { compared, truthOf } from "./crowd-truth.mjs";

const clients = 2_000_000;
const processes = 4;
const lookEveryMs = 2_000;
/** The growth allowed from two fifths of the run to its end: a share, and MB for each minute, which has keys of its own. */
const [mostMore, moreAMinuteMb] = [0.1, 2];

/** @typedef {import("node:child_process").ChildProcess} Node */
/** @typedef {{ seconds: number, heap: number, rss: number, control: number }} Sample memory in MB: of the largest process, and of Redis */

/**
 * Two million clients with one request, half of them by IPv6, and forty with many, through four processes: what pages would
 * show compared with what was sent, and the memory that takes. Counters have a server of their own: their number grows with
 * that of clients, and the size of statistics must not.
 * @param {string} url of the server for everything but counters
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureCrowd(url) {
  const counters = await startBenchRedis();
  const [control, counted] = [new Redis(url), new Redis(counters.url)];
  const nodes = Array.from({ length: processes }, (_, i) => startNode(url, counters.url, i));
  try {
    await Promise.all(nodes.map((node) => hear(node, "isReady")));
    const firstMinute = minuteNow();
    const startMicros = await redisCpuMicros(control);
    const { sent, seconds, samples } = await send(nodes, control);
    const truth = truthOf(sent);
    const minutes = Array.from({ length: minuteNow() - firstMinute + 1 }, (_, i) => firstMinute + i);
    const controlMicros = (await redisCpuMicros(control)) - startMicros;
    const figures = {
      "requests, distinct clients": `${truth.requests}, ${clients + truth.came.size}`,
      "passed for want of an answer in time": String(truth.unsure),
      ...(await compared(control, truth, minutes)),
      ...memoryOf([...samples, await look(nodes, control, seconds)]),
      "evidence: clients with samples, MB": await evidenceOf(control),
      "Redis' time for statistics and samples, of a request, and a second": `${(controlMicros / truth.requests).toFixed(2)} µs, ${(controlMicros / seconds / 1_000).toFixed(1)} ms`,
      "counters, MB of the Redis that has them": `${await counted.dbsize()}, ${(await megabytes(counted)).toFixed(0)}`,
    };
    const nodeMicros = truth.cpuMicros / truth.requests;
    const pace = { opsPerSecond: truth.requests / seconds, nodeMicros, redisMicros: Number.NaN };
    return { rows: [row("a crowd", "guard.check in four processes", pace)], figures };
  } finally {
    for (const node of nodes) node.kill("SIGKILL");
    control.disconnect();
    counted.disconnect();
    await counters.stop();
  }
}

/** @param {string} control @param {string} counters @param {number} which @returns {Node} */
function startNode(control, counters, which) {
  const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
  const words = [here("../dist"), control, counters, which, processes, clients].map(String);
  return spawn(process.execPath, ["--expose-gc", here("crowd-node.mjs"), ...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

/** Sends everything at once, and reads each process' memory during that. @param {readonly Node[]} nodes @param {Redis} control */
async function send(nodes, control) {
  const startedAt = performance.now();
  const secondsNow = () => (performance.now() - startedAt) / 1_000;
  /** @type {{ sent: import("./crowd-truth.mjs").Sent[], seconds: number } | undefined} */
  let done;
  const sending = Promise.all(nodes.map((node) => ask(node, "go", "sent"))).then((sent) => {
    done = { sent, seconds: secondsNow() };
    return done;
  });
  /** @type {Sample[]} */
  const samples = [];
  while (!done) {
    samples.push(await look(nodes, control, secondsNow()));
    await Promise.race([sending, pause(lookEveryMs)]);
  }
  return { ...(await sending), samples };
}

/** @param {readonly Node[]} nodes @param {Redis} control @param {number} seconds @returns {Promise<Sample>} */
async function look(nodes, control, seconds) {
  const held = await Promise.all(nodes.map((node) => ask(node, "memory", "memory")));
  const most = (/** @type {"heap" | "rss"} */ what) => Math.max(...held.map((one) => one[what]));
  return { seconds, heap: most("heap"), rss: most("rss"), control: await megabytes(control) };
}

/** @param {Node} node @param {string} what @param {string} about */
async function ask(node, what, about) {
  const said = hear(node, about);
  node.send(what);
  return said;
}

/** The process' next message about this. @param {Node} node @param {string} what */
async function hear(node, what) {
  for (;;) {
    const [message] = await once(node, "message");
    if (message[what] !== undefined) return message[what];
  }
}

/** @param {readonly Sample[]} samples */
function memoryOf(samples) {
  const [early, middle, late] = [0.4, 0.7, 1].map((share) => lowest(samples, share));
  if (!early || !middle || !late) return { memory: "not measured" };
  const text = (/** @type {"heap" | "rss" | "control"} */ what) => {
    const minutes = (late.seconds - early.seconds) / 60;
    const most = early[what] * (1 + mostMore) + moreAMinuteMb * Math.max(1, minutes);
    const numbers = [early, middle, late].map((sample) => sample[what].toFixed(1)).join(" → ");
    return `${numbers} MB: ${late[what] <= most ? "flat" : "GROWS"}`;
  };
  return {
    "heap and buffers of the largest process, after two fifths, seven tenths, at the end": text("heap"),
    "its rss": text("rss"),
    "Redis without counters": text("control"),
  };
}

/** The least of three samples there: memory goes up and down between them. @param {readonly Sample[]} samples @param {number} share */
function lowest(samples, share) {
  const end = Math.max(3, Math.round(samples.length * share));
  const near = samples.slice(end - 3, end);
  const least = (/** @type {"seconds" | "heap" | "rss" | "control"} */ what) =>
    Math.min(...near.map((sample) => sample[what]));
  return { seconds: least("seconds"), heap: least("heap"), rss: least("rss"), control: least("control") };
}

/** @param {Redis} redis */
async function megabytes(redis) {
  return Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]) / 1e6;
}

/** @param {Redis} redis */
async function evidenceOf(redis) {
  const lists = await redis.keys("sluice:evidence:*:*:*");
  const batch = redis.pipeline();
  for (const list of lists) batch.memory("USAGE", list);
  const sizes = (await batch.exec()) ?? [];
  const bytes = sizes.reduce((sum, [, size]) => sum + Number(size), 0);
  return `${lists.length}, ${(bytes / 1e6).toFixed(1)}`;
}

const minuteNow = () => Math.floor(Date.now() / 60_000);
