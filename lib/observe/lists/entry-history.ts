import { readNote } from "../../enforce/lists/entry.ts";
import { type HistoryIndex, listOf } from "../../manage/audit/list-history-index.ts";
import { readPart } from "../../manage/audit/parts.ts";
import type { AuditRecord, StoredValue } from "../../manage/audit/record.ts";
import { isDamaged, readRow, type StoredRow } from "../../manage/audit/stored.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { type Pipeline, repliesOf } from "../../redis/script.ts";

export interface EntryRecord extends Pick<AuditRecord, "n" | "at" | "actor" | "via" | "action" | "reason"> {
  readonly before?: EntryStanding;
  readonly after?: EntryStanding;
}

export interface EntryStanding {
  /** Ms; null for never. */
  readonly expiresAt: number | null;
  readonly reason: string;
  readonly tags?: readonly string[];
}

const mostRecords = 50;

/** The newest records of the audit log that touched an entry, the newest first. */
export async function entryHistory(
  redis: Connection,
  index: HistoryIndex,
  { list, address }: { readonly list: ListName; readonly address: string },
): Promise<EntryRecord[]> {
  await index.catchUp();
  const touched = index.records(list, address, mostRecords);
  const batch = redis.pipeline();
  for (const { record } of touched) batch.xrange(keys.audit(), `${record}-0`, `${record}-0`);
  const records = await rowsOf(batch);
  const found = records.map((row) => row && readRow(row));
  const inParts = touched.flatMap(({ part }, i) => {
    const record = found[i];
    return part > 0 && record && !isDamaged(record) && record.bulk
      ? [{ i, part, record, bulk: record.bulk }]
      : [];
  });
  const parts = redis.pipeline();
  for (const { part, record, bulk } of inParts)
    parts.xrange(keys.auditPart(record.n, bulk.mac), `${part}-0`, `${part}-0`);
  const rows = await rowsOf(parts);
  const read = new Map(inParts.map(({ i, record }, at) => [i, rows[at] && readPart(rows[at], record.n)]));
  return found.flatMap((record, i) => {
    if (!record || isDamaged(record) || listOf(record) !== list) return [];
    const part = read.get(i);
    return recordsOf(part ? { ...record, at: part.at, changes: part.changes } : record, address);
  });
}

async function rowsOf(batch: Pipeline): Promise<(StoredRow | undefined)[]> {
  return (await repliesOf(batch)).map((rows) => {
    // What XRANGE replies is known: a list of [id, flat fields].
    const [row] = rows as [string, string[]][];
    return row && { id: row[0], fields: row[1] };
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

function standing({ value, expiresAt, type }: StoredValue): EntryStanding {
  const ends = expiresAt === null ? null : Date.parse(expiresAt);
  if (type !== undefined) return { expiresAt: ends, reason: `a ${type} in Redis, no entry` };
  const { reason, tags } = readNote(value ?? "");
  return { expiresAt: ends, reason, ...(tags && { tags }) };
}
