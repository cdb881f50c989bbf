import type { AuditPage, AuditRow, DamagedRow } from "../../../../lib/queries/audit.ts";

export type Row = AuditRow | DamagedRow;

export interface Day {
  /** "2026-03-21" */
  readonly day: string;
  readonly rows: readonly Row[];
}

/** Rows by their day in UTC; what is damaged stays where it stands. A ban may be told a day later than its neighbours. */
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

const dayMs = 86_400_000;
const words = new Intl.DateTimeFormat("en-GB", {
  ...{ timeZone: "UTC", weekday: "long", day: "numeric", month: "long" },
});
const wordsWithYear = new Intl.DateTimeFormat("en-GB", {
  ...{ timeZone: "UTC", day: "numeric", month: "long", year: "numeric" },
});

/** "Today", "Yesterday", "Saturday 21 March", "21 March 2025" */
export function sayDay(day: string, now: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at)) return "Unknown day";
  const ago = Math.floor(now / dayMs) - Math.floor(at / dayMs);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  const isThisYear = new Date(now).getUTCFullYear() === new Date(at).getUTCFullYear();
  return (isThisYear ? words : wordsWithYear).format(at);
}

/** Which records are undone, by which, as far as the log was read. The last undo counts. */
export function undoneIn(pages: readonly Pick<AuditPage, "undone">[]): ReadonlyMap<number, number> {
  const undone = new Map<number, number>();
  for (const [n, by] of pages.flatMap((page) => page.undone)) if (!undone.has(n)) undone.set(n, by);
  // What undid it may have been undone itself.
  for (const [n, by] of undone) if (undone.has(by)) undone.delete(n);
  return undone;
}
