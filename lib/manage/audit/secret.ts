import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { Snapshot } from "../../redis/snapshot.ts";
import { readFacts } from "./parts.ts";
import type { OpenBulk, Signed } from "./record.ts";
import { partLog } from "./seal.ts";
import { readFields } from "./stored.ts";

/**
 * A record sealed with another secret than the one before it would always look forged. So a secret that fits neither
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

/** Parts follow only an end that Sluice wrote, and none follow the last one. */
export function requireOpen(seal: Signed["seal"], bulk: OpenBulk, { head }: Snapshot): void {
  const log = partLog(seal, bulk);
  if (!head || log.end(head.n, head.mac, head.facts) !== head.proof)
    throw new DomainError(
      "not-configured",
      `The entries of record ${bulk.n} (${log.stream}) are not as Sluice wrote them, so no more were written. ` +
        "Check the audit log with sluice doctor.",
    );
  if (readFacts(head.facts)?.isClosed) throw new RecordFinished(bulk.n);
}

export class RecordFinished extends DomainError {
  constructor(n: number) {
    super("changed-since", `Record ${n} is finished: it takes no more entries.`);
  }
}
