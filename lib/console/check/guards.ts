import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import type { Environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import type { Trust } from "../../ip/client-address.ts";
import { readProtection } from "../../manage/lists/protection.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { Places } from "./places.ts";

interface OpenGuard {
  readonly guard: Guard;
  readonly trust: Trust;
}

/** Each app is a node of the fleet with its own copy of the lists, so their number is bounded. */
const mostApps = 8;

const openGuards = () => oncePerProcess("check guards", () => new Places<OpenGuard>());

/**
 * The guard of this app, opened by the first request for it. With SLUICE_CHECK_APPS only the named apps have one. Without,
 * any name has one, and the app with the fewest recent requests gives its place to a new name.
 */
export function guardOf(app: string, redisUrl: string, env: Environment): OpenGuard {
  const names = namesIn(env.checkApps);
  requireAllowed(app, names);
  const guards = openGuards();
  const known = guards.use(app);
  if (known) return known;
  const most = names?.length ?? mostApps;
  const { opened, freed } = guards.open(app, most, () => open(app, redisUrl, env));
  // Its connections may be gone already.
  freed?.guard.close().catch(() => {});
  return opened;
}

function requireAllowed(app: string, names: readonly string[] | undefined): void {
  if (app === consoleApp) {
    throw new DomainError(
      "not-found",
      `The check does not answer for the app "${consoleApp}": it is Sluice itself.`,
    );
  }
  if (names && !names.includes(app)) {
    throw new DomainError(
      "not-found",
      `The check does not answer for the app "${app}": SLUICE_CHECK_APPS does not name it.`,
    );
  }
}

function namesIn(setting: string | undefined): readonly string[] | undefined {
  return setting?.split(/[\s,]+/).filter(Boolean);
}

function open(app: string, redis: string, env: Environment): OpenGuard {
  const { trustedProxies, neverBlock } = env;
  const { trust } = readProtection(env);
  const guard = createGuard({ redis, counters: env.countersRedisUrl, app, trustedProxies, neverBlock });
  return { guard, trust };
}
