/** What was read of each client in the last while, for lines that show where it goes. Clients that are not read any more are forgotten. */
export class Trend {
  readonly #kept = new Map<string, { at: number; values: number[] }>();
  readonly #most: number;
  readonly #forgottenAfterMs: number;

  constructor({ most = 60, forgottenAfterMs = 60_000 } = {}) {
    this.#most = most;
    this.#forgottenAfterMs = forgottenAfterMs;
  }

  /** @returns what is known, oldest first, with this value as the last */
  add(name: string, value: number, nowMs: number): readonly number[] {
    const kept = this.#kept.get(name) ?? { at: 0, values: [] };
    // Two questions of almost one moment are one point.
    if (nowMs - kept.at < 500) kept.values.pop();
    else kept.at = nowMs;
    kept.values.push(value);
    if (kept.values.length > this.#most) kept.values.shift();
    this.#kept.set(name, kept);
    return [...kept.values];
  }

  forget(nowMs: number): void {
    for (const [name, { at }] of this.#kept) if (nowMs - at > this.#forgottenAfterMs) this.#kept.delete(name);
  }
}
