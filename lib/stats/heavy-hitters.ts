/**
 * The heaviest of any number of names in memory that does not grow (Space-Saving, a batch at a time: when there is no room,
 * the lightest quarter goes at once, and what the heaviest of them may have had is the possible error of whoever comes later).
 * Going one by one would cost each hit more than all else that is counted of it.
 */
export class HeavyHitters {
  readonly #capacity: number;
  #slots = new Map<string, number>();
  readonly #counts: Uint32Array;
  /** What each may have had before it came in. */
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

  /** Counts a hit. Returns the slot of the name, or its complement when the slot was another's, or nobody's, before. */
  hit(name: string): number {
    const known = this.#slots.get(name);
    if (known === undefined) return ~this.#settle(name);
    this.#counts[known] = (this.#counts[known] ?? 0) + 1;
    return known;
  }

  /** Every name with the hits that are certain: more it may have had, but not fewer. */
  *certain(): Generator<{ readonly slot: number; readonly name: string; readonly count: number }> {
    for (const [name, slot] of this.#slots) yield { slot, name, count: this.#counts[slot] ?? 0 };
  }

  /** Its hits were told, and are not to be told again; if it comes again, it begins anew. */
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
    const estimates = this.#counts.map((count, slot) => count + (this.#errors[slot] ?? 0));
    const lightest = estimates.toSorted()[this.#capacity >> 2] ?? 0;
    const kept = new Map<string, number>();
    for (const [name, slot] of this.#slots) {
      if ((estimates[slot] ?? 0) > lightest) kept.set(name, slot);
      else this.#free.push(slot);
    }
    this.#slots = kept;
    this.#error = lightest;
  }
}
