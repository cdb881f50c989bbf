import { dayText } from "@/components/ui/value-text.ts";
import type { AuditPage, AuditRow, DamagedRow } from "@/lib/queries/audit.ts";

export type Row = AuditRow | DamagedRow;

export interface Day {
  /** "2026-03-21" */
  readonly day: string;
  readonly rows: readonly Row[];
}

/** Rows by their day in UTC; damaged records keep their place. The record of a ban may be a day later than its neighbours. */
export function byDay(rows: readonly Row[]): Day[] {
  const days: { day: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const last = days.at(-1);
    const day = row.look === "damaged" ? (last?.day ?? "") : row.at.slice(0, 10);
    if (last && (last.day === day || last.day === "")) {
      last.day = day;
      last.rows.push(row);
    } else days.push({ day, rows: [row] });
  }
  return days;
}

/** `Today`, `Saturday 21 March`. */
export function sayDay(day: string, now: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? "Unknown day" : dayText(at, now);
}

export interface Undoing {
  /** The record that undid it. */
  readonly by: number;
  /** Some of it is left. */
  readonly isPartly: boolean;
}

/** Which records are undone, by which, as far as the log was read. The last undo counts, and one of all before one of a part. */
export function undoneIn(pages: readonly Pick<AuditPage, "undone">[]): ReadonlyMap<number, Undoing> {
  const all = pages.flatMap((page) => page.undone);
  const undone = new Map<number, Undoing>();
  // The newest first: whether an undo was undone itself is known before it is looked at.
  for (const [n, by, isPartly] of all.toSorted((a, b) => b[1] - a[1])) {
    const itself = undone.get(by);
    if (itself && !itself.isPartly) continue;
    const known = undone.get(n);
    const isLeft = isPartly || itself !== undefined;
    if (!known || (known.isPartly && !isLeft)) undone.set(n, { by, isPartly: isLeft });
  }
  return undone;
}
