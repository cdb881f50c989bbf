import type { Connection } from "../redis/connect.ts";
import type { ListName } from "../redis/keys.ts";
import { writeRow } from "./csv.ts";
import { listEntries } from "./list.ts";

/** The entries of a list as CSV that `importEntries` and spreadsheets read, piece by piece. */
export async function* exportEntries(redis: Connection, list: ListName): AsyncGenerator<string> {
  yield writeRow(["address", "expires_at", "reason", "by", "at", "via"]);
  for await (const { address, note, expiresAt } of listEntries(redis, list)) {
    const end = expiresAt === null ? "never" : new Date(Math.min(expiresAt, 8.64e15)).toISOString();
    yield writeRow([address, end, note.reason, note.by ?? "", note.at ?? "", note.via ?? ""]);
  }
}
