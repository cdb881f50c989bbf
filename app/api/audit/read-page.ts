import type { HistoryFilter } from "../../../lib/audit/filter.ts";
import { readHistory } from "../../../lib/audit/history.ts";
import { newestNumber } from "../../../lib/audit/walk.ts";
import type { Role } from "../../../lib/auth/roles.ts";
import type { AuditPage } from "../../../lib/queries/audit.ts";
import type { Console } from "../../_server/console.ts";
import { rowOf } from "./rows.ts";
import { filterFor } from "./search.ts";

/** A page of the log as the browser reads it, for somebody of that role. */
export async function readPage(
  { redis, seal, role }: Pick<Console, "redis" | "seal"> & { readonly role: Role },
  filter: HistoryFilter,
  before?: string,
): Promise<AuditPage> {
  // First: what comes between both readings is then told as new, and not lost.
  const newest = await newestNumber(redis);
  const { records, undone, ...reached } = await readHistory(redis, {
    filter: filterFor(role, filter),
    seal,
    ...(before && { before }),
  });
  return {
    rows: records.map((found) => rowOf(found, role)),
    newest,
    undone: undone.map(([n, by]) => [n, by]),
    ...reached,
  };
}
