import type { Environment } from "../../../lib/env.ts";
import { DomainError } from "../../../lib/errors.ts";
import { createGuard, type Guard } from "../../../lib/guard/guard.ts";
import { parseTrust, type Trust } from "../../../lib/ip/client-address.ts";
import { atHome } from "../../../lib/redis/home.ts";

interface OpenGuard {
  readonly guard: Guard;
  readonly trust: Trust;
}

// Each app is a node of the fleet with its own copy of the lists, so there cannot be any number of them.
const mostApps = 8;

const openGuards = () => atHome("check guards", () => new Map<string, OpenGuard>());

/** The guard of this app, opened when it is first asked for. */
export function guardOf(app: string, redisUrl: string, env: Environment): OpenGuard {
  const guards = openGuards();
  const known = guards.get(app);
  if (known) return known;
  if (guards.size >= mostApps) {
    throw new DomainError("bad-input", `The check already answers for ${mostApps} apps, which is the most.`);
  }
  const opened = open(app, redisUrl, env);
  guards.set(app, opened);
  return opened;
}

function open(app: string, redis: string, env: Environment): OpenGuard {
  const { trustedProxies, neverBlock } = env;
  const trust = parseTrust(trustedProxies);
  if (!trust.ok) throw new DomainError("not-configured", `SLUICE_TRUSTED_PROXIES: ${trust.reason}.`);
  const guard = createGuard({ redis, counters: env.countersRedisUrl, app, trustedProxies, neverBlock });
  return { guard, trust: trust.value };
}
