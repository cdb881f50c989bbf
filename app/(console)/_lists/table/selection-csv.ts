import { writeRow } from "../../../../lib/lists/csv.ts";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";

/** Chosen rows as the server's own export writes them: spreadsheets run nothing in it, and an import reads it. */
export function csvOf(entries: readonly ListedEntry[]): string {
  const head = writeRow(["address", "expires_at", "reason", "by", "at", "via"]);
  return head + entries.map(rowOf).join("");
}

function rowOf({ address, expiresAt, reason, by = "", at = "", via = "" }: ListedEntry): string {
  const end = expiresAt === null ? "never" : new Date(Math.min(expiresAt, 8.64e15)).toISOString();
  return writeRow([address, end, reason, by, at, via]);
}
