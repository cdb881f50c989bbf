import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { type Counters, type Head, readPage } from "./chain-page.ts";
import { beginning, type Seal } from "./seal.ts";
import { readFields, type StoredFields } from "./stored.ts";
import { breathing, nextCount } from "./walk.ts";

export interface ChainReport {
  readonly records: number;
  /** In words, the first hundred. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

interface Link extends StoredFields {
  readonly id: string;
}

export interface ChainWatch {
  /** After each page: how many records were read, and how many faults were found so far. */
  readonly onProgress?: (records: number, problemCount: number) => void;
  readonly signal?: AbortSignal;
}

const firstPage = 50;
const shownProblems = 100;

/** Reads the whole audit log and says what somebody has altered, taken out or put in without the secret. */
export async function verifyChain(
  redis: Connection,
  seal: Seal,
  { onProgress, signal }: ChainWatch = {},
): Promise<ChainReport> {
  const chain = new Chain(seal);
  const breath = breathing();
  let size = firstPage;
  for (let after = "-"; ; ) {
    signal?.throwIfAborted();
    const { rows, head, counters } = await readPage(redis, after, size);
    for (const [id, fields] of rows) {
      chain.follow({ id, ...readFields(fields) });
      await breath();
    }
    onProgress?.(chain.records, chain.problemCount);
    const [lastId] = rows.at(-1) ?? [];
    // Head and counters were read together with this page, so it must be the end of what they tell.
    if (lastId === undefined || rows.length < size) return chain.close(head, counters);
    after = `(${lastId}`;
    size = nextCount(rows);
  }
}

/** Walks the log from its beginning; after a fault it goes on with what stands there. */
class Chain {
  readonly #seal: Seal;
  readonly #problems: string[] = [];
  problemCount = 0;
  records = 0;
  #unsealed = 0;
  #lastN = 0;
  #lastMac = beginning;
  #lastChange = 0;
  /** False after a fault that was told: that the next record does not fit is then no news. */
  #isLinked = true;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  follow(link: Link): void {
    this.records++;
    const n = Number(/^(\d+)-0$/.exec(link.id)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(n)) {
      this.#tell(`The record ${link.id} was put in: Sluice gives no such number.`);
      return;
    }
    if (n > this.#lastN + 1) this.#tell(`${range(this.#lastN + 1, n - 1)} missing.`);
    const said = membersOf(link.record);
    const fault = this.#faultOf(link, n, said.n);
    if (fault) this.#tell(fault);
    else this.#isLinked = true;
    this.#lastN = n;
    this.#lastMac = link.mac;
    this.#lastChange = Math.max(this.#lastChange, Number(said.change) || 0);
  }

  #faultOf({ record, previous, mac }: Link, n: number, written: unknown): string | undefined {
    if (this.#seal.record(previous, record) !== mac) {
      this.#unsealed++;
      return `Record ${n} was altered, or put in by somebody who does not know the secret.`;
    }
    if (written !== n) return `Record ${n} is a copy of record ${written}.`;
    if (this.#isLinked && previous !== this.#lastMac) return `Record ${n} does not follow the one before it.`;
    return undefined;
  }

  close(head: Head | undefined, counters: Counters): ChainReport {
    if (this.records > 1 && this.#unsealed === this.records) {
      const all = `None of the ${this.records} records fits NEXTAUTH_SECRET: it is not the one they were sealed with.`;
      return { records: this.records, problems: [all], problemCount: 1 };
    }
    this.#compare(head);
    this.#count(counters);
    return { records: this.records, problems: this.#problems, problemCount: this.problemCount };
  }

  #compare(head: Head | undefined): void {
    if (!head) {
      if (this.records > 0) this.#tell(`The end of the log (${keys.auditHead()}) is missing.`);
      return;
    }
    const n = Number(head.n);
    if (this.#seal.end(n, head.mac) !== head.proof) {
      this.#tell(`The end of the log (${keys.auditHead()}) was altered: the log may have been cut off.`);
    } else if (n > this.#lastN) this.#tell(`${range(this.#lastN + 1, n)} missing at the end.`);
    else if (n < this.#lastN) this.#tell(`${range(n + 1, this.#lastN)} beyond the end of the log: put in.`);
    else if (this.#isLinked && head.mac !== this.#lastMac)
      this.#tell(`Record ${n} is not the one that was written.`);
  }

  /** A log that was cut off, and its head moved back to match, is still short of what was counted elsewhere. */
  #count({ change, lastN, pending }: Counters): void {
    if (!this.#isLinked) return;
    const waiting = pending.filter((number) => number > this.#lastChange && number <= change).length;
    if (lastN > this.#lastN) this.#tell(`${range(this.#lastN + 1, lastN)} missing at the end.`);
    else if (change - waiting > this.#lastChange)
      this.#tell(
        `Change ${change} was made, but the log ends with change ${this.#lastChange}: its end is missing.`,
      );
  }

  #tell(problem: string): void {
    this.#isLinked = false;
    this.problemCount++;
    if (this.#problems.length < shownProblems) this.#problems.push(problem);
  }
}

function range(from: number, to: number): string {
  return from === to ? `Record ${from} is` : `Records ${from} to ${to} are`;
}

function membersOf(record: string): { readonly n?: unknown; readonly change?: unknown } {
  try {
    const parsed: unknown = JSON.parse(record);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
