// Node of the soak test: it checks without a pause until it is killed or its parent ends.
import { createGuard } from "../dist/enforce/guard/index.js";
import { randomFrom } from "./entries.mjs";

const [url = "", clients = "0"] = process.argv.slice(2);
const inFlight = 64;
const random = randomFrom(7);
const guard = createGuard({ redis: url, app: "soak" });
let checks = 0;
let denied = 0;
let unsure = 0;

process.on("disconnect", () => process.exit(1));
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ checks, denied, unsure, heap: heapUsed / 1e6, rss: rss / 1e6 });
});

await guard.ready();
await Promise.all(Array.from({ length: inFlight }, ask));

async function ask() {
  for (;;) {
    const { outcome, trouble } = await guard.check({ ip: address(), method: "GET", path: "/api/stock" });
    checks++;
    if (outcome === "throttled") denied++;
    if (trouble) unsure++;
    // Known denials do not wait for Redis. Without a turn of the event loop no other work would run.
    if (checks % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A client. A tenth of the requests come from a hundredth of the clients: only these exceed their limits. */
function address() {
  const count = Number(clients);
  const index = Math.floor(random() * (random() < 0.1 ? count / 100 : count));
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}
