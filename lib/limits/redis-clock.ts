/**
 * Redis' clock as far as this process can tell, in microseconds: its own monotonic clock and an offset. Each reply says when
 * it was between a sending and a receiving, and pulls the offset into that span.
 */
export class RedisClock {
  /** For tests: what is used instead, by Redis too. */
  readonly injected: () => number | undefined;
  #offset = (Date.now() - performance.now()) * 1_000;

  constructor(injected: () => number | undefined = () => undefined) {
    this.injected = injected;
  }

  now(): number {
    return this.injected() ?? performance.now() * 1_000 + this.#offset;
  }

  /** @param redisMicros what Redis' clock said between two moments of `performance.now()` */
  heard(redisMicros: number, askedAtMs: number, answeredAtMs: number): void {
    const latest = redisMicros - askedAtMs * 1_000;
    const earliest = redisMicros - answeredAtMs * 1_000;
    this.#offset = Math.min(latest, Math.max(earliest, this.#offset));
  }
}
