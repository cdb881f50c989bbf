/**
 * A map of bounded size that keeps the values in use: of two generations the older one is dropped once the younger one is full,
 * and a lookup moves its value to the younger one. As cheap as a plain map, unlike an exact LRU list.
 */
export class Generations<Value> {
  readonly #half: number;
  readonly #onDrop: (() => void) | undefined;
  #epoch: object = {};
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param onDrop called when values are dropped for want of room */
  constructor(capacity: number, onDrop?: () => void) {
    this.#onDrop = onDrop;
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  /** Another object whenever values grow old or go. What `get` returned in an epoch, it returns until the epoch ends. */
  get epoch(): object {
    return this.#epoch;
  }

  /** Counts a value twice if both generations have it. */
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
      if (this.#old.size > 0) this.#onDrop?.();
      this.#old = this.#young;
      this.#young = new Map();
      this.#epoch = {};
    }
    this.#young.set(name, value);
  }

  delete(name: string): void {
    this.#young.delete(name);
    this.#old.delete(name);
    this.#epoch = {};
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#epoch = {};
  }
}
