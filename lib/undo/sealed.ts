import { readHistory } from "../audit/history.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { isDamaged, readFields, readRow } from "../audit/stored.ts";
import { DomainError } from "../errors.ts";
import { keys } from "../redis/keys.ts";

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
  if (!isDamaged(found) && seal.record(previous, record) === mac) return found;
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
