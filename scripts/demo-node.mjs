// One process of the demonstration's fleet: the real library, asked by people who are not.
import { createGuard } from "../dist/guard/index.js";
import { people } from "./demo-people.mjs";

const [app = "shop"] = process.argv.slice(2);
const tickMs = 100;
const startedAt = performance.now();

const guard = createGuard({
  redis: process.env.REDIS_URL ?? "",
  counters: process.env.COUNTERS_REDIS_URL,
  app,
});
await guard.ready();

const timer = setInterval(() => {
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const { perSecond, visit } of people) {
    for (let n = howMany((perSecond(seconds) * tickMs) / 1_000); n > 0; n--) {
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
// Whoever started it is gone.
process.on("disconnect", stop);

/** Chance decides about the fraction. @param {number} expected */
function howMany(expected) {
  return Math.floor(expected) + (Math.random() < expected % 1 ? 1 : 0);
}
