/** Rows that a table has read. */
export interface RowsRead<T> {
  /** Search, filter and sort. Another view has other rows. */
  readonly view: string;
  /** True while the view's rows are loading. `parts` are then those of the previous view. */
  readonly isPlaceholder?: boolean;
  /** Parts of the table, each from its first place. A table without windows has one part. */
  readonly parts: readonly RowsPart<T>[];
  /** Number of rows of the whole table. */
  readonly count: number;
}

export interface RowsPart<T> {
  readonly offset: number;
  readonly rows: readonly T[];
}

export interface HeldRow<T> {
  readonly row: T;
  /** The row left the table after the order was held. Its values are the last known. */
  readonly isGone: boolean;
}

/** The rows to draw, by their place in the whole table and in the order of their places. */
export interface HeldRows<T> {
  readonly view: string;
  readonly rows: ReadonlyMap<number, HeldRow<T>>;
  readonly count: number;
  /** Without the hold, the rows or their order would differ. */
  readonly isBehind: boolean;
  /** Number of rows read that arrived after the order was held. */
  readonly newer: number;
}

type KeyOf<T> = (row: T) => string;

/** The rows in the order they were read. */
export function freeRows<T>({ view, parts, count }: RowsRead<T>): HeldRows<T> {
  const rows = new Map([...placed(parts)].map(([place, row]) => [place, { row, isGone: false }]));
  return { view, rows, count, isBehind: false, newer: 0 };
}

/**
 * The next rows of a table. Held rows keep their places and get new values; rows that left stay, marked; new rows wait. Places
 * that were never read are filled with the rows that follow.
 */
export function nextRows<T>(
  before: HeldRows<T>,
  read: RowsRead<T>,
  isHeld: boolean,
  keyOf: KeyOf<T>,
): HeldRows<T> {
  if (before.view !== read.view)
    // The placeholder keeps the name of its own view, so that the rows of the new view are not held behind it.
    return { ...freeRows(read), view: read.isPlaceholder ? before.view : read.view };
  if (!isHeld || before.rows.size === 0) return freeRows(read);
  const fresh = placed(read.parts);
  const places = new Map([...fresh].map(([place, row]) => [keyOf(row), place]));
  const isEndRead = read.parts.some(({ offset, rows }) => offset + rows.length >= read.count);
  const rows = new Map<number, HeldRow<T>>();
  // A row missing at the end of a part may have moved to a place that is not read.
  let isFollowed = isEndRead;
  let last = isEndRead ? Number.POSITIVE_INFINITY : -1;
  let isBehind = false;
  for (const [place, held] of [...before.rows].sort(([a], [b]) => b - a)) {
    const now = places.get(keyOf(held.row));
    const isKnown = isRead(read, place);
    if (now !== undefined) last = Math.max(last, now);
    isFollowed ||= now !== undefined;
    const row = now === undefined ? held.row : (fresh.get(now) ?? held.row);
    const isGone = now === undefined && (held.isGone || (isKnown && isFollowed));
    isBehind ||= isGone || (isKnown && now !== place);
    rows.set(place, { row, isGone });
  }
  fillGaps(rows, { fresh, places, parts: read.parts, count: before.count }, keyOf);
  const shown = new Set([...rows.values()].map(({ row }) => keyOf(row)));
  const newer = [...fresh].filter(([place, row]) => place < last && !shown.has(keyOf(row))).length;
  const inOrder = new Map([...rows].sort(([a], [b]) => a - b));
  return { view: read.view, rows: inOrder, count: before.count, isBehind: isBehind || newer > 0, newer };
}

interface Gaps<T> {
  readonly fresh: ReadonlyMap<number, T>;
  readonly places: ReadonlyMap<string, number>;
  readonly parts: readonly RowsPart<T>[];
  readonly count: number;
}

/** Fills each gap with the row that follows the one above it, also if rows have arrived or left since. No row has two places. */
function fillGaps<T>(rows: Map<number, HeldRow<T>>, gaps: Gaps<T>, keyOf: KeyOf<T>): void {
  const { fresh, places, count } = gaps;
  const shown = new Set([...rows.values()].map(({ row }) => keyOf(row)));
  for (const { offset, rows: part } of gaps.parts.toSorted((a, b) => a.offset - b.offset)) {
    for (let place = offset; place < Math.min(count, offset + part.length); place++) {
      if (rows.has(place)) continue;
      const above = rows.get(place - 1);
      const aboveNow = above && places.get(keyOf(above.row));
      let from = aboveNow === undefined ? place : aboveNow + 1;
      for (let row = fresh.get(from); row !== undefined; row = fresh.get(++from)) {
        if (shown.has(keyOf(row))) continue;
        shown.add(keyOf(row));
        rows.set(place, { row, isGone: false });
        break;
      }
    }
  }
}

/** A place beyond the end counts as read, because it has no row. */
function isRead({ parts, count }: RowsRead<unknown>, place: number): boolean {
  return parts.some(({ offset, rows }) => {
    const end = offset + rows.length;
    return place >= offset && (place < end || end >= count);
  });
}

function placed<T>(parts: readonly RowsPart<T>[]): ReadonlyMap<number, T> {
  return new Map(parts.flatMap(({ offset, rows }) => rows.map((row, i) => [offset + i, row] as const)));
}

/** Whether both name the same rows, without comparing values. */
export function isSameRead<T>(a: RowsRead<T>, b: RowsRead<T>): boolean {
  const hasSameRows = (part: RowsPart<T>, i: number) => {
    const other = b.parts[i];
    const isEmpty = part.rows.length === 0 && other?.rows.length === 0;
    return other?.offset === part.offset && (isEmpty || other.rows === part.rows);
  };
  return (
    a.view === b.view &&
    (a.isPlaceholder ?? false) === (b.isPlaceholder ?? false) &&
    a.count === b.count &&
    a.parts.length === b.parts.length &&
    a.parts.every(hasSameRows)
  );
}
