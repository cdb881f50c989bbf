import { at } from "../../at.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { type AuditRecord, type Bulk, type BulkState, keepsEnd, type RecordedChange } from "./record.ts";
import { partLog, type Seal } from "./seal.ts";
import { isDamaged, type LogRow, numberOf, parseChanges, readFields, type StoredRow } from "./stored.ts";
import { nextCount } from "./walk.ts";

/** What the head of a record's parts says besides where they end. */
export type Facts = Omit<BulkState, "parts" | "mac">;

export const noFacts: Facts = {
  change: null,
  done: 0,
  left: 0,
  isClosed: false,
  latestEnd: 0,
  reached: 0,
};

/** What one more part adds to them. */
export interface PartFacts {
  readonly change: number | null;
  readonly changes: readonly RecordedChange[];
  readonly left: number;
  readonly isClosed: boolean;
  readonly reached?: number | undefined;
}

export function addFacts(facts: Facts, part: PartFacts): Facts {
  return {
    change: part.change ?? facts.change,
    done: facts.done + part.changes.length,
    left: facts.left + part.left,
    isClosed: part.isClosed,
    latestEnd: part.changes.reduce(laterEnd, facts.latestEnd),
    reached: part.reached ?? facts.reached,
  };
}

function laterEnd(latest: number | null, change: RecordedChange): number | null {
  const { before } = change;
  if (before === null || latest === null || keepsEnd(change)) return latest;
  return before.expiresAt === null ? null : Math.max(latest, Date.parse(before.expiresAt));
}

export function writeFacts(facts: Facts): string {
  return JSON.stringify(facts);
}

/** Reads facts that any writer may have changed: the proof beside them says whether they are Sluice's. */
export function readFacts(text: string): Facts | undefined {
  const facts = parseObject(text);
  if (!facts) return undefined;
  const { change, done, left, isClosed, latestEnd, reached } = facts;
  return {
    change: typeof change === "number" ? change : null,
    done: Number(done) || 0,
    left: Number(left) || 0,
    isClosed: isClosed === true,
    latestEnd: latestEnd === null ? null : Number(latestEnd) || 0,
    reached: Number(reached) || 0,
  };
}

/** Some of the entries of a record that has too many to hold them itself. */
export interface RecordPart {
  readonly n: number;
  /** ISO */
  readonly at: string;
  readonly change: number | null;
  readonly changes: readonly RecordedChange[];
  /** Characters that it takes in Redis. */
  readonly size: number;
  readonly row: StoredRow;
}

export type BulkRecordRow = AuditRecord & { readonly bulk: Bulk };

export function isBulk(record: AuditRecord): record is BulkRecordRow {
  return record.bulk !== undefined;
}

/** The same record, with the state of a bulk. */
export async function withState(
  redis: Connection,
  seal: Seal | undefined,
  record: AuditRecord,
): Promise<AuditRecord> {
  const [read] = await withStates(redis, seal, [record]);
  return read && !isDamaged(read) ? read : record;
}

/** The same records, bulks with their state. */
export async function withStates(
  redis: Connection,
  seal: Seal | undefined,
  records: readonly LogRow[],
): Promise<LogRow[]> {
  const bulks = records.filter((found): found is BulkRecordRow => !isDamaged(found) && isBulk(found));
  if (bulks.length === 0) return [...records];
  const batch = redis.pipeline();
  for (const { n, bulk } of bulks) batch.hmget(keys.auditPartHead(n, bulk.mac), "n", "mac", "proof", "facts");
  const replies = (await batch.exec()) ?? [];
  const states = new Map(bulks.map(({ n, bulk }, i) => [n, stateOf(seal, n, bulk, at(replies, i))]));
  return records.map((found) => {
    if (isDamaged(found) || !isBulk(found)) return found;
    const state = states.get(found.n);
    return { ...found, change: state?.change ?? null, bulk: { ...found.bulk, state } };
  });
}

type HeadReply = readonly [error: Error | null, head: unknown];

function stateOf(seal: Seal | undefined, of: number, bulk: Bulk, [, head]: HeadReply): BulkState | undefined {
  // The reply of HMGET is known: a list of as many texts, or none.
  const [n, mac, proof, facts] = (head ?? []) as (string | null)[];
  if (n == null || mac == null || facts == null) return undefined;
  if (seal && partLog(seal, { n: of, mac: bulk.mac }).end(Number(n), mac, facts) !== proof) return undefined;
  const read = readFacts(facts);
  return read && { parts: Number(n), mac, ...read };
}

interface Walk {
  /** Undefined skips the check of seals: the chain's verifier does it. */
  readonly seal?: Pick<Seal, "part"> | undefined;
  /** The newest first. */
  readonly isBackwards?: boolean;
  /** Begin after this one; backwards, before it. */
  readonly beyond?: number | undefined;
}

/** The parts of a record, a page at a time. Parts that Sluice did not write are left out. */
export async function* walkParts(
  redis: Connection,
  { n: of, bulk }: Pick<BulkRecordRow, "n" | "bulk">,
  { seal, isBackwards = false, beyond }: Walk = {},
): AsyncGenerator<RecordPart> {
  const breath = breathing();
  const stream = keys.auditPart(of, bulk.mac);
  let from = beyond === undefined ? (isBackwards ? "+" : "-") : `(${beyond}-0`;
  let size = firstPage;
  for (;;) {
    const rows = isBackwards
      ? await redis.xrevrange(stream, from, "-", "COUNT", size)
      : await redis.xrange(stream, from, "+", "COUNT", size);
    for (const [id, fields] of rows) {
      const part = readPart({ id, fields }, of, seal);
      if (part) yield part;
      await breath();
    }
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    from = `(${last[0]}`;
    size = nextCount(rows);
  }
}

const firstPage = 4;

export function readPart(row: StoredRow, of: number, seal?: Pick<Seal, "part">): RecordPart | undefined {
  const { previous, record, mac } = readFields(row.fields);
  if (seal && seal.part(previous, record) !== mac) return undefined;
  const changes = parseChanges(record);
  if (!changes || changes.of !== of || changes.n !== numberOf(row.id)) return undefined;
  return { ...changes, size: record.length, row };
}
