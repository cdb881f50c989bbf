import { errorLineWithStack } from "../../errors.ts";
import type { Budget } from "./budget.ts";
import { differences, isSame, nextChanges } from "./changes.ts";
import { type Dictionary, EdgeError, type TakeCall } from "./dictionary.ts";

/** State of a dictionary, as pages show it. */
export interface DictionaryStatus {
  readonly kind: Dictionary["kind"];
  readonly name: string;
  readonly capacity: number;
  /** The number of keys that it should hold. */
  readonly wished: number;
  /** The number of keys that it holds; null while unknown. */
  readonly actual: number | null;
  /** Ms: since when it has been out of sync; null while it is in sync. */
  readonly behindSince: number | null;
  /** In words; null without trouble. */
  readonly trouble: string | null;
  readonly callsLastHour: number | null;
  readonly callsAnHour: number | null;
}

/** One attempt to bring a dictionary to the wanted state. */
export interface SyncAttempt {
  readonly dictionary: string;
  readonly ms: number;
  readonly calls: number;
  readonly added: number;
  readonly removed: number;
  /** Keys removed or added again because another program had changed them. */
  readonly drifted: number;
  readonly trouble: string | null;
}

const firstBackOffMs = 1_000;
const longestBackOffMs = 60_000;

/** Keeps one dictionary in the wanted state, with as few calls as possible. Retries after failures. */
export class DictionarySync {
  readonly #dictionary: Dictionary;
  readonly #budget: Budget;
  readonly #log: (line: string) => void;
  #wanted: ReadonlySet<string> = new Set();
  /** Keys in the dictionary. Undefined while unknown. */
  #actual: Set<string> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** The moment by which the last call of the process before has ended. */
  #quietAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #addsNotBefore = Number.NEGATIVE_INFINITY;
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

  get wanted(): ReadonlySet<string> {
    return this.#wanted;
  }

  get status(): DictionaryStatus {
    const { kind, name, capacity, callsAnHour } = this.#dictionary;
    return {
      ...{ kind, name, capacity },
      wished: this.#wanted.size,
      actual: this.#actual?.size ?? null,
      behindSince: this.#behindSince ?? null,
      trouble: this.#trouble ?? null,
      callsLastHour: callsAnHour === undefined ? null : this.#budget.made,
      callsAnHour: callsAnHour ?? null,
    };
  }

  /** Forgets the content: another process may have changed it. */
  doubt(): void {
    this.#actual = undefined;
    if (this.#trouble === undefined) this.#notBefore = Number.NEGATIVE_INFINITY;
    this.#quietAt = performance.now() + (this.#dictionary.longestCallMs ?? 0);
  }

  /**
   * Undefined if nothing is to do, before the time of the next attempt, or while an earlier attempt runs, which then
   * continues with these keys.
   */
  async reconcile(wanted: ReadonlySet<string>): Promise<SyncAttempt | undefined> {
    this.#wanted = wanted;
    if (this.#isBusy) return undefined;
    this.#isBusy = true;
    try {
      return await this.#try();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Adds no key, and of the wanted keys keeps only these. */
  keepOnly(keys: { has(key: string): boolean }): Promise<SyncAttempt | undefined> {
    return this.reconcile(new Set([...this.#wanted].filter((key) => keys.has(key))));
  }

  close(): void {
    this.#dictionary.close();
  }

  async #try(): Promise<SyncAttempt | undefined> {
    const startedAt = performance.now();
    if (!this.#mustRead && this.#actual && isSame(this.#actual, this.#wanted)) return this.#settle();
    this.#behindSince ??= Date.now();
    if (startedAt < this.#notBefore || (startedAt < this.#addsNotBefore && this.#hasOnlyAdditions))
      return undefined;
    const done = { dictionary: this.#dictionary.name, calls: 0, added: 0, removed: 0, drifted: 0 };
    const troubleBefore = this.#trouble;
    const takeCall = async () => {
      await this.#budget.takeCall();
      done.calls++;
    };
    try {
      const actual = await this.#change(done, takeCall);
      this.#backOffMs = 0;
      this.#trouble = undefined;
      this.#notBefore = performance.now() + this.#budget.gapMs;
      if (done.added + done.removed > 0)
        this.#addsNotBefore = performance.now() + (this.#dictionary.restMs ?? 0);
      if (isSame(actual, this.#wanted)) this.#settle();
    } catch (error) {
      this.#fail(error);
    }
    const isNews = done.added + done.removed + done.drifted > 0 || this.#trouble !== troubleBefore;
    const ms = Math.round(performance.now() - startedAt);
    return isNews ? { ...done, ms, trouble: this.#trouble ?? null } : undefined;
  }

  async #change(
    done: { added: number; removed: number; drifted: number },
    takeCall: TakeCall,
  ): Promise<ReadonlySet<string>> {
    const dictionary = this.#dictionary;
    const actual = await this.#read(done, takeCall);
    for (;;) {
      const changes = nextChanges(actual, this.#wanted, dictionary.changesACall);
      if (changes.add.length + changes.remove.length === 0) return actual;
      // The content is unknown until the change is made.
      this.#actual = undefined;
      await dictionary.change(changes, takeCall);
      for (const key of changes.remove) actual.delete(key);
      for (const key of changes.add) actual.add(key);
      this.#actual = actual;
      done.added += changes.add.length;
      done.removed += changes.remove.length;
    }
  }

  /** The content. It is read again from time to time, because another program can change it. */
  async #read(done: { drifted: number }, takeCall: TakeCall): Promise<Set<string>> {
    const expected = this.#actual;
    if (expected && !this.#mustRead) return expected;
    this.#actual = undefined;
    const actual = await this.#dictionary.read(takeCall);
    this.#readAt = performance.now();
    if (expected) done.drifted = differences(expected, actual);
    this.#actual = actual;
    return actual;
  }

  get #mustRead(): boolean {
    const now = performance.now();
    const isQuietSince = now >= this.#quietAt && this.#readAt < this.#quietAt;
    return isQuietSince || now - this.#readAt >= this.#dictionary.readEveryMs;
  }

  /** Whether no key waits for its removal. */
  get #hasOnlyAdditions(): boolean {
    return this.#actual !== undefined && [...this.#actual].every((key) => this.#wanted.has(key));
  }

  #settle(): undefined {
    this.#behindSince = undefined;
    this.#trouble = undefined;
  }

  #fail(error: unknown): void {
    this.#actual = undefined;
    this.#backOffMs = Math.min(longestBackOffMs, Math.max(firstBackOffMs, this.#backOffMs * 2));
    const requestedMs = error instanceof EdgeError ? error.retryAfterMs : undefined;
    const restMs = Math.max(this.#backOffMs, this.#budget.gapAfterTroubleMs, requestedMs ?? 0);
    this.#notBefore = performance.now() + restMs;
    const before = this.#trouble;
    this.#trouble = error instanceof EdgeError ? error.message : "The sync failed unexpectedly. See the log.";
    if (!(error instanceof EdgeError) && this.#trouble !== before)
      this.#log(`sluice: ${this.#dictionary.name}: ${errorLineWithStack(error)}`);
  }
}
