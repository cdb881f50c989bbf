import type { StoredPolicy } from "../../enforce/policy/stored.ts";
import { PolicyReader } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Catalogue } from "../../observe/catalogue/catalogue.ts";
import { isAtOrAfter } from "../../redis/change-stream.ts";
import type { Connection } from "../../redis/connect.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { type Decision, decisionOf, nextLookAt } from "./decision.ts";
import {
  changesAtOnce,
  type DecisionChange,
  type LogEntry,
  mostValues,
  publish,
  readDecisions,
  readEntries,
  readHead,
} from "./decision-log.ts";
import type { NamedDecision } from "./decision-text.ts";

/** What a bouncer gets. */
export interface DecisionAnswer {
  readonly added: Iterable<NamedDecision>;
  readonly removed: Iterable<NamedDecision>;
  /** The entry of the log up to which the bouncer then has everything. */
  readonly position: string;
}

/** What was published, and in which pass this process last saw it denied. */
interface HeldDecision {
  decision: Decision;
  pass: number;
}

const mostTries = 5;
/** What another process publishes may not be in the copy of this one for so long. */
const catchUpMs = 2_000;
/** A copy that has not followed Redis for so long knows less than what is published. */
const oldestCopyMs = 5_000;
/** Of the time, looking at all entries may take this share. */
const restFactor = 5;

/**
 * What bouncers enforce: a copy of what all processes have published. A process compares its own copy of the lists with it when it
 * is asked, and publishes what differs.
 */
