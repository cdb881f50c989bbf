import type { Note } from "../../enforce/lists/entry.ts";
import { writeRow } from "../../manage/lists/csv.ts";
import type { Connection } from "../../redis/connect.ts";
import type { ListName } from "../../redis/keys.ts";
import { listEntries } from "./scan.ts";

export const exportHeader = writeRow(["address", "expires_at", "reason", "by", "at", "via", "tags"]);

/** An entry as a line of CSV, safe against what a spreadsheet takes for a formula. */
export function exportLine(address: string, expiresAt: number | null, note: Note): string {
  const end = expiresAt === null ? "never" : new Date(Math.min(expiresAt, 8.64e15)).toISOString();
  const { reason, by = "", at = "", via = "", tags = [] } = note;
  return writeRow([address, end, reason, by, at, via, tags.join(" ")]);
}

/** The entries of a list as CSV that `importEntries` and spreadsheets read, piece by piece. */
export async function* exportEntries(redis: Connection, list: ListName): AsyncGenerator<string> {
  yield exportHeader;
  for await (const { address, note, expiresAt } of listEntries(redis, list))
    yield exportLine(address, expiresAt, note);
}
