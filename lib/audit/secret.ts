import { DomainError } from "../errors.ts";
import { keys } from "../redis/keys.ts";
import type { Signed } from "./record.ts";
import type { Snapshot } from "./snapshot.ts";
import { readFields } from "./stored.ts";

/**
 * A record sealed with another secret than the one before it would look forged for ever. So a secret that fits neither
 * the end of the log nor its last record is refused; a log that is merely damaged goes on.
 */
export async function refuseForeignSecret({ redis, seal }: Signed, { head }: Snapshot): Promise<void> {
  if (!head || seal.end(head.n, head.mac) === head.proof) return;
  const [last] = await redis.xrevrange(keys.audit(), "+", "-", "COUNT", 1);
  if (!last) return;
  const { previous, record, mac } = readFields(last[1]);
  if (seal.record(previous, record) === mac) return;
  throw new DomainError(
    "not-configured",
    "NEXTAUTH_SECRET is not the one that sealed the audit log, so nothing was written. If it was changed on purpose, " +
      `begin a new log: rename ${keys.audit()} and ${keys.auditHead()}.`,
  );
}
