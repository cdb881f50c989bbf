// One console: time and memory of the embedded data on networks, and of look-ups. node --expose-gc networks-node.mjs
import { setImmediate as nextPass } from "node:timers/promises";
import { Networks } from "../dist/observe/networks/networks.js";

const rounds = 5;
const lookUps = 100_000;

const megabytes = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

// The first load warms up the process. The machine has other work, too: what a load does itself is in every load.
await load();
const loads = [];
for (let round = 0; round < rounds; round++) loads.push(await load());
const before = megabytes();
const { networks } = await load();
const weight = megabytes() - before;
console.log(
  JSON.stringify({
    seconds: Math.min(...loads.map(({ seconds }) => seconds)),
    turnMs: Math.min(...loads.map(({ turnMs }) => turnMs)),
    micros: Math.min(...loads.map(() => lookUpMicros(networks))),
    megabytes: weight,
  }),
);

async function load() {
  const networks = new Networks();
  let turnMs = 0;
  let isLoading = true;
  const startedAt = performance.now();
  const done = networks.refresh().finally(() => {
    isLoading = false;
  });
  for (let last = performance.now(); isLoading; ) {
    await nextPass();
    const now = performance.now();
    turnMs = Math.max(turnMs, now - last);
    last = now;
  }
  await done;
  return { networks, turnMs, seconds: (performance.now() - startedAt) / 1_000 };
}

/** @param {Networks} networks */
function lookUpMicros(networks) {
  const addresses = Array.from({ length: lookUps }, () => ({
    ...{ family: /** @type {const} */ (4), a: (Math.random() * 2 ** 32) | 0 },
    ...{ b: 0, c: 0, d: 0, length: 32 },
  }));
  // Time of the processor: other processes share it.
  const before = process.cpuUsage();
  for (const address of addresses) networks.find(address);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / lookUps;
}
