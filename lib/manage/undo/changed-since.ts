import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { isBulk, walkParts } from "../audit/parts.ts";
import { type AuditRecord, aboutOf } from "../audit/record.ts";
import { isDamaged, readRow } from "../audit/stored.ts";
import { sayMoment } from "../audit/time-words.ts";
import { walkBack } from "../audit/walk.ts";
import { kindOf, type UndoKind } from "./undoable.ts";

/** Bounds the search: the log may be long, and a person waits for the answer. */
const mostScanned = 20_000;
const mostNamed = 5;

/** The last record after this one that changed each of the targets. */
async function changedSince(
  redis: Connection,
  record: AuditRecord,
  targets: readonly string[],
): Promise<ReadonlyMap<string, AuditRecord>> {
  const wanted = new Set(targets);
  const last = new Map<string, AuditRecord>();
  let scanned = 0;
  for await (const row of walkBack(redis)) {
    const found = readRow(row);
    if (found.n <= record.n || scanned++ >= mostScanned || last.size === wanted.size) break;
    if (isDamaged(found) || !isSamePlace(found, record)) continue;
    const take = (changes: AuditRecord["changes"]) => {
      for (const { target } of changes) if (wanted.has(target) && !last.has(target)) last.set(target, found);
    };
    if (!isBulk(found)) take(found.changes);
    else
      for await (const { changes } of walkParts(redis, found)) {
        if (scanned++ >= mostScanned || last.size === wanted.size) break;
        take(changes);
      }
  }
  return last;
}

function isSamePlace(one: AuditRecord, other: AuditRecord): boolean {
  const place = placeOf(one);
  return place !== undefined && place === placeOf(other);
}

/** The mode and attack mode are saved with the policy. */
function placeOf(record: AuditRecord): UndoKind | undefined {
  const kind = kindOf(aboutOf(record));
  return kind === "mode" || kind === "attack" ? "policy" : kind;
}

/** The error for targets that have changed since the record, with the author of each change. */
export async function inTheWay(
  redis: Connection,
  record: AuditRecord,
  targets: readonly string[],
): Promise<DomainError> {
  const last = await changedSince(redis, record, targets);
  const named = targets.slice(0, mostNamed).map((target) => `${target} ${sayWho(last.get(target))}`);
  const more = targets.length > named.length ? [`and ${targets.length - named.length} more`] : [];
  const message = `Nothing was undone, because it is not as record ${record.n} left it: ${[...named, ...more].join("; ")}.`;
  return new DomainError("changed-since", message);
}

/** The error when everything is as it was before the record, with the author if known. */
export async function nothingLeft(
  redis: Connection,
  record: AuditRecord,
  targets: readonly string[],
): Promise<DomainError> {
  const [target = ""] = targets;
  const last = (await changedSince(redis, record, [target])).get(target);
  const why = last ? `: ${target} ${sayWho(last)}` : ": what it changed has expired";
  return new DomainError("bad-input", `There is nothing left to undo of record ${record.n}${why}.`);
}

function sayWho(last: AuditRecord | undefined): string {
  if (!last) return "was changed outside of Sluice, or has ended";
  return `was changed by ${last.actor} at ${sayMoment(last.at)} (record ${last.n})`;
}
