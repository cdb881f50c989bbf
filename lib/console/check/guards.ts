import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import type { Environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import type { Trust } from "../../ip/client-address.ts";
import { readProtection } from "../../manage/lists/protection.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

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
  const { trustedProxies, neverBlock, checkCountryHeader, checkVerifiedBotHeader } = env;
  const { trust } = readProtection(env);
  const edgeHeaders = { country: checkCountryHeader, verifiedBot: checkVerifiedBotHeader };
  const guard = createGuard({
    ...{ redis, counters: env.countersRedisUrl, app },
    ...{ trustedProxies, neverBlock, edgeHeaders },
  });
  return { guard, trust };
}

interface Place<T> {
  readonly thing: T;
  /** Recent requests: each counts 1, and half of that a half-life later. */
  uses: number;
  usedAt: number;
}

const halfLifeMs = 60_000;

/**
 * Things by name, of which only so many can be open. A new name takes the place with the fewest recent requests, so names
 * that are asked for once cannot push out names in use. Opening is expensive, so places change hands at a bounded rate.
 */
export class Places<T> {
  readonly #places = new Map<string, Place<T>>();
  readonly #now: () => number;
  #changedAt: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The thing of this name, if it has a place. Counts as one request for it. */
  use(name: string): T | undefined {
    const place = this.#places.get(name);
    if (!place) return undefined;
    const now = this.#now();
    place.uses = usesAt(place, now) + 1;
    place.usedAt = now;
    return place.thing;
  }

  /** Opens a thing for a name without a place. Returns the thing that gave its place up, if none of `most` was free. */
  open(name: string, most: number, open: () => T): { opened: T; freed: T | undefined } {
    const now = this.#now();
    const idlest = this.#places.size < most ? undefined : this.#idlest(now);
    if (idlest) this.#requireCalm(most, now);
    const opened = open();
    if (idlest) this.#places.delete(idlest.name);
    this.#places.set(name, { thing: opened, uses: 1, usedAt: now });
    return { opened, freed: idlest?.thing };
  }

  #idlest(now: number): { name: string; thing: T } | undefined {
    const byName = [...this.#places].map(([name, place]) => {
      return { name, thing: place.thing, uses: usesAt(place, now) };
    });
    return byName.sort((a, b) => a.uses - b.uses)[0];
  }

  #requireCalm(most: number, now: number): void {
    this.#changedAt = this.#changedAt.filter((at) => now - at < halfLifeMs);
    if (this.#changedAt.length >= most) {
      throw new DomainError(
        "not-configured",
        `The check answers for ${most} apps at a time, and ${most} new ones came within a minute. Name yours in SLUICE_CHECK_APPS.`,
      );
    }
    this.#changedAt.push(now);
  }
}

function usesAt<T>({ uses, usedAt }: Place<T>, now: number): number {
  return uses * 2 ** ((usedAt - now) / halfLifeMs);
}
