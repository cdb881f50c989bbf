import { DomainError } from "../../errors.ts";
import { isCanonical } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import { readHistory } from "../audit/history.ts";
import { isBulk, walkParts, withState } from "../audit/parts.ts";
import { type AuditRecord, aboutOf, type RecordedChange, type Signed } from "../audit/record.ts";
import { isDamaged, readFields, readRow } from "../audit/stored.ts";
import { chunksOf } from "../lists/in-chunks.ts";
import { kindOf } from "./undoable.ts";

/** One record, which must be as Sluice wrote it: undoing a forged one would do the forger's work. */
export async function readSealed(
  { redis, seal }: Pick<Signed, "redis" | "seal">,
  n: number,
): Promise<AuditRecord> {
  const [row] = await redis.xrange(keys.audit(), `${n}-0`, `${n}-0`);
  if (!row) throw new DomainError("not-found", `There is no record ${n} in the audit log.`);
  const [id, fields] = row;
  const found = readRow({ id, fields });
  const { previous, record, mac } = readFields(fields);
  if (!isDamaged(found) && seal.record(previous, record) === mac) return withState(redis, seal, found);
  throw new DomainError("not-found", `Record ${n} is not as Sluice wrote it.`);
}

/** The record of a change, by the number that nodes acknowledge; only what is not long ago is found. */
export async function recordOfChange({ redis }: Pick<Signed, "redis">, change: number): Promise<number> {
  const { records } = await readHistory(redis, { limit: 2_000, mostScanned: 2_000 });
  const found = records.find((record) => !isDamaged(record) && record.change === change);
  if (found) return found.n;
  throw new DomainError(
    "not-found",
    `Change ${change} is not among the last records. Undo it from the audit page.`,
  );
}

/**
 * The same record with the chosen entries alone. Of a record of very many entries they are gathered from its parts, unless
 * they are too many for one step: then the record stays as it is.
 */
export async function chosenOf(
  { redis, seal }: Pick<Signed, "redis" | "seal">,
  record: AuditRecord,
  addresses: readonly string[],
): Promise<AuditRecord> {
  const kind = kindOf(aboutOf(record));
  if (kind !== "blocklist" && kind !== "safelist")
    throw new DomainError("bad-input", `Record ${record.n} is not about entries of a list: undo all of it.`);
  const chosen = new Set(addresses);
  if (isBulk(record) && [...chunksOf([...chosen].filter(isCanonical), (address) => address)].length > 1)
    return record;
  const found = new Map<string, RecordedChange>();
  const take = (changes: readonly RecordedChange[]) => {
    for (const change of changes) if (chosen.has(change.target)) add(found, change);
  };
  if (!isBulk(record)) take(record.changes);
  else for await (const { changes } of walkParts(redis, record, { seal })) take(changes);
  const missing = addresses.filter((address) => !found.has(address));
  if (missing.length > 0 || found.size === 0) {
    const what = missing.length > 0 ? missing.slice(0, 5).join(", ") : "an address";
    throw new DomainError("not-found", `Record ${record.n} did not change ${what}.`);
  }
  const { bulk: _, ...rest } = record;
  return { ...rest, changes: [...found.values()] };
}

/** What is undone of an entry that was changed twice is both. */
function add(found: Map<string, RecordedChange>, change: RecordedChange): void {
  const earlier = found.get(change.target);
  found.set(change.target, earlier ? { ...change, before: earlier.before } : change);
}
