import { DomainError } from "../../errors.ts";

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
