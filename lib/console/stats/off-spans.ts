import type { Mode } from "../../enforce/policy/schema.ts";
import { aboutOf } from "../../manage/audit/record.ts";
import { isDamaged, type LogRow } from "../../manage/audit/stored.ts";
import { modeOf } from "../../manage/undo/undoable.ts";
import type { OffSpan } from "../../queries/markers.ts";

/** The mode in force. */
interface ModeInForce {
  readonly mode: Mode;
  /** ISO: when its policy was saved. Undefined for a fresh install. */
  readonly at?: string | undefined;
}

interface Switch {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Times in which the mode was off, oldest first.
 * @param records the newest of the log, newest first
 * @param from ms: earlier times are left out
 */
export function offSpansOf(records: readonly LogRow[], from: number, inForce: ModeInForce): OffSpan[] {
  const recorded = records.flatMap(switchOf).reverse();
  const spans: OffSpan[] = [];
  let begun =
    (recorded[0]?.before ?? inForce.mode) === "off"
      ? begunAt(from, firstKnown(recorded, inForce))
      : undefined;
  for (const { at, after } of [...recorded, ...unrecorded(recorded.at(-1), inForce)]) {
    if (after === "off") begun ??= begunAt(from, at);
    else if (begun) {
      if (at > begun.from) spans.push({ ...begun, until: at });
      begun = undefined;
    }
  }
  return begun ? [...spans, { ...begun, until: null }] : spans;
}

function begunAt(from: number, at: number): Pick<OffSpan, "from" | "isEarlier"> {
  return { from: Math.max(from, at), isEarlier: at < from };
}

/** Without a recorded switch, nothing is known of the time before the policy in force was saved. */
function firstKnown(recorded: readonly Switch[], { at = "" }: ModeInForce): number {
  const savedAt = recorded.length === 0 ? Date.parse(at) : Number.NaN;
  return Number.isNaN(savedAt) ? Number.NEGATIVE_INFINITY : savedAt;
}

function switchOf(record: LogRow): Switch[] {
  if (isDamaged(record) || !aboutOf(record).startsWith("policy.")) return [];
  const [change] = record.changes;
  const [before, after] = [modeOf(change?.before ?? null), modeOf(change?.after ?? null)];
  return change && before && after ? [{ at: Date.parse(record.at), before, after }] : [];
}

/** A writer that keeps no record may have saved the policy in force. */
function unrecorded(last: Switch | undefined, { mode, at }: ModeInForce): Switch[] {
  if (at === undefined || Number.isNaN(Date.parse(at)) || !last || last.after === mode) return [];
  return [{ at: Math.max(last.at, Date.parse(at)), before: last.after, after: mode }];
}
