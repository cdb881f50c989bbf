import { setImmediate as turn } from "node:timers/promises";
import { DomainError } from "../errors.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { numberOf, type StoredRow } from "./stored.ts";

// A record is 300 bytes or, for an import of 500 lines, 125 kB: pages are measured by what the last one weighed.
const wishedBytes = 500_000;
const counts = { first: 50, least: 4, most: 500 } as const;
const longestTurnMs = 8;

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
      yield { id, fields };
      await breath();
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
    const message = `${keys.audit()} in Redis is not the audit log. Rename it to go on.`;
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

/** Lets others of this process have their turn, whenever it took one long enough. */
export function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestTurnMs) return;
    await turn();
    since = performance.now();
  };
}
