import type { Block } from "./block.ts";

/** Key of a table. One-word keys leave b, c and d zero. */
export type Key = Pick<Block, "a" | "b" | "c" | "d" | "length">;

/**
 * A hash map from keys to numbers, in shards that grow one at a time: growing one table of a million keys
 * would block the event loop for tens of milliseconds.
 */
export class BlockMap {
  static readonly shards = 256;

  readonly #words: 1 | 4;
  readonly #shards = new Array<Shard | undefined>(BlockMap.shards).fill(undefined);
  #size = 0;

  constructor(words: 1 | 4) {
    this.#words = words;
  }

  get size(): number {
    return this.#size;
  }

  // The top eight bits of a hash choose the shard, the low ones the slot in it.

  get(key: Key): number | undefined {
    const hash = hashOf(this.#words, key);
    return this.#shards[hash >>> 24]?.get(hash, key);
  }

  /** Returns whether the key is new. */
  set(key: Key, value: number): boolean {
    const hash = hashOf(this.#words, key);
    const shard = this.#shards[hash >>> 24] ?? new Shard(this.#words);
    this.#shards[hash >>> 24] = shard;
    const isNew = shard.set(hash, key, value);
    if (isNew) this.#size++;
    return isNew;
  }

  delete(key: Key): boolean {
    const hash = hashOf(this.#words, key);
    const isGone = this.#shards[hash >>> 24]?.delete(hash, key) === true;
    if (isGone) this.#size--;
    return isGone;
  }

  forEach(visit: (key: Key, value: number) => void): void {
    for (const shard of this.#shards) shard?.forEach(visit);
  }

  /** Visits one shard. */
  forEachOf(shard: number, visit: (key: Key, value: number) => void): void {
    this.#shards[shard]?.forEach(visit);
  }

  /** Deletes the values of one shard for which `isGone` holds, and calls `onGone` for each. Returns how many. */
  sweep(shard: number, isGone: (value: number) => boolean, onGone: (key: Key) => void): number {
    const gone = this.#shards[shard]?.sweep(isGone, onGone) ?? 0;
    this.#size -= gone;
    return gone;
  }
}

const fewestSlots = 4;

/**
 * A hash table from keys to numbers in typed arrays: open addressing, linear probing. Length 0 marks an
 * empty slot, and at least a quarter of the slots are empty.
 */
class Shard {
  readonly #words: 1 | 4;
  #count = 0;
  #keys: Int32Array;
  #lengths: Uint8Array;
  #values: Float64Array;

  constructor(words: 1 | 4, slots = fewestSlots) {
    this.#words = words;
    this.#keys = new Int32Array(slots * words);
    this.#lengths = new Uint8Array(slots);
    this.#values = new Float64Array(slots);
  }

  get(hash: number, key: Key): number | undefined {
    const slot = this.#find(hash, key);
    return slot < 0 ? undefined : this.#values[slot];
  }

  /** Returns whether the key is new. */
  set(hash: number, key: Key, value: number): boolean {
    const found = this.#find(hash, key);
    if (found >= 0) {
      this.#values[found] = value;
      return false;
    }
    this.#put(~found, key, value);
    this.#fit();
    return true;
  }

  delete(hash: number, key: Key): boolean {
    const slot = this.#find(hash, key);
    if (slot < 0) return false;
    this.#empty(slot);
    this.#fit();
    return true;
  }

  forEach(visit: (key: Key, value: number) => void): void {
    this.#lengths.forEach((length, slot) => {
      if (length !== 0) visit(this.#keyAt(slot), this.#values[slot] ?? 0);
    });
  }

  sweep(isGone: (value: number) => boolean, onGone: (key: Key) => void): number {
    const before = this.#count;
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      // Emptying a slot may pull a later key into it, so the slot is checked again.
      while (this.#lengths[slot] !== 0 && isGone(this.#values[slot] ?? 0)) {
        onGone(this.#keyAt(slot));
        this.#empty(slot);
      }
    }
    this.#fit();
    return before - this.#count;
  }

  /** Slot of the key. For an absent key, the complement of the empty slot where it belongs. */
  #find(hash: number, { a, b, c, d, length }: Key): number {
    const keys = this.#keys;
    const lengths = this.#lengths;
    const words = this.#words;
    const last = lengths.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const there = lengths[slot];
      if (there === 0) return ~slot;
      const at = slot * words;
      if (there !== length || keys[at] !== a) continue;
      if (words === 1 || (keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d)) return slot;
    }
  }

  #keyAt(slot: number): Key {
    const at = slot * this.#words;
    const length = this.#lengths[slot] ?? 0;
    const a = this.#keys[at] ?? 0;
    if (this.#words === 1) return { a, b: 0, c: 0, d: 0, length };
    return { a, b: this.#keys[at + 1] ?? 0, c: this.#keys[at + 2] ?? 0, d: this.#keys[at + 3] ?? 0, length };
  }

  #put(slot: number, { a, b, c, d, length }: Key, value: number): void {
    const at = slot * this.#words;
    this.#keys[at] = a;
    if (this.#words === 4) {
      this.#keys[at + 1] = b;
      this.#keys[at + 2] = c;
      this.#keys[at + 3] = d;
    }
    this.#lengths[slot] = length;
    this.#values[slot] = value;
    this.#count++;
  }

  /** Empties a slot and moves the keys behind it forward, so that no search ends too early. */
  #empty(slot: number): void {
    const last = this.#lengths.length - 1;
    const words = this.#words;
    let hole = slot;
    for (let next = (slot + 1) & last; this.#lengths[next] !== 0; next = (next + 1) & last) {
      const home = hashOf(words, this.#keyAt(next)) & last;
      const isBetween = ((next - home) & last) < ((next - hole) & last);
      if (isBetween) continue;
      this.#keys.copyWithin(hole * words, next * words, (next + 1) * words);
      this.#lengths[hole] = this.#lengths[next] ?? 0;
      this.#values[hole] = this.#values[next] ?? 0;
      hole = next;
    }
    this.#lengths[hole] = 0;
    this.#count--;
  }

  /** Doubles the table past three quarters full. Halves it, repeatedly if necessary, under an eighth. */
  #fit(): void {
    const slots = this.#lengths.length;
    let wanted = this.#count * 4 > slots * 3 ? slots * 2 : slots;
    while (wanted > fewestSlots && this.#count * 8 < wanted) wanted /= 2;
    if (wanted !== slots) this.#moveTo(new Shard(this.#words, wanted));
  }

  #moveTo(roomier: Shard): void {
    this.forEach((key, value) => {
      roomier.#put(~roomier.#find(hashOf(this.#words, key), key), key, value);
    });
    this.#keys = roomier.#keys;
    this.#lengths = roomier.#lengths;
    this.#values = roomier.#values;
  }
}

/**
 * Random numbers for tabulation hashing (Pătraşcu and Thorup, 2012): linear probing stays short for keys chosen
 * without knowledge of these numbers, and they never leave the process.
 */
const dice = crypto.getRandomValues(new Int32Array(17 * 256));

const lengthTable = 16 * 256;

function hashOf(words: 1 | 4, { a, b, c, d, length }: Key): number {
  const hash = (dice[lengthTable + length] ?? 0) ^ roll(a, 0);
  return words === 1 ? hash : hash ^ roll(b, 1024) ^ roll(c, 2048) ^ roll(d, 3072);
}

function roll(word: number, table: number): number {
  return (
    (dice[table + (word & 255)] ?? 0) ^
    (dice[table + 256 + ((word >>> 8) & 255)] ?? 0) ^
    (dice[table + 512 + ((word >>> 16) & 255)] ?? 0) ^
    (dice[table + 768 + (word >>> 24)] ?? 0)
  );
}
