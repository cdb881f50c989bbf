import { isIP } from "node:net";
import type { AuditRecord, RecordedChange, Standing } from "./record.ts";

/** A row of the log as it stands in Redis, where anybody may have written. */
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

/** What stands in the log and is no record, and why. */
export interface Damaged {
  readonly n: number;
  readonly id: string;
  readonly damage: string;
}

export type Found = AuditRecord | Damaged;

export function isDamaged(found: Found): found is Damaged {
  return "damage" in found;
}

/** Reads a row. Whether it is sealed is another question: see chain.ts. */
export function readRow({ id, fields }: StoredRow): Found {
  const n = numberOf(id);
  const damaged = (damage: string) => ({ n, id, damage });
  if (!/^[1-9]\d{0,15}-0$/.test(id)) return damaged("Sluice gives no such number");
  const { record: text } = readFields(fields);
  if (text === "") return damaged("there is no record in it");
  const record = parse(text);
  if (!isRecord(record)) return damaged("what stands there is no record");
  return record.n === n ? known(record) : damaged(`it is a copy of record ${record.n}`);
}

/** Whoever forged a record may have put anything else beside. */
function known({
  n,
  at,
  actor,
  address,
  via,
  action,
  undoes,
  change,
  reason,
  changes,
}: AuditRecord): AuditRecord {
  return {
    ...{ n, at, actor, via, action, change, reason, changes },
    ...(address && { address }),
    ...(undoes && { undoes }),
  };
}

export function numberOf(id: string): number {
  return Number(id.split("-", 1)[0]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false;
  const { n, at, actor, address, via, action, change, reason, changes, undoes } = value;
  const areTexts = [actor, via, action, reason].every((text) => typeof text === "string");
  const isAddress = address === undefined || (typeof address === "string" && isIP(address) !== 0);
  return (
    areTexts &&
    isAddress &&
    Number.isSafeInteger(n) &&
    isMoment(at) &&
    (change === null || Number.isSafeInteger(change)) &&
    (undoes === undefined || isUndone(undoes)) &&
    Array.isArray(changes) &&
    changes.every(isChange)
  );
}

function isUndone(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value.n) && typeof value.action === "string";
}

function isChange(value: unknown): value is RecordedChange {
  return (
    isObject(value) &&
    typeof value.target === "string" &&
    isStandingOrNull(value.before) &&
    isStandingOrNull(value.after)
  );
}

function isStandingOrNull(standing: unknown): standing is Standing | null {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readFields(flat: readonly string[]): StoredFields {
  const field = (name: string) => {
    const at = flat.findIndex((text, i) => i % 2 === 0 && text === name);
    return (at === -1 ? undefined : flat[at + 1]) ?? "";
  };
  return { record: field("record"), previous: field("previous"), mac: field("mac") };
}
