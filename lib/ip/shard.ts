import { hashOf, type Key } from "./key-hash.ts";

const fewestSlots = 4;

/**
 * A hash table from keys to numbers in typed arrays: open addressing, linear probing. Length 0 marks an
 * empty slot, and at least a quarter of the slots are empty.
 */
export class Shard {
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

  /** True if the key is new. */
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
      // Emptying a slot may pull a later key into it, so it is looked at until it stays.
      while (this.#lengths[slot] !== 0 && isGone(this.#values[slot] ?? 0)) {
        onGone(this.#keyAt(slot));
        this.#empty(slot);
      }
    }
    this.#fit();
    return before - this.#count;
  }

  /** The slot of the key; if there is none, the complement of the empty slot where it belongs. */
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

  /** Empties a slot by pulling back the keys behind it, so that no search ends too early. */
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

  /** Doubles past three quarters full; halves, as often as it takes, under an eighth. */
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
