import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { type LogCounters, type LogHead, readPage } from "./chain-page.ts";
import { PartChain } from "./chain-parts.ts";
import { beginning, type Seal } from "./seal.ts";
import { readFields, type StoredFields } from "./stored.ts";
import { nextCount } from "./walk.ts";

export interface ChainVerification {
  readonly records: number;
  /** In words, the first hundred. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

interface ChainLink extends StoredFields {
  readonly id: string;
}

/** How a log once ended. */
export interface AuditEnd {
  readonly n: number;
  readonly mac: string;
}

export interface ChainWatch {
  /** After each page: how many records were read, and how many faults were found so far. */
  readonly onProgress?: (records: number, problemCount: number) => void;
  readonly signal?: AbortSignal;
  /** The furthest end that this process has seen: the log in Redis must reach it. */
  readonly seen?: AuditEnd | undefined;
}

const firstPage = 50;
const shownProblems = 100;

/** Reads the whole audit log and reports what was altered, removed or put in without the secret. */
export async function verifyChain(
  redis: Connection,
  seal: Seal,
  { onProgress, signal, seen }: ChainWatch = {},
): Promise<ChainVerification> {
  const chain = new Chain(seal, seen);
  const breath = breathing();
  const unfinished: PartChain[] = [];
  let size = firstPage;
  for (let after = "-"; ; ) {
    signal?.throwIfAborted();
    const { rows, head, counters } = await readPage(redis, after, size);
    for (const [id, fields] of rows) {
      const parts = chain.follow({ id, ...readFields(fields) }, counters.change);
      if (parts && (await parts.read(redis, breath))) unfinished.push(parts);
      await breath();
    }
    onProgress?.(chain.records, chain.problemCount);
    const [lastId] = rows.at(-1) ?? [];
    // Head and counters were read together with this page, so they must agree with its end.
    if (lastId === undefined || rows.length < size) {
      // Parts may have been added while others were checked, and the counters include them.
      for (const parts of unfinished) await parts.read(redis, breath);
      return chain.close(head, counters);
    }
    after = `(${lastId}`;
    size = nextCount(rows);
  }
}

/** Walks the log from its beginning. After a fault it goes on with the records that it finds. */
class Chain {
  readonly #seal: Seal;
  readonly #problems: string[] = [];
  problemCount = 0;
  records = 0;
  #unsealed = 0;
  #lastN = 0;
  #lastMac = beginning;
  #lastChange = 0;
  /** False after a reported fault: that the next record does not fit is then expected. */
  #isLinked = true;

  /** Of records with more entries than one step can change. */
  readonly #parts: PartChain[] = [];
  readonly #seen: AuditEnd | undefined;

  constructor(seal: Seal, seen: AuditEnd | undefined) {
    this.#seal = seal;
    this.#seen = seen;
  }

  /** @param mostChange the number of the last change, as of this record's page: none can have a higher one */
  follow(link: ChainLink, mostChange: number): PartChain | undefined {
    this.records++;
    const n = Number(/^(\d+)-0$/.exec(link.id)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(n)) {
      this.#report(`The record ${link.id} was put in: Sluice gives no such number.`);
      return undefined;
    }
    if (n > this.#lastN + 1) this.#report(`${range(this.#lastN + 1, n - 1)} missing.`);
    const said = parseObject(link.record) ?? {};
    const fault = this.#faultOf(link, n, said.n);
    if (fault) this.#report(fault);
    else this.#isLinked = true;
    if (n === this.#seen?.n && link.mac !== this.#seen.mac)
      this.#report(
        `Record ${n} is not the one that this console has seen: the log was put back and rewritten.`,
      );
    this.#lastN = n;
    this.#lastMac = link.mac;
    const change = Number(said.change) || 0;
    if (change <= mostChange) this.#lastChange = Math.max(this.#lastChange, change);
    if (fault !== undefined || said.bulk === undefined) return undefined;
    const parts = new PartChain(this.#seal, { n, mac: link.mac }, (problem) => this.#note(problem));
    this.#parts.push(parts);
    return parts;
  }

  #faultOf({ record, previous, mac }: ChainLink, n: number, written: unknown): string | undefined {
    if (this.#seal.record(previous, record) !== mac) {
      this.#unsealed++;
      return `Record ${n} was altered, or put in by a writer that does not know the secret.`;
    }
    if (written !== n) return `Record ${n} is a copy of record ${written}.`;
    if (this.#isLinked && previous !== this.#lastMac) return `Record ${n} does not follow the one before it.`;
    return undefined;
  }

  close(head: LogHead | undefined, counters: LogCounters): ChainVerification {
    if (this.records > 1 && this.#unsealed === this.records) {
      const all = `None of the ${this.records} records fits NEXTAUTH_SECRET: it is not the one they were sealed with.`;
      return { records: this.records, problems: [all], problemCount: 1 };
    }
    this.#compare(head);
    this.#count(counters);
    this.#remember();
    return { records: this.records, problems: this.#problems, problemCount: this.problemCount };
  }

  #compare(head: LogHead | undefined): void {
    if (!head) {
      if (this.records > 0) this.#report(`The end of the log (${keys.auditHead()}) is missing.`);
      return;
    }
    const n = Number(head.n);
    if (this.#seal.end(n, head.mac) !== head.proof) {
      this.#report(`The end of the log (${keys.auditHead()}) was altered: the log may have been cut off.`);
    } else if (n > this.#lastN) this.#report(`${range(this.#lastN + 1, n)} missing at the end.`);
    else if (n < this.#lastN) this.#report(`${range(n + 1, this.#lastN)} beyond the end of the log: put in.`);
    else if (this.#isLinked && head.mac !== this.#lastMac)
      this.#report(`Record ${n} is not the one that was written.`);
  }

  /** A log that was cut off, with its head moved back to match, still misses what other keys have counted. */
  #count({ change, lastN, pending }: LogCounters): void {
    if (!this.#isLinked) return;
    const last = this.#parts.reduce((most, parts) => Math.max(most, parts.lastChange), this.#lastChange);
    const waiting = pending.filter((number) => number > last && number <= change).length;
    if (lastN > this.#lastN) this.#report(`${range(this.#lastN + 1, lastN)} missing at the end.`);
    else if (change - waiting > last)
      this.#report(`Change ${change} was made, but the log ends with change ${last}: its end is missing.`);
  }

  /** Stream, head and counter can all be put back to an earlier state; the memory of a process cannot. */
  #remember(): void {
    const { n } = this.#seen ?? { n: 0 };
    if (this.#lastN < n)
      this.#report(`${range(this.#lastN + 1, n)} missing at the end: this console has seen record ${n}.`);
  }

  #report(problem: string): void {
    this.#isLinked = false;
    this.#note(problem);
  }

  #note(problem: string): void {
    this.problemCount++;
    if (this.#problems.length < shownProblems) this.#problems.push(problem);
  }
}

function range(from: number, to: number): string {
  return from === to ? `Record ${from} is` : `Records ${from} to ${to} are`;
}
