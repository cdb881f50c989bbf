import { isIP } from "node:net";
import { isObject, parseObject } from "../../parse-object.ts";
import type { AuditRecord, BulkTerms, RecordedChange, StoredValue } from "./record.ts";

/** A row of the log as Redis holds it. Any writer may have changed it. */
export interface StoredRow {
  readonly id: string;
  readonly fields: readonly string[];
}

/** What Sluice writes into a row. */
export interface StoredFields {
  readonly record: string;
  /** The mac of the record before. */
  readonly previous: string;
  readonly mac: string;
}

/** A row of the log that is not a record, and why. */
export interface DamagedLogRow {
  readonly n: number;
  readonly id: string;
  readonly damage: string;
}

export type LogRow = AuditRecord | DamagedLogRow;

export function isDamaged(found: LogRow): found is DamagedLogRow {
  return "damage" in found;
}

/** Reads a row. Its seal is checked elsewhere: see chain.ts. */
export function readRow({ id, fields }: StoredRow): LogRow {
  const n = numberOf(id);
  const damaged = (damage: string) => ({ n, id, damage });
  if (!/^[1-9]\d{0,15}-0$/.test(id)) return damaged("Sluice gives no such number");
  const { record: text, mac } = readFields(fields);
  if (text === "") return damaged("there is no record in it");
  const record = parseObject(text);
  if (!isRecord(record)) return damaged("its content is not a record");
  return record.n === n ? known(record, mac) : damaged(`it is a copy of record ${record.n}`);
}

/** Keeps the known members: a forged record may have any others. */
function known(record: AuditRecord, mac: string): AuditRecord {
  const { n, at, actor, address, via, action, undoes, change, reason, changes, bulk } = record;
  return {
    ...{ n, at, actor, via, action, change, reason, changes },
    ...(address && { address }),
    ...(undoes && { undoes }),
    ...(bulk && { bulk: { wanted: bulk.wanted, digest: bulk.digest, mac } }),
  };
}

/** Reads the text of a part. Undefined if it is not as Sluice writes it. */
export function parseChanges(text: string) {
  const { of, n, at, change, changes } = parseObject(text) ?? {};
  const isNumbered = typeof of === "number" && typeof n === "number";
  const isOfChange = change === null || (typeof change === "number" && Number.isSafeInteger(change));
  if (!isNumbered || !isOfChange || typeof at !== "string" || !isMoment(at) || !areChanges(changes))
    return undefined;
  return { of, n, at, change, changes };
}

export function numberOf(id: string): number {
  return Number(id.split("-", 1)[0]);
}

function isRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false;
  const { n, at, actor, address, via, action, change, reason, changes, undoes, bulk } = value;
  const areTexts = [actor, via, action, reason].every((text) => typeof text === "string");
  const isAddress = address === undefined || (typeof address === "string" && isIP(address) !== 0);
  return (
    areTexts &&
    isAddress &&
    Number.isSafeInteger(n) &&
    isMoment(at) &&
    (change === null || Number.isSafeInteger(change)) &&
    (undoes === undefined || isUndone(undoes)) &&
    (bulk === undefined || areTerms(bulk)) &&
    areChanges(changes)
  );
}

function areChanges(changes: unknown): changes is readonly RecordedChange[] {
  return Array.isArray(changes) && changes.every(isChange);
}

function areTerms(value: unknown): value is BulkTerms {
  return isObject(value) && Number.isSafeInteger(value.wanted) && typeof value.digest === "string";
}

function isUndone(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { n, action, entries } = value;
  const isCount = entries === undefined || Number.isSafeInteger(entries);
  return Number.isSafeInteger(n) && typeof action === "string" && isCount;
}

function isChange(value: unknown): value is RecordedChange {
  return (
    isObject(value) &&
    typeof value.target === "string" &&
    isStandingOrNull(value.before) &&
    isStandingOrNull(value.after)
  );
}

function isStandingOrNull(standing: unknown): standing is StoredValue | null {
  if (standing === null) return true;
  if (!isObject(standing)) return false;
  const { value, expiresAt, type } = standing;
  const isValue = value === null || typeof value === "string";
  return (
    isValue && (expiresAt === null || isMoment(expiresAt)) && (type === undefined || typeof type === "string")
  );
}

function isMoment(at: unknown): boolean {
  return typeof at === "string" && !Number.isNaN(Date.parse(at));
}

export function readFields(flat: readonly string[]): StoredFields {
  const field = (name: string) => flat.find((_, i) => i % 2 === 1 && flat[i - 1] === name) ?? "";
  return { record: field("record"), previous: field("previous"), mac: field("mac") };
}
