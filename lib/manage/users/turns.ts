import { DomainError } from "../../errors.ts";

/** Runs a few works at a time. The others wait; work that would wait too long is refused. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #refusal: string;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  /** @param refusal the message for work that would wait too long */
  constructor(atOnce: number, mostWaiting: number, refusal: string) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#refusal = refusal;
  }

  get isIdle(): boolean {
    return this.#working === 0;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#atOnce) this.#working++;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working--;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new DomainError("too-busy", this.#refusal);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
