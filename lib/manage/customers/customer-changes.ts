import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { readHistory } from "../audit/history.ts";
import { type AuditRecord, aboutOf, type RecordedChange } from "../audit/record.ts";
import { isDamaged } from "../audit/stored.ts";

/** What the audit log says of one change of a customer. */
export interface CustomerChange
  extends Pick<AuditRecord, "n" | "at" | "actor" | "via" | "change" | "reason">,
    Pick<RecordedChange, "before" | "after"> {
  /** "customer.tier", …; of an undo, what it took back. */
  readonly about: string;
  readonly isUndo: boolean;
}

/** The last changes of a customer, newest first. Looks back as far as is cheap, and not beyond the record `after`. */
export async function changesOf(
  redis: Connection,
  id: CustomerId,
  { after = 0, most = 1 }: { readonly after?: number; readonly most?: number } = {},
): Promise<readonly CustomerChange[]> {
  const { records } = await readHistory(redis, {
    after,
    limit: most,
    filter: { action: "customer", target: id },
  });
  return records.flatMap((record) => {
    // An id may look like an address, and then ranges around it are found, too.
    const made = isDamaged(record) ? undefined : record.changes.find(({ target }) => target === id);
    if (isDamaged(record) || !made) return [];
    const { n, at, actor, via, change, reason, undoes } = record;
    const { before, after } = made;
    return [
      { n, at, actor, via, change, reason, before, after, about: aboutOf(record), isUndo: Boolean(undoes) },
    ];
  });
}
