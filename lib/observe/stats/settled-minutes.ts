import { at } from "../../at.ts";

/** In minutes: as long as Redis keeps them. */
const oldestKept = 25 * 60;

/** What is known of minutes that are over, for the questions that were asked most recently: each minute is read once. */
export class SettledMinutes<T> {
  readonly #questions = new Map<string, Map<number, T>>();
  readonly #mostQuestions: number;

  constructor(mostQuestions: number) {
    this.#mostQuestions = mostQuestions;
  }

  /** @param fetch answers for the minutes that are not known yet, one each */
  async read(
    question: string,
    minutes: readonly number[],
    nowMs: number,
    fetch: (missing: readonly number[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const settled = this.#settledOf(question);
    // Taken before the fetch: another caller may drop what it does not need.
    const known = minutes.map((minute) => settled.get(minute));
    const missing = minutes.filter((_, i) => known[i] === undefined);
    const fetched = missing.length > 0 ? await fetch(missing) : [];
    const running = Math.floor(nowMs / 60_000);
    // The last reports of a minute arrive a second or two after it.
    for (const [i, minute] of missing.entries())
      if (minute < running - 1) settled.set(minute, at(fetched, i));
    for (const minute of settled.keys()) if (minute < running - oldestKept) settled.delete(minute);
    let next = 0;
    return known.map((answer) => answer ?? at(fetched, next++));
  }

  #settledOf(question: string): Map<number, T> {
    const settled = this.#questions.get(question) ?? new Map<number, T>();
    // The question asked most recently is the last.
    this.#questions.delete(question);
    this.#questions.set(question, settled);
    for (const oldest of this.#questions.keys()) {
      if (this.#questions.size <= this.#mostQuestions) break;
      this.#questions.delete(oldest);
    }
    return settled;
  }
}
