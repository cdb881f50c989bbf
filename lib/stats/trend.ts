/** What was read, and when. */
export interface Read {
  readonly at: number;
  readonly value: number;
}

/** What was read of each client in the last while, for lines that show where it goes. Clients that are not read any more are forgotten. */
export class Trend {
  readonly #kept = new Map<string, Read[]>();
  readonly #most: number;
  readonly #forgottenAfterMs: number;

  constructor({ most = 300, forgottenAfterMs = 60_000 } = {}) {
    this.#most = most;
    this.#forgottenAfterMs = forgottenAfterMs;
  }

  /** @returns what is known, oldest first, with this value as the last */
  add(name: string, value: number, nowMs: number): readonly Read[] {
    const kept = this.#kept.get(name) ?? [];
    const last = kept.at(-1);
    // Two questions of almost one moment are one point.
    if (last && nowMs - last.at < 500) kept[kept.length - 1] = { at: last.at, value };
    else kept.push({ at: nowMs, value });
    if (kept.length > this.#most) kept.shift();
    this.#kept.set(name, kept);
    return [...kept];
  }

  forget(nowMs: number): void {
    for (const [name, kept] of this.#kept)
      if (nowMs - (kept.at(-1)?.at ?? 0) > this.#forgottenAfterMs) this.#kept.delete(name);
  }
}
