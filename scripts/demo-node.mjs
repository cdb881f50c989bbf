// One process of the demo fleet: the real library with simulated clients.
import { createGuard } from "../dist/enforce/guard/index.js";
import { people } from "./demo-people.mjs";

const [app = "shop"] = process.argv.slice(2);
const tickMs = 100;

const guard = createGuard({
  redis: process.env.REDIS_URL ?? "",
  counters: process.env.COUNTERS_REDIS_URL,
  app,
});
await guard.ready();

const startedAt = performance.now();
let before = 0;
const timer = setInterval(() => {
  const seconds = (performance.now() - startedAt) / 1_000;
  // A busy machine has late ticks: each sends what the time since the one before requires.
  const elapsed = seconds - before;
  before = seconds;
  for (const { perSecond, visit } of people) {
    for (let n = howMany(perSecond(seconds) * elapsed); n > 0; n--) {
      const { userAgent, ...request } = visit();
      void guard.check({ ...request, host: `${app}.example.com`, headers: { "user-agent": userAgent } });
    }
  }
}, tickMs);

const stop = async () => {
  clearInterval(timer);
  await guard.close();
  process.exit(0);
};
process.on("SIGTERM", stop);
// The parent process has ended.
process.on("disconnect", stop);

/** Chance decides about the fraction. @param {number} expected */
function howMany(expected) {
  return Math.floor(expected) + (Math.random() < expected % 1 ? 1 : 0);
}
