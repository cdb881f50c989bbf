/** Numbers from 0 to 1, the same for a seed everywhere (mulberry32, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them, each with the same chance. */
export function oneOf<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

/**
 * When windows of two stores end, which count one after the other: in between, one has ended and the other has not, and an answer
 * of both says nothing.
 */
export class Ends {
  readonly #ends = new Map<string, { readonly from: number; readonly until: number }[]>();

  /** Notes what was left of a window of each, for a step that took from `begin` to `done`. */
  add(key: string, begin: number, done: number, ...leftMs: readonly number[]): void {
    const [from, until] = [begin + Math.min(...leftMs) - blurMs, done + Math.max(...leftMs) + blurMs];
    if (until > done) this.#ends.set(key, [...(this.#ends.get(key) ?? []), { from, until }]);
  }

  /** Whether a window may have ended in one of them alone during a step. */
  isBetween(key: string, begin: number, done: number): boolean {
    return this.#of(key, begin).some(({ from }) => done >= from);
  }

  /** When the last window has ended in both. */
  lastOf(key: string): number {
    return Math.max(0, ...(this.#ends.get(key) ?? []).map(({ until }) => until));
  }

  /** The longest time by which the windows of the two may differ. */
  blurOf(key: string, begin: number): number {
    return Math.max(0, ...this.#of(key, begin).map(({ from, until }) => until - from));
  }

  delete(key: string): void {
    this.#ends.delete(key);
  }

  #of(key: string, begin: number) {
    return (this.#ends.get(key) ?? []).filter(({ until }) => until >= begin);
  }
}

/** Times are rounded to whole ms, and clocks are read before and after. */
const blurMs = 5;
