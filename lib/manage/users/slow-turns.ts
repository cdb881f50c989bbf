/** Attempts of one account that wait at a time. The last of them waits for 30 s. */
const mostOfAccount = 15;
/** Waiting attempts of all accounts. */
const mostInAll = 1_000;

interface SlowTurnOptions {
  /** Time in ms between two turns of one account. */
  readonly delayMs: number;
  readonly pause: (ms: number) => Promise<unknown>;
}

interface AccountLine {
  waiting: number;
  last: Promise<unknown>;
}

/**
 * Runs the attempts for one account one after the other, with a pause before each, from any number of addresses. A process
 * knows only its own line: with two consoles, an account has two turns in the time.
 */
export class SlowTurns {
  readonly #options: SlowTurnOptions;
  readonly #lines = new Map<string, AccountLine>();
  #waiting = 0;

  constructor(options: SlowTurnOptions) {
    this.#options = options;
  }

  /** Longest wait of an attempt in ms. */
  get longestMs(): number {
    return mostOfAccount * this.#options.delayMs;
  }

  /** Waits for a turn. Returns false at once if too many wait before it. */
  async wait(account: string): Promise<boolean> {
    const line = this.#lines.get(account) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= mostOfAccount || this.#waiting >= mostInAll) return false;
    this.#lines.set(account, line);
    line.waiting++;
    this.#waiting++;
    line.last = line.last.then(() => this.#options.pause(this.#options.delayMs));
    try {
      await line.last;
      return true;
    } finally {
      line.waiting--;
      this.#waiting--;
      if (line.waiting === 0) this.#lines.delete(account);
    }
  }
}
