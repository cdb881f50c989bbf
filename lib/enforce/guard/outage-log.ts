import type { Schedule, Task } from "../../redis/schedule.ts";

/** A connection that is back within this time is not worth a line. */
const settleMs = 300;
const repeatEveryMs = 5 * 60_000;

export interface OutageWords {
  /** The cause, as known at the time of the line, and what follows from it. */
  readonly begin: () => string;
  readonly end: () => string;
}

/** One line when an outage begins, one every five minutes while it lasts, one when it is over. */
export class OutageLog {
  readonly #schedule: Schedule;
  readonly #log: (line: string) => void;
  readonly #words: OutageWords;
  #since: number | undefined;
  #isLogged = false;
  #next: Task | undefined;

  constructor(schedule: Schedule, log: (line: string) => void, words: OutageWords) {
    this.#schedule = schedule;
    this.#log = log;
    this.#words = words;
  }

  /** Date.now() at its beginning. Undefined while there is no outage. */
  get since(): number | undefined {
    return this.#since;
  }

  begin(): void {
    if (this.#since !== undefined) return;
    const since = Date.now();
    this.#since = since;
    this.#next = this.#schedule.once(settleMs, () => {
      this.#isLogged = true;
      this.#log(this.#words.begin());
      this.#next = this.#schedule.every(repeatEveryMs, () => {
        const minutes = Math.round((Date.now() - since) / 60_000);
        this.#log(`${this.#words.begin()} This has lasted ${minutes} min.`);
      });
    });
  }

  end(): void {
    if (this.#isLogged) this.#log(this.#words.end());
    this.#next?.cancel();
    this.#since = undefined;
    this.#isLogged = false;
  }
}
