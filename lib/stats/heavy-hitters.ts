/**
 * The heaviest of any number of names in memory that does not grow (Space-Saving: a new name takes the place of the
 * lightest, and inherits its count as its possible error). Names are kept in buckets of equal count, so that a hit costs the
 * same however many there are.
 */
export class HeavyHitters {
  readonly #capacity: number;
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #errors: Uint32Array;
  /** Names of one count are a ring of slots; buckets are a chain, the lightest first. */
  readonly #bucketOf: Int32Array;
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #counts: Uint32Array;
  readonly #heads: Int32Array;
  readonly #lighter: Int32Array;
  readonly #heavier: Int32Array;
  readonly #free: number[] = [];
  #lightest = none;
  #buckets = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#errors = new Uint32Array(capacity);
    this.#bucketOf = new Int32Array(capacity);
    this.#before = new Int32Array(capacity);
    this.#after = new Int32Array(capacity);
    this.#counts = new Uint32Array(capacity + 1);
    this.#heads = new Int32Array(capacity + 1);
    this.#lighter = new Int32Array(capacity + 1);
    this.#heavier = new Int32Array(capacity + 1);
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Counts a hit. Returns the slot of the name, or its complement when the slot was another's, or nobody's, before. */
  hit(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) {
      this.#raise(known);
      return known;
    }
    return ~(this.#slots.size < this.#capacity ? this.#settle(name) : this.#displace(name));
  }

  /** Every name with the hits that are certain: more it may have had, but not fewer. */
  *certain(): Generator<{ readonly slot: number; readonly name: string; readonly count: number }> {
    for (const [name, slot] of this.#slots) {
      const count = (this.#counts[this.#bucketOf[slot] ?? 0] ?? 0) - (this.#errors[slot] ?? 0);
      yield { slot, name, count };
    }
  }

  clear(): void {
    this.#slots.clear();
    this.#names.length = 0;
    this.#free.length = 0;
    this.#buckets = 0;
    this.#lightest = none;
  }

  #settle(name: string): number {
    const slot = this.#slots.size;
    this.#take(slot, name, 0);
    const isThere = this.#lightest !== none && this.#counts[this.#lightest] === 1;
    const bucket = isThere ? this.#lightest : this.#open(1, none, this.#lightest);
    this.#enter(bucket, slot);
    return slot;
  }

  #displace(name: string): number {
    const slot = this.#heads[this.#lightest] ?? 0;
    this.#slots.delete(this.#names[slot] ?? "");
    this.#take(slot, name, this.#counts[this.#lightest] ?? 0);
    this.#raise(slot);
    return slot;
  }

  #take(slot: number, name: string, error: number): void {
    this.#slots.set(name, slot);
    this.#names[slot] = name;
    this.#errors[slot] = error;
  }

  #raise(slot: number): void {
    const from = this.#bucketOf[slot] ?? 0;
    const count = (this.#counts[from] ?? 0) + 1;
    const next = this.#heavier[from] ?? none;
    if (this.#after[slot] === slot) {
      // Alone in its bucket, which can rise with it, unless the next has that count already.
      if (next === none || this.#counts[next] !== count) {
        this.#counts[from] = count;
        return;
      }
      this.#close(from);
    } else this.#leave(from, slot);
    const isThere = next !== none && this.#counts[next] === count;
    this.#enter(isThere ? next : this.#open(count, from, next), slot);
  }

  #open(count: number, lighter: number, heavier: number): number {
    const bucket = this.#free.pop() ?? this.#buckets++;
    this.#counts[bucket] = count;
    this.#heads[bucket] = none;
    this.#lighter[bucket] = lighter;
    this.#heavier[bucket] = heavier;
    if (lighter === none) this.#lightest = bucket;
    else this.#heavier[lighter] = bucket;
    if (heavier !== none) this.#lighter[heavier] = bucket;
    return bucket;
  }

  #close(bucket: number): void {
    const lighter = this.#lighter[bucket] ?? none;
    const heavier = this.#heavier[bucket] ?? none;
    if (lighter === none) this.#lightest = heavier;
    else this.#heavier[lighter] = heavier;
    if (heavier !== none) this.#lighter[heavier] = lighter;
    this.#free.push(bucket);
  }

  #enter(bucket: number, slot: number): void {
    const head = this.#heads[bucket] ?? none;
    this.#bucketOf[slot] = bucket;
    if (head === none) {
      this.#before[slot] = slot;
      this.#after[slot] = slot;
      this.#heads[bucket] = slot;
      return;
    }
    const last = this.#before[head] ?? head;
    this.#after[last] = slot;
    this.#before[slot] = last;
    this.#after[slot] = head;
    this.#before[head] = slot;
  }

  #leave(bucket: number, slot: number): void {
    const before = this.#before[slot] ?? slot;
    const after = this.#after[slot] ?? slot;
    this.#after[before] = after;
    this.#before[after] = before;
    if (this.#heads[bucket] === slot) this.#heads[bucket] = after;
  }
}

const none = -1;
