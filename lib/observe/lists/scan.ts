import { isOfFeed, readNote } from "../../enforce/lists/entry.ts";
import type { RedisEntry } from "../../enforce/lists/lookup.ts";
import { activePendingBans } from "../../enforce/lists/pending-ban.ts";
import { isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";

/** A key under a list's prefix, unchecked. */
export interface RawEntry {
  /** The part of the key after the prefix. */
  readonly text: string;
  /** Its type in Redis; an entry is a "string". */
  readonly kind: string;
  readonly value: string;
  /** In ms; null for never. */
  readonly expiresAt: number | null;
}

const pageSize = 1_000;

type Cell = string | number | null;

const scanPage = defineScript({
  lua: lua.scanEntries,
  keys: () => [],
  args: (page: { cursor: string; pattern: string }) => [page.cursor, page.pattern, pageSize],
  reply: ([cursor, now, ...cells]: [string, number, ...Cell[]]) => ({ cursor, now, cells }),
});

/** Every key of a list once, in no order, a page at a time so that Redis is never held up. Pending bans come last. */
export async function* scanList(redis: Connection, list: ListName, beginning = ""): AsyncGenerator<RawEntry> {
  const prefix = keys.entryPrefix(list);
  const pattern = `${prefix}${beginning}*`;
  const seen = new Set<string>();
  let cursor = "0";
  do {
    const page = await scanPage.run(redis, { cursor, pattern });
    for (let i = 0; i < page.cells.length; i += 4) {
      const entry = readEntry(page.cells.slice(i, i + 4), page.now, prefix);
      // SCAN may name a key twice while Redis resizes its table.
      if (!seen.has(entry.text)) yield entry;
      seen.add(entry.text);
    }
    cursor = page.cursor;
  } while (cursor !== "0");
  if (list === "safelist") return;
  for await (const { address, value, expiresAt } of activePendingBans(redis))
    if (address.startsWith(beginning) && !seen.has(address))
      yield { text: address, kind: "string", value, expiresAt };
}

function readEntry([key, kind, value, pttl]: readonly Cell[], now: number, prefix: string): RawEntry {
  return {
    text: String(key).slice(prefix.length),
    kind: String(kind),
    value: String(value ?? ""),
    expiresAt: Number(pttl) < 0 ? null : now + Number(pttl),
  };
}

/** The entries of a list without those of feeds, in no order. `findFlagged` reports keys that are not entries. */
export async function* listEntries(redis: Connection, list: ListName): AsyncGenerator<RedisEntry> {
  for await (const { text, kind, value, expiresAt } of scanList(redis, list)) {
    if (kind !== "string" || !isCanonical(text) || isOfFeed(value)) continue;
    yield { list, address: text, note: readNote(value), expiresAt };
  }
}
