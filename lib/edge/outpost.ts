import type { Budget } from "./budget.ts";
import { type AskLeave, type Changes, type Dictionary, EdgeError } from "./dictionary.ts";

/** How a dictionary stands, as pages show it. */
export interface Standing {
  readonly kind: Dictionary["kind"];
  readonly name: string;
  readonly capacity: number;
  /** What it should hold. */
  readonly wished: number;
  /** What it holds; null while nobody knows. */
  readonly actual: number | null;
  /** Ms: since when it has not been as wished; null while it is. */
  readonly behindSince: number | null;
  /** In words; null while all is well. */
  readonly trouble: string | null;
  readonly callsLastHour: number | null;
  readonly callsAnHour: number | null;
}

/** One try to bring a dictionary to the wished state. */
export interface Try {
  readonly dictionary: string;
  readonly ms: number;
  readonly calls: number;
  readonly added: number;
  readonly removed: number;
  /** Others had changed it: what was taken out of it, or put back, for that. */
  readonly drifted: number;
  readonly trouble: string | null;
}

const firstBackOffMs = 1_000;
const longestBackOffMs = 60_000;

/** Brings one dictionary to what is wished for, with as few calls as that takes, and again whenever something went wrong. */
export class Outpost {
  readonly #dictionary: Dictionary;
  readonly #budget: Budget;
  #wished: ReadonlySet<string> = new Set();
  /** As far as is known; nothing after any doubt. */
  #actual: Set<string> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #backOffMs = 0;
  #behindSince: number | undefined = Date.now();
  #trouble: string | undefined;
  #isBusy = false;

  constructor(dictionary: Dictionary, budget: Budget) {
    this.#dictionary = dictionary;
    this.#budget = budget;
  }

  get capacity(): number {
    return this.#dictionary.capacity;
  }

  get standing(): Standing {
    const { kind, name, capacity, callsAnHour } = this.#dictionary;
    return {
      ...{ kind, name, capacity },
      wished: this.#wished.size,
      actual: this.#actual?.size ?? null,
      behindSince: this.#behindSince ?? null,
      trouble: this.#trouble ?? null,
      callsLastHour: callsAnHour === undefined ? null : this.#budget.made,
      callsAnHour: callsAnHour ?? null,
    };
  }

  /** Somebody else may have written since. */
  doubt(): void {
    this.#actual = undefined;
    this.#notBefore = Number.NEGATIVE_INFINITY;
  }

  /**
   * Nothing when there was nothing to do, when it is not yet the time to try again, or while an earlier try goes on,
   * which then takes up what is wished now.
   */
  async bring(wished: ReadonlySet<string>): Promise<Try | undefined> {
    this.#wished = wished;
    if (this.#isBusy) return undefined;
    this.#isBusy = true;
    try {
      return await this.#try();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Nobody new, and of those who are wished for only these. */
  keepOnly(keys: { has(key: string): boolean }): Promise<Try | undefined> {
    return this.bring(new Set([...this.#wished].filter((key) => keys.has(key))));
  }

  close(): void {
    this.#dictionary.close();
  }

  async #try(): Promise<Try | undefined> {
    const startedAt = performance.now();
    const hasDrifted = startedAt - this.#lookedAt >= this.#dictionary.lookEveryMs;
    if (!hasDrifted && this.#actual && isSame(this.#actual, this.#wished)) return this.#settle();
    this.#behindSince ??= Date.now();
    if (startedAt < this.#notBefore) return undefined;
    const done = { dictionary: this.#dictionary.name, calls: 0, added: 0, removed: 0, drifted: 0 };
    const troubleBefore = this.#trouble;
    const askLeave = async () => {
      await this.#budget.askLeave();
      done.calls++;
    };
    try {
      const actual = await this.#work(done, askLeave);
      this.#backOffMs = 0;
      this.#trouble = undefined;
      this.#notBefore = performance.now() + this.#budget.gapMs;
      if (isSame(actual, this.#wished)) this.#settle();
    } catch (error) {
      this.#fail(error);
    }
    const isNews = done.added + done.removed + done.drifted > 0 || this.#trouble !== troubleBefore;
    const ms = Math.round(performance.now() - startedAt);
    return isNews ? { ...done, ms, trouble: this.#trouble ?? null } : undefined;
  }

  async #work(
    done: { added: number; removed: number; drifted: number },
    askLeave: AskLeave,
  ): Promise<ReadonlySet<string>> {
    const dictionary = this.#dictionary;
    const actual = await this.#look(done, askLeave);
    for (;;) {
      const changes = nextChanges(actual, this.#wished, dictionary.changesACall);
      if (changes.add.length + changes.remove.length === 0) return actual;
      // Until it is done, nobody knows what is there.
      this.#actual = undefined;
      await dictionary.change(changes, askLeave);
      for (const key of changes.remove) actual.delete(key);
      for (const key of changes.add) actual.add(key);
      this.#actual = actual;
      done.added += changes.add.length;
      done.removed += changes.remove.length;
    }
  }

  /** What is there; asked again from time to time, in case somebody else has changed it. */
  async #look(done: { drifted: number }, askLeave: AskLeave): Promise<Set<string>> {
    const believed = this.#actual;
    if (believed && performance.now() - this.#lookedAt < this.#dictionary.lookEveryMs) return believed;
    this.#actual = undefined;
    const actual = await this.#dictionary.read(askLeave);
    this.#lookedAt = performance.now();
    if (believed) done.drifted = differences(believed, actual);
    this.#actual = actual;
    return actual;
  }

  #settle(): undefined {
    this.#behindSince = undefined;
    this.#trouble = undefined;
  }

  #fail(error: unknown): void {
    this.#actual = undefined;
    this.#backOffMs = Math.min(longestBackOffMs, Math.max(firstBackOffMs, this.#backOffMs * 2));
    const asked = error instanceof EdgeError ? error.retryAfterMs : undefined;
    this.#notBefore = performance.now() + Math.max(this.#backOffMs, asked ?? 0);
    this.#trouble =
      error instanceof EdgeError ? error.message : "Redis does not count the calls, so none is made.";
  }
}

/** Whoever is let in again comes first; of who is new, the worst. */
function nextChanges(actual: ReadonlySet<string>, wished: ReadonlySet<string>, most: number): Changes {
  const remove: string[] = [];
  const add: string[] = [];
  for (const key of actual) if (!wished.has(key) && remove.length < most) remove.push(key);
  for (const key of wished) if (!actual.has(key) && remove.length + add.length < most) add.push(key);
  return { add, remove };
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && differences(a, b) === 0;
}

function differences(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let found = 0;
  for (const key of a) if (!b.has(key)) found++;
  for (const key of b) if (!a.has(key)) found++;
  return found;
}
