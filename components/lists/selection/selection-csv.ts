import { writeRow } from "@/lib/manage/lists/csv.ts";
import type { ListEntry } from "@/lib/queries/entries.ts";

/** Selected rows in the format of the server's export: an import reads it, and spreadsheets run no formula in it. */
export function csvOf(entries: readonly ListEntry[]): string {
  const head = writeRow(["address", "expires_at", "reason", "by", "at", "via"]);
  return head + entries.map(rowOf).join("");
}

function rowOf({ address, expiresAt, reason, by = "", at = "", via = "" }: ListEntry): string {
  const end = expiresAt === null ? "never" : new Date(Math.min(expiresAt, 8.64e15)).toISOString();
  return writeRow([address, end, reason, by, at, via]);
}

/** Saves a text of the page as a file. */
export function saveFile(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
