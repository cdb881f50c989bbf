import { type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import type { ListName } from "../redis/keys.ts";
import { type Note, readNote } from "./note.ts";
import { scanList } from "./scan.ts";

export interface Entry {
  readonly list: ListName;
  readonly address: Ip | Cidr;
  readonly note: Note;
  /** In ms; null for never. */
  readonly expiresAt: number | null;
}

/** The entries of a list, in no order. Keys that are no entries are left to `findFlagged`. */
export async function* listEntries(redis: Connection, list: ListName): AsyncGenerator<Entry> {
  for await (const { text, kind, value, expiresAt } of scanList(redis, list)) {
    if (kind !== "string" || !isCanonical(text)) continue;
    yield { list, address: text, note: readNote(value), expiresAt };
  }
}
