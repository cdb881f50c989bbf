import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { isDamaged, numberOf, readRow, type StoredRow } from "./stored.ts";

// A record is 300 bytes or, for an import of 500 lines, 125 kB: the size of a page follows from the last page.
const wishedBytes = 500_000;
const counts = { first: 50, least: 4, most: 500 } as const;

/** The log from its newest row, or the one before an id, to its oldest. */
export async function* walkBack(
  redis: Connection,
  before?: string,
  first: number = counts.first,
): AsyncGenerator<StoredRow> {
  const breath = breathing();
  let end = before === undefined ? "+" : `(${before}`;
  let count = first;
  for (;;) {
    const rows = await readBack(redis, end, count);
    for (const [id, fields] of rows) {
      // Before the row: other pages arrive at the same time.
      await breath();
      yield { id, fields };
    }
    const last = rows.at(-1);
    if (!last || rows.length < count) return;
    end = `(${last[0]}`;
    count = nextCount(rows);
  }
}

/** The number of the newest row; 0 of an empty log. */
export async function newestNumber(redis: Connection): Promise<number> {
  const [row] = await readBack(redis, "+", 1);
  return row ? numberOf(row[0]) : 0;
}

async function readBack(redis: Connection, from: string, count: number) {
  return redis.xrevrange(keys.audit(), from, "-", "COUNT", count).catch((error: unknown): never => {
    if (!(error instanceof Error && error.message.startsWith("WRONGTYPE"))) throw error;
    const message = `${keys.audit()} in Redis is not the audit log. Rename it to continue.`;
    throw new DomainError("not-configured", message, {}, { cause: error });
  });
}

/** How many rows to ask for, so that neither Redis nor this process is held up by a page. */
export function nextCount(rows: readonly (readonly [id: string, fields: readonly string[]])[]): number {
  const bytes = rows.reduce((sum, [, fields]) => sum + lengthOf(fields), 0);
  const wished = Math.floor((wishedBytes * rows.length) / Math.max(bytes, 1));
  return Math.max(counts.least, Math.min(counts.most, wished));
}

export function lengthOf(fields: readonly string[]): number {
  return fields.reduce((sum, text) => sum + text.length, 0);
}

/** Bans are recorded within seconds, or when a console runs again: an earlier change may follow this much later. */
const slackMs = 3_600_000;

/** The id to begin at, so that records from long after a moment are skipped. Undefined for the newest. */
export async function seekEnd(redis: Connection, to: number): Promise<string | undefined> {
  let low = 1;
  let high = await newestNumber(redis);
  if (!Number.isSafeInteger(high)) return undefined;
  // Invariant: no record before `low` is too late; records from `high` on are unknown.
  let end: string | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstFrom(redis, middle, high);
    if (found && found.at > to + slackMs) {
      end = `${found.n}-0`;
      high = middle - 1;
    } else low = (found?.n ?? high) + 1;
  }
  return end;
}

/** The first whole record from a number on. Runs of damaged rows are left to the caller that walks the log. */
async function firstFrom(redis: Connection, n: number, last: number) {
  const rows = await redis.xrange(keys.audit(), `${n}-0`, `${last}-0`, "COUNT", 4);
  for (const [id, fields] of rows) {
    const found = readRow({ id, fields });
    if (!isDamaged(found)) return { n: found.n, at: Date.parse(found.at) };
  }
  return undefined;
}
