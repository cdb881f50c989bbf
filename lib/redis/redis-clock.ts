/** Redis' clock in whole ms. */
export async function redisNow(redis: { time(): Promise<(string | number)[]> }): Promise<number> {
  return readTime(await redis.time());
}

/** The reply to TIME in whole ms. */
export function readTime([seconds, micros]: readonly unknown[]): number {
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

/**
 * Redis' clock as far as this process knows it, in microseconds: its own monotonic clock and a lead. Each reply has the time of
 * a moment between sending and receiving, and pulls the lead into that span.
 */
export class RedisClock {
  /** For tests: the time that is used instead, by Redis too. */
  readonly injected: () => number | undefined;
  #lead = (Date.now() - performance.now()) * 1_000;

  constructor(injected: () => number | undefined = () => undefined) {
    this.injected = injected;
  }

  now(): number {
    return this.at(performance.now());
  }

  /** At a moment of `performance.now()`. */
  at(ms: number): number {
    return this.injected() ?? ms * 1_000 + this.#lead;
  }

  /** The last argument of a script that takes an injected clock. */
  injectedWords(): string[] {
    const injected = this.injected();
    return injected === undefined ? [] : [String(injected)];
  }

  /** @param redisMicros Redis' clock between two moments of `performance.now()` */
  heard(redisMicros: number, askedAtMs: number, answeredAtMs: number): void {
    const latest = redisMicros - askedAtMs * 1_000;
    const earliest = redisMicros - answeredAtMs * 1_000;
    this.#lead = Math.min(latest, Math.max(earliest, this.#lead));
  }
}
