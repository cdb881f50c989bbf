/**
 * A map of bounded size that keeps what is used: of two generations the older one is dropped once the younger one is full, and
 * what is looked up moves to the younger one. As cheap as a plain map, where an exact LRU list is not.
 */
export class Generations<Value> {
  readonly #half: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  /** Counts twice what stands in both generations. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(name: string): Value | undefined {
    const value = this.#young.get(name);
    if (value !== undefined || this.#old.size === 0) return value;
    const older = this.#old.get(name);
    if (older !== undefined) this.set(name, older);
    return older;
  }

  set(name: string, value: Value): void {
    if (this.#young.size >= this.#half && !this.#young.has(name)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, value);
  }

  delete(name: string): void {
    this.#young.delete(name);
    this.#old.delete(name);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  *values(): Generator<Value> {
    yield* this.#young.values();
    for (const [name, value] of this.#old) if (!this.#young.has(name)) yield value;
  }
}