export class Decisions {
  readonly #redis: Connection;
  readonly #catalogue: Catalogue;
  readonly #policy = new PolicyReader();
  readonly #held = new Map<string, HeldDecision>();
  /** What other processes have changed a moment ago: ms of Redis' clock, by value. */
  readonly #heard = new Map<string, number>();
  #log: LogEntry[] = [];
  #logged = 0;
  /** Newest entry of the log that this copy has. Undefined before it is read. */
  #head: string | undefined;
  #stored: StoredPolicy | undefined;
  #pass = 0;
  /** What the last look at all entries saw, and when the next one is due. */
  #seen: { readonly of: string; readonly nextAt: number; readonly restUntil: number } | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(redis: Connection, catalogue: Catalogue) {
    this.#redis = redis;
    this.#catalogue = catalogue;
  }

  get size(): number {
    return this.#held.size;
  }

  get(value: string): NamedDecision | undefined {
    const held = this.#held.get(value);
    return held && { value, ...held.decision };
  }

  *all(): Generator<NamedDecision> {
    for (const [value, { decision }] of this.#held) yield { value, ...decision };
  }

  /** Brings the copy up to date. Callers of one moment share the work. @returns Redis' clock in ms */
  async refresh(): Promise<number> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
    return redisNow(this.#redis);
  }

  /** @param position of the bouncer's last answer; undefined for one that starts, or is unknown */
  since(position: string | undefined): DecisionAnswer {
    const news = position === undefined ? undefined : this.#after(position);
    return {
      added: news ? this.#added(news) : this.all(),
      removed: this.#removed(news ?? [...this.#log]),
      position: this.#head ?? "",
    };
  }

  /** Each value once, as it is now. Read in turns: what changes in between is in the next answer, too. */
  *#added(entries: readonly LogEntry[]): Generator<NamedDecision> {
    const seen = new Set<string>();
    for (const { changes } of entries)
      for (const { value } of changes) {
        const decision = seen.has(value) ? undefined : this.get(value);
        seen.add(value);
        if (decision) yield decision;
      }
  }

  *#removed(entries: readonly LogEntry[]): Generator<NamedDecision> {
    const seen = new Set<string>();
    for (const { changes } of entries)
      for (const { value, decision, isGone } of changes) {
        if (!isGone || this.#held.has(value) || seen.has(value)) continue;
        seen.add(value);
        yield { value, ...decision };
      }
  }

  /** Undefined where entries after the position may be missing. */
  #after(position: string): readonly LogEntry[] | undefined {
    if (position === this.#head) return [];
    const place = this.#log.findIndex(({ id }) => id === position);
    return place < 0 ? undefined : this.#log.slice(place + 1);
  }

  async #refresh(): Promise<void> {
    await this.#readPolicy();
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#follow();
      if (await this.#compare()) return;
    }
    throw new DomainError("too-busy", "Other processes change the decisions now. Try again in a moment.");
  }

  /** A policy that cannot be read leaves the last one in force. The mode may end at a time. */
  async #readPolicy(): Promise<void> {
    const read = await this.#policy.read(this.#redis);
    const hasEnded = this.#stored !== undefined && this.#policy.msUntilEnd(this.#stored) <= 0;
    const reading = read ?? (hasEnded ? this.#policy.again() : undefined);
    if (reading?.ok) this.#stored = reading.stored;
  }

  get #isOff(): boolean {
    return this.#stored?.policy.mode === "off";
  }

  /** Reads what other processes have published. */
  async #follow(): Promise<void> {
    const entries = this.#head === undefined ? undefined : await readEntries(this.#redis, this.#head);
    if (!entries) return this.#load();
    for (const entry of entries) {
      this.#apply(entry);
      this.#hear(entry);
    }
  }

  /** Whether it was right is compared once the own copy must have it. */
  #hear({ id, changes }: LogEntry): void {
    const at = Number.parseInt(id, 10);
    for (const { value } of changes) this.#heard.set(value, at);
    if (this.#seen) this.#seen = { ...this.#seen, nextAt: Math.min(this.#seen.nextAt, at + catchUpMs) };
  }

  async #load(): Promise<void> {
    this.#head = undefined;
    this.#seen = undefined;
    const head = await readHead(this.#redis);
    this.#held.clear();
    this.#heard.clear();
    this.#log = [];
    this.#logged = 0;
    for await (const page of readDecisions(this.#redis))
      for (const [value, decision] of page) this.#held.set(value, { decision, pass: 0 });
    // What was published while this was read is applied once more, which changes nothing.
    for (const entry of (await readEntries(this.#redis, "")) ?? []) {
      if (isAtOrAfter(head, entry.id)) this.#keep(entry);
      else this.#apply(entry);
    }
    this.#head ??= head;
  }

  #apply(entry: LogEntry): void {
    for (const { value, decision, isGone } of entry.changes) {
      const held = this.#held.get(value);
      if (isGone) this.#held.delete(value);
      else if (held) held.decision = decision;
      else this.#held.set(value, { decision, pass: 0 });
    }
    this.#keep(entry);
    this.#head = entry.id;
  }

  #keep(entry: LogEntry): void {
    this.#log.push(entry);
    this.#logged += entry.changes.length;
    for (let first = this.#log[0]; this.#logged > mostValues && first !== entry; first = this.#log[0]) {
      this.#log.shift();
      this.#logged -= first?.changes.length ?? 0;
    }
  }

  /** Publishes what this process' copy of the lists has otherwise. False where another process has published since. */
  async #compare(): Promise<boolean> {
    const now = await redisNow(this.#redis);
    const of = `${this.#catalogue.version} ${this.#isOff}`;
    const seen = this.#seen;
    if (this.#head !== "" && this.#catalogue.ageMs > oldestCopyMs) return true;
    if (seen && (performance.now() < seen.restUntil || (seen.of === of && now < seen.nextAt))) return true;
    const start = performance.now();
    const { changes, nextAt } = await this.#differences(now);
    const restUntil = performance.now() + restFactor * (performance.now() - start);
    for (let from = 0; from < changes.length; from += changesAtOnce) {
      const some = changes.slice(from, from + changesAtOnce);
      const id = await publish(this.#redis, { head: this.#head ?? "", changes: some });
      if (id === undefined) return false;
      this.#apply({ id, changes: some });
    }
    this.#seen = { of, nextAt, restUntil };
    return true;
  }

  async #differences(now: number): Promise<{ readonly changes: DecisionChange[]; readonly nextAt: number }> {
    const changes: DecisionChange[] = [];
    const pass = ++this.#pass;
    for (const [value, at] of this.#heard) if (now - at >= catchUpMs) this.#heard.delete(value);
    let nextAt = Math.min(...new Set(this.#heard.values())) + catchUpMs;
    if (!this.#isOff)
      await this.#catalogue.eachDenied(now, (denied) => {
        const { value } = denied;
        const held = this.#held.get(value);
        const decision = decisionOf(denied, held?.decision, now);
        nextAt = Math.min(nextAt, nextLookAt(decision, denied.endsAt));
        if (held) held.pass = pass;
        if (decision !== held?.decision && !this.#heard.has(value))
          changes.push({ value, decision, isGone: false });
      });
    const breathe = breathing();
    let looked = 0;
    for (const [value, held] of this.#held) {
      if (held.pass !== pass && !this.#heard.has(value))
        changes.push({ value, decision: held.decision, isGone: true });
      if (++looked % changesAtOnce === 0) await breathe();
    }
    return { changes, nextAt };
  }
}
