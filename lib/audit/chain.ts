import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { beginning, type Seal } from "./seal.ts";

export interface ChainReport {
  readonly records: number;
  /** In words, the first hundred. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

interface Link {
  readonly id: string;
  readonly record: string;
  readonly previous: string;
  readonly mac: string;
}

interface Head {
  readonly n: string;
  readonly mac: string;
  readonly proof: string;
}

/** What else in Redis knows how far the log must reach. */
interface Counters {
  readonly change: number;
  readonly lastN: number;
  /** Changes that nodes made and that wait for their record. */
  readonly pending: readonly number[];
}

const pageSize = 500;
const shownProblems = 100;

/** Reads the whole audit log and says what somebody has altered, taken out or put in without the secret. */
export async function verifyChain(redis: Connection, seal: Seal): Promise<ChainReport> {
  const chain = new Chain(seal);
  for (let after = "-"; ; ) {
    const { links, head, counters } = await readPage(redis, after);
    for (const link of links) chain.follow(link);
    const last = links.at(-1);
    // Head and counters were read together with this page, so it must be the end of what they tell.
    if (!last || links.length < pageSize) return chain.close(head, counters);
    after = `(${last.id}`;
  }
}

async function readPage(
  redis: Connection,
  after: string,
): Promise<{ links: Link[]; head: Head | undefined; counters: Counters }> {
  const replies = await redis
    .multi()
    .xrange(keys.audit(), after, "+", "COUNT", pageSize)
    .hmget(keys.auditHead(), "n", "mac", "proof")
    .get(keys.change())
    .xinfo("STREAM", keys.audit())
    .hkeys(keys.pendingBans())
    .exec();
  const [[pageError, page], [headError, head]] = [replies?.[0] ?? [null, []], replies?.[1] ?? [null, []]];
  const [, change] = replies?.[2] ?? [];
  const [, stream] = replies?.[3] ?? [];
  const [, pending] = replies?.[4] ?? [];
  if (pageError ?? headError) throw pageError ?? headError;
  // What these two commands reply is known: a list of [id, flat fields], and a list of three texts.
  const rows = page as [string, string[]][];
  const [n, mac, proof] = head as (string | null)[];
  const isMissing = n == null || mac == null;
  return {
    links: rows.map(([id, fields]) => ({ id, ...readFields(fields) })),
    head: isMissing ? undefined : { n, mac, proof: proof ?? "" },
    counters: { change: Number(change) || 0, lastN: lastGiven(stream), pending: numbersIn(pending) },
  };
}

function numbersIn(fields: unknown): number[] {
  return Array.isArray(fields) ? fields.filter((field) => /^[1-9]\d*$/.test(field)).map(Number) : [];
}

/** The id that the stream gave last, also if that record is gone. There is none where the stream itself is gone. */
function lastGiven(stream: unknown): number {
  if (!Array.isArray(stream)) return 0;
  return Number(String(stream[stream.indexOf("last-generated-id") + 1]).split("-", 1)[0]) || 0;
}

export function readFields(flat: readonly string[]): Omit<Link, "id"> {
  const field = (name: string) => flat[flat.findIndex((text, i) => i % 2 === 0 && text === name) + 1] ?? "";
  return { record: field("record"), previous: field("previous"), mac: field("mac") };
}

/** Walks the log from its beginning; after a fault it goes on with what stands there. */
class Chain {
  readonly #seal: Seal;
  readonly #problems: string[] = [];
  #problemCount = 0;
  #records = 0;
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
    this.#records++;
    const n = Number(/^(\d+)-0$/.exec(link.id)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(n)) {
      this.#tell(`The record ${link.id} was put in: Sluice gives no such number.`);
      return;
    }
    if (n > this.#lastN + 1) this.#tell(`${range(this.#lastN + 1, n - 1)} missing.`);
    const fault = this.#faultOf(link, n);
    if (fault) this.#tell(fault);
    else this.#isLinked = true;
    this.#lastN = n;
    this.#lastMac = link.mac;
    this.#lastChange = Math.max(this.#lastChange, Number(memberOf(link.record, "change")) || 0);
  }

  #faultOf({ record, previous, mac }: Link, n: number): string | undefined {
    if (this.#seal.record(previous, record) !== mac) {
      this.#unsealed++;
      return `Record ${n} was altered, or put in by somebody who does not know the secret.`;
    }
    const written = memberOf(record, "n");
    if (written !== n) return `Record ${n} is a copy of record ${written}.`;
    if (this.#isLinked && previous !== this.#lastMac) return `Record ${n} does not follow the one before it.`;
    return undefined;
  }

  close(head: Head | undefined, counters: Counters): ChainReport {
    if (this.#records > 1 && this.#unsealed === this.#records) {
      const all = `None of the ${this.#records} records fits NEXTAUTH_SECRET: it is not the one they were sealed with.`;
      return { records: this.#records, problems: [all], problemCount: 1 };
    }
    this.#compare(head);
    this.#count(counters);
    return { records: this.#records, problems: this.#problems, problemCount: this.#problemCount };
  }

  #compare(head: Head | undefined): void {
    if (!head) {
      if (this.#records > 0) this.#tell(`The end of the log (${keys.auditHead()}) is missing.`);
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
    this.#problemCount++;
    if (this.#problems.length < shownProblems) this.#problems.push(problem);
  }
}

function range(from: number, to: number): string {
  return from === to ? `Record ${from} is` : `Records ${from} to ${to} are`;
}

function memberOf(record: string, name: "n" | "change"): unknown {
  try {
    const parsed: unknown = JSON.parse(record);
    return typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, name) : undefined;
  } catch {
    return undefined;
  }
}
