import { aboutOf } from "../../../lib/audit/record.ts";
import { type Found, isDamaged } from "../../../lib/audit/stored.ts";
import type { OverviewReply } from "../../../lib/queries/overview.ts";

/** What people changed and charts mark: what could bend a curve, done or undone. */
const bending = /^(blocklist|safelist|policy|customer|never-block)/;

export function markersOf(records: readonly Found[]): OverviewReply["markers"] {
  return records.flatMap((record) => {
    if (isDamaged(record) || !bending.test(aboutOf(record))) return [];
    const { n, at, actor, action, changes } = record;
    const [first] = changes;
    const what = changes.length > 1 ? `${changes.length} entries` : (first?.target ?? "");
    return [{ at: Date.parse(at), n, actor, action, text: what }];
  });
}
