import { hashOf, type Key } from "./key-hash.ts";
import { Shard } from "./shard.ts";

/**
 * A hash map from keys to numbers, cut into shards that grow by themselves: to grow one table of a million
 * keys would hold the event loop for tens of milliseconds.
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

  /** True if the key is new. */
  set(key: Key, value: number): boolean {
    const hash = hashOf(this.#words, key);
    this.#shards[hash >>> 24] ??= new Shard(this.#words);
    const isNew = this.#shards[hash >>> 24]?.set(hash, key, value) === true;
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

  /** Deletes from one shard the values that are gone, and tells `onGone`. Returns how many. */
  sweep(shard: number, isGone: (value: number) => boolean, onGone: (key: Key) => void): number {
    const gone = this.#shards[shard]?.sweep(isGone, onGone) ?? 0;
    this.#size -= gone;
    return gone;
  }
}
