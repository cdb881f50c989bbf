import type { Connection } from "../../redis/connect.ts";
import { type PartHead, readPartPage } from "./chain-page.ts";
import { readFacts, readPart } from "./parts.ts";
import type { OpenBulk } from "./record.ts";
import { type AuditLog, partLog, type Seal } from "./seal.ts";
import { numberOf, readFields, type StoredRow } from "./stored.ts";
import { nextCount } from "./walk.ts";

const firstPage = 4;

/** Checks the parts of one record: chained to the record by its mac, and ended by a head of their own. */
export class PartChain {
  readonly of: number;
  /** The highest change number that a part says. */
  lastChange = 0;
  readonly #log: AuditLog;
  readonly #seal: Seal;
  readonly #report: (problem: string) => void;
  #lastN = 0;
  #lastMac: string;
  #done = 0;
  #isLinked = true;
  #isWhole = true;

  constructor(seal: Seal, { n, mac }: Pick<OpenBulk, "n" | "mac">, report: (problem: string) => void) {
    this.of = n;
    this.#seal = seal;
    this.#log = partLog(seal, { n, mac });
    this.#lastMac = mac;
    this.#report = (problem) => {
      [this.#isLinked, this.#isWhole] = [false, false];
      report(problem);
    };
  }

  /** Reads on from where it stopped, to the end. @returns whether more parts may follow */
  async read(redis: Connection, breath: () => Promise<void>): Promise<boolean> {
    for (let size = firstPage; ; ) {
      const page = { after: this.#lastN === 0 ? "-" : `(${this.#lastN}-0`, size };
      const { rows, head } = await readPartPage(redis, this.#log, page);
      for (const [id, fields] of rows) {
        this.#follow({ id, fields });
        await breath();
      }
      if (rows.length < size) return this.#compare(head);
      size = nextCount(rows);
    }
  }

  #follow(row: StoredRow): void {
    const n = numberOf(row.id);
    if (n > this.#lastN + 1) this.#report(`${missing(this.#lastN + 1, n - 1, this.of)}.`);
    const { previous, mac } = readFields(row.fields);
    const part = readPart(row, this.of, this.#seal);
    if (!part || !row.id.endsWith("-0"))
      this.#report(
        `Part ${n} of record ${this.of} was altered, or put in by a writer that does not know the secret.`,
      );
    else if (this.#isLinked && previous !== this.#lastMac)
      this.#report(`Part ${n} of record ${this.of} does not follow the one before it.`);
    else this.#isLinked = true;
    this.#lastN = n;
    this.#lastMac = mac;
    this.#done += part?.changes.length ?? 0;
    this.lastChange = Math.max(this.lastChange, part?.change ?? 0);
  }

  #compare(head: PartHead | undefined): boolean {
    if (!head) {
      this.#report(`The entries of record ${this.of} are missing (${this.#log.head}).`);
      return false;
    }
    const n = Number(head.n);
    const facts = readFacts(head.facts);
    const isProven = facts && this.#log.end(n, head.mac, head.facts) === head.proof;
    if (isProven) this.lastChange = Math.max(this.lastChange, facts.change ?? 0);
    if (!isProven) this.#report(`The end of the parts of record ${this.of} (${this.#log.head}) was altered.`);
    else if (n > this.#lastN) this.#report(`${missing(this.#lastN + 1, n, this.of)} at the end.`);
    else if (n < this.#lastN)
      this.#report(`Parts after ${n} of record ${this.of} are beyond their end: put in.`);
    else if (this.#isLinked && (head.mac !== this.#lastMac || (this.#isWhole && facts.done !== this.#done)))
      this.#report(`Part ${n} of record ${this.of} is not the one that was written.`);
    return this.#isLinked && facts !== undefined && !facts.isClosed;
  }
}

function missing(from: number, to: number, of: number): string {
  return from === to
    ? `Part ${from} of record ${of} is missing`
    : `Parts ${from} to ${to} of record ${of} are missing`;
}
