// Some nodes of a fleet in one process, and their traffic: node fleet-node.mjs <control> <counters> <first> <nodes here> <nodes>.
// Each node is a guard with connections of its own.
import { randomFrom } from "./entries.mjs";
import { openGuards } from "./guards.mjs";
import { newAddress } from "./ladder.mjs";
import { openLoop } from "./open-loop.mjs";

/**
 * @typedef {object} Traffic
 * @property {number} atMs Date.now() of its begin
 * @property {number} seconds
 * @property {number} perSecond of each node
 * @property {number} clients
 * @property {number} exponent of Zipf's law; with 0, all clients send as many requests
 * @property {number} [windowMs] length of the windows that are counted
 *
 * @typedef {object} Sent
 * @property {number} checks
 * @property {number} denied
 * @property {number} unsure
 * @property {{ window: number, client: string, count: number, unsure: number }[]} passed `unsure` ones because Redis had not
 * answered in time: it may have counted them
 */

/**
 * A client's requests in a window that has ended are denied until its end. What passes so shortly before the end was counted
 * in the next one.
 */
const edgeMs = 10;

const [redis = "", counters = "", ...numbers] = process.argv.slice(2);
const [first = 0, here = 1, nodes = 1] = numbers.map(Number);
const random = randomFrom(1 + first);

process.on("disconnect", () => process.exit(1));
const apps = Array.from({ length: here }, (_, i) => `bench-${first + i}`);
const guards = await openGuards({ redis, counters }, apps, nodes);
process.on("message", async (/** @type {Traffic | "close"} */ message) => {
  if (message === "close") {
    await Promise.all(guards.map((guard) => guard.close()));
    process.send?.({ isClosed: true });
  } else process.send?.({ sent: await sent(message) });
});
process.send?.({ isReady: true });

/** @param {Traffic} traffic @returns {Promise<Sent>} */
async function sent({ atMs, seconds, perSecond, clients, exponent, windowMs }) {
  const pick = picker(clients, exponent);
  /** @type {Map<string, Sent["passed"][number]>} */
  const passed = new Map();
  const counts = { checks: 0, denied: 0, unsure: 0 };
  const send = async (/** @type {number} */ i) => {
    const ip = newAddress(pick());
    const found = await guards[i % here]?.check({ ip, method: "GET", path: "/api/stock" });
    counts.checks++;
    if (found?.trouble) counts.unsure++;
    if (found?.outcome !== "pass") counts.denied++;
    else if (windowMs) {
      const window = Math.floor((Date.now() + edgeMs) / windowMs);
      const name = `${ip} ${window}`;
      const known = passed.get(name) ?? { window, client: ip, count: 0, unsure: 0 };
      passed.set(name, known);
      if (found.trouble) known.unsure++;
      else known.count++;
    }
  };
  await openLoop({ atMs, seconds, perSecond: perSecond * here, send });
  return { ...counts, passed: [...passed.values()] };
}

/** Gives clients, the first one most often. @param {number} clients @param {number} exponent */
function picker(clients, exponent) {
  const sums = new Float64Array(clients);
  let sum = 0;
  for (let i = 0; i < clients; i++) {
    sum += (i + 1) ** -exponent;
    sums[i] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, clients - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
