import { environment, requireRedisUrl } from "./lib/env.ts";
import { createGuard } from "./lib/guard/guard.ts";
import { createProxy } from "./lib/guard/next.ts";

const env = environment();
const guard = createGuard({
  redis: requireRedisUrl(env),
  counters: env.countersRedisUrl,
  app: "console",
  trustedProxies: env.trustedProxies,
  neverBlock: env.neverBlock,
});

export const proxy = createProxy(guard);

// The check knows its callers by a token, and is asked by a proxy for addresses that are not its own.
export const config = { matcher: "/((?!_next/static/|api/health$|api/check$).*)" };
