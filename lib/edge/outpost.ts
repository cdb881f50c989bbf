import type { Budget } from "./budget.ts";
import { differences, isSame, nextChanges } from "./changes.ts";
import { type AskLeave, type Dictionary, EdgeError } from "./dictionary.ts";

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
  readonly #log: (line: string) => void;
  #wished: ReadonlySet<string> = new Set();
  /** As far as is known; nothing after any doubt. */
  #actual: Set<string> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When the last call of who was in charge before must have come to its end. */
  #quietAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #backOffMs = 0;
  #behindSince: number | undefined = Date.now();
  #trouble: string | undefined;
  #isBusy = false;

  constructor(dictionary: Dictionary, budget: Budget, log: (line: string) => void = console.warn) {
    this.#dictionary = dictionary;
    this.#budget = budget;
    this.#log = log;
  }

  get capacity(): number {
    return this.#dictionary.capacity;
  }

  get name(): string {
    return this.#dictionary.name;
  }

  get wished(): ReadonlySet<string> {
    return this.#wished;
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
    if (this.#trouble === undefined) this.#notBefore = Number.NEGATIVE_INFINITY;
    this.#quietAt = performance.now() + (this.#dictionary.callLastsMs ?? 0);
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
    if (!this.#mustLook && this.#actual && isSame(this.#actual, this.#wished)) return this.#settle();
    this.#behindSince ??= Date.now();
    if (startedAt < this.#notBefore || (startedAt < this.#restsUntil && this.#hasOnlyMore)) return undefined;
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
      this.#restsUntil = performance.now() + (this.#dictionary.restMs ?? 0);
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
    if (believed && !this.#mustLook) return believed;
    this.#actual = undefined;
    const actual = await this.#dictionary.read(askLeave);
    this.#lookedAt = performance.now();
    if (believed) done.drifted = differences(believed, actual);
    this.#actual = actual;
    return actual;
  }

  get #mustLook(): boolean {
    const now = performance.now();
    const isQuietSince = now >= this.#quietAt && this.#lookedAt < this.#quietAt;
    return isQuietSince || now - this.#lookedAt >= this.#dictionary.lookEveryMs;
  }

  /** Nobody waits to be let in. */
  get #hasOnlyMore(): boolean {
    return this.#actual !== undefined && [...this.#actual].every((key) => this.#wished.has(key));
  }

  #settle(): undefined {
    this.#behindSince = undefined;
    this.#trouble = undefined;
  }

  #fail(error: unknown): void {
    this.#actual = undefined;
    this.#backOffMs = Math.min(longestBackOffMs, Math.max(firstBackOffMs, this.#backOffMs * 2));
    const asked = error instanceof EdgeError ? error.retryAfterMs : undefined;
    const restMs = Math.max(this.#backOffMs, this.#budget.gapAfterTroubleMs, asked ?? 0);
    this.#notBefore = performance.now() + restMs;
    const before = this.#trouble;
    this.#trouble =
      error instanceof EdgeError ? error.message : "It failed in a way that nobody foresaw: see the log.";
    if (!(error instanceof EdgeError) && this.#trouble !== before)
      this.#log(`sluice: ${this.#dictionary.name}: ${error instanceof Error ? error.stack : error}`);
  }
}
