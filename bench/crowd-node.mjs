// One enforcing process of several, and the part of a crowd that comes to it: node crowd-node.mjs <library> <control>
// <counters> <which> <of how many> <clients>. It knows what it has sent, so statistics can be compared with it.
import { randomFrom } from "./entries.mjs";

const [library = "", redis = "", counters = "", ...numbers] = process.argv.slice(2);
const [which = 0, processes = 1, clients = 0] = numbers.map(Number);
const { createGuard } = await import(`${library}/enforce/guard/index.js`);
const inFlight = 64;
const regulars = 40;
/** Each regular sends this share of the requests of the one before. */
const falling = 0.87;
const regularShare = 0.1;
const random = randomFrom(101 + which);
const guard = createGuard({ redis, counters, app: "crowd", log: () => {} });
/** @type {Record<string, number>} */
const outcomes = {};
/** @type {Map<string, number>} the requests of each regular */
const came = new Map();
let unsure = 0;

process.on("disconnect", () => process.exit(1));
process.on("message", async (asked) => {
  if (asked === "memory") tell({ memory: memory() });
  if (asked === "go") tell({ sent: await send() });
  if (asked === "stop") {
    await guard.close();
    process.disconnect();
  }
});
await guard.ready();
tell({ isReady: true });

/** @param {object} message */
function tell(message) {
  process.send?.(message);
}

function memory() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: (heapUsed + arrayBuffers) / 1e6, rss: rss / 1e6 };
}

async function send() {
  const requests = crowd();
  const loop = async () => {
    for (const ip of requests) {
      const { outcome, trouble } = await guard.check({ ip, method: "GET", path: "/api/stock" });
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (trouble) unsure++;
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, loop));
  const { user, system } = process.cpuUsage(before);
  return { outcomes, came: [...came], unsure, cpuMicros: user + system };
}

/** Every stranger sends one request, to one of the processes; between them the regulars send many, to all. */
function* crowd() {
  for (let i = which; i < clients; i += processes) {
    yield stranger(i);
    if (random() < regularShare) yield regular();
  }
}

/** Half of the strangers use IPv6, each in a network of its own. @param {number} i */
function stranger(i) {
  if (i % 2 === 0) return `10.${i >> 17}.${(i >> 9) & 255}.${(i >> 1) & 255}`;
  return `2001:db8:${(i >> 16).toString(16)}:${(i & 65_535).toString(16)}::1`;
}

/** Regulars with IPv6 change their address with each request, but not their network. */
function regular() {
  const among = 1 - random() * (1 - falling ** regulars);
  const rank = Math.floor(Math.log(among) / Math.log(falling));
  const isIpv6 = rank % 2 === 1;
  const name = isIpv6 ? `2001:db8:ffff:${(rank + 1).toString(16)}::` : `198.51.100.${rank}`;
  const client = isIpv6 ? `${name}/64` : name;
  came.set(client, (came.get(client) ?? 0) + 1);
  return isIpv6 ? `${name}${(1 + Math.floor(random() * 65_535)).toString(16)}` : name;
}
