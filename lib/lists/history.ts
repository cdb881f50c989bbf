import type { AuditRecord, Standing } from "../audit/record.ts";
import { isDamaged, readRow } from "../audit/stored.ts";
import type { Connection } from "../redis/connect.ts";
import { keys, type ListName } from "../redis/keys.ts";
import { type HistoryIndex, listOf } from "./history-index.ts";
import { readNote } from "./note.ts";

export interface EntryRecord extends Pick<AuditRecord, "n" | "at" | "actor" | "via" | "action" | "reason"> {
  readonly before?: EntryStanding;
  readonly after?: EntryStanding;
}

export interface EntryStanding {
  /** Ms; null for never. */
  readonly expiresAt: number | null;
  readonly reason: string;
}

const mostRecords = 50;

/** The newest records of the audit log that touched an entry, the newest first. */
export async function entryHistory(
  redis: Connection,
  index: HistoryIndex,
  { list, address }: { readonly list: ListName; readonly address: string },
): Promise<EntryRecord[]> {
  await index.catchUp();
  const batch = redis.pipeline();
  for (const n of index.records(list, address, mostRecords)) batch.xrange(keys.audit(), `${n}-0`, `${n}-0`);
  const replies = (await batch.exec()) ?? [];
  return replies.flatMap(([error, rows]) => {
    if (error) throw error;
    // What XRANGE replies is known: a list of [id, flat fields].
    const [row] = rows as [string, string[]][];
    const found = row && readRow({ id: row[0], fields: row[1] });
    return !found || isDamaged(found) || listOf(found) !== list ? [] : recordsOf(found, address);
  });
}

function recordsOf(record: AuditRecord, address: string): EntryRecord[] {
  const { n, at, actor, via, action, reason, changes } = record;
  return changes
    .filter(({ target }) => target === address)
    .map(({ before, after }) => ({
      ...{ n, at, actor, via, action, reason },
      ...(before && { before: standing(before) }),
      ...(after && { after: standing(after) }),
    }));
}

function standing({ value, expiresAt, type }: Standing): EntryStanding {
  return {
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    reason: type === undefined ? readNote(value ?? "").reason : `a ${type} in Redis, no entry`,
  };
}
