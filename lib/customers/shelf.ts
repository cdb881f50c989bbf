/** To grow one map of a million keys would hold the event loop for tens of milliseconds. */
const shards = 64;

/** A map from short ASCII texts, cut into shards that grow by themselves. */
export class Shelf<T> {
  readonly #shards = Array.from({ length: shards }, () => new Map<string, T>());

  get size(): number {
    let size = 0;
    for (const shard of this.#shards) size += shard.size;
    return size;
  }

  get(name: string): T | undefined {
    return this.#shards[shardOf(name)]?.get(name);
  }

  set(name: string, value: T): void {
    const shard = this.#shards[shardOf(name)];
    // A text cut from a longer one keeps the whole of it alive.
    shard?.set(shard.has(name) ? name : Buffer.from(name, "latin1").toString("latin1"), value);
  }

  delete(name: string): void {
    this.#shards[shardOf(name)]?.delete(name);
  }
}

function shardOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 15)) & (shards - 1);
}
