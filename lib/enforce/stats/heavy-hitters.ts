import { type HitterKind, hitterText } from "./fields.ts";

/**
 * The heaviest of any number of names in memory that does not grow (Space-Saving, a batch at a time: when there is no room,
 * the lightest quarter goes at once, and the most that one of them may have had is the possible error of names that follow).
 * Going one by one would cost each hit more than all else that is counted of it.
 */
export class HeavyHitters {
  readonly #capacity: number;
  #slots = new Map<string, number>();
  readonly #counts: Uint32Array;
  /** Hits that each may have had before it got its slot. */
  readonly #errors: Uint32Array;
  readonly #free: number[] = [];
  #error = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#counts = new Uint32Array(capacity);
    this.#errors = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Counts a hit. Returns the slot of the name, or its complement when the name has just got the slot. */
  hit(name: string): number {
    const known = this.#slots.get(name);
    if (known === undefined) return ~this.#settle(name);
    raise(this.#counts, known);
    return known;
  }

  /** Every name with the hits that are certain: it may have had more, but not fewer. */
  *certain(): Generator<{ readonly slot: number; readonly name: string; readonly count: number }> {
    for (const [name, slot] of this.#slots) yield { slot, name, count: countAt(this.#counts, slot) };
  }

  /** Frees the slot of a name whose hits were reported: its next hit is the first. */
  forget(name: string): void {
    const slot = this.#slots.get(name);
    if (slot === undefined) return;
    this.#slots.delete(name);
    this.#free.push(slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#free.length = 0;
    this.#error = 0;
  }

  #settle(name: string): number {
    if (this.#slots.size === this.#capacity) this.#makeRoom();
    const slot = this.#free.pop() ?? this.#slots.size;
    this.#slots.set(name, slot);
    this.#counts[slot] = 1;
    this.#errors[slot] = this.#error;
    return slot;
  }

  #makeRoom(): void {
    const estimates = this.#counts.map((count, slot) => count + countAt(this.#errors, slot));
    const lightest = countAt(estimates.toSorted(), this.#capacity >> 2);
    const kept = new Map<string, number>();
    for (const [name, slot] of this.#slots) {
      if (countAt(estimates, slot) > lightest) kept.set(name, slot);
      else this.#free.push(slot);
    }
    this.#slots = kept;
    this.#error = lightest;
  }
}

/** A client's counts since it was reported last. */
export interface Hitter {
  readonly name: string;
  readonly count: number;
  readonly denied: number;
}

interface UnreportedHitter extends Hitter {
  readonly of: BusiestClients;
}

/** The busiest clients of one kind, and how often each of them was denied. */
export class BusiestClients {
  readonly #kind: HitterKind;
  readonly #hitters: HeavyHitters;
  readonly #denied: Uint32Array;
  readonly #hits: Uint32Array;

  constructor(kind: HitterKind, most: number) {
    this.#kind = kind;
    this.#hitters = new HeavyHitters(most);
    this.#denied = new Uint32Array(most);
    this.#hits = new Uint32Array(most);
  }

  /** Counts a request. Returns its number among those of the client since it got its slot. */
  hit(name: string, isDenied: boolean): number {
    const found = this.#hitters.hit(name);
    const slot = found < 0 ? ~found : found;
    if (found < 0) {
      this.#denied[slot] = 0;
      this.#hits[slot] = 0;
    }
    if (isDenied) raise(this.#denied, slot);
    return raise(this.#hits, slot);
  }

  *unreported(): Generator<UnreportedHitter> {
    for (const { slot, name, count } of this.#hitters.certain())
      yield { of: this, name, count, denied: Math.min(count, countAt(this.#denied, slot)) };
  }

  report({ name, count, denied }: UnreportedHitter): Hitter {
    this.#hitters.forget(name);
    return { name: hitterText(this.#kind, name), count, denied };
  }

  clear(): void {
    this.#hitters.clear();
  }
}

/** Adds 1 and returns the sum. */
export function raise(counts: Uint32Array, index: number): number {
  const count = countAt(counts, index) + 1;
  counts[index] = count;
  return count;
}

/** The caller passes an index within the array: no check, for these run for every request. */
export function countAt(counts: Uint32Array, index: number): number {
  return counts[index] ?? 0;
}
