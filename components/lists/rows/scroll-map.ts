/** Tallest element in px. Above it browsers place rows inexactly, and above 17 million px not at all. */
export const tallest = 4_000_000;

/** A list of rows of the same height, and the height of the window. In px. */
export interface Tall {
  readonly rows: number;
  readonly rowHeight: number;
  readonly view: number;
}

export interface Scrolled {
  /** Distance of the list's top above the window's top, by the browser. */
  readonly top: number;
  /** The same distance, in a list of full height. */
  readonly position: number;
}

/** Height of the element. */
export function drawnHeight({ rows, rowHeight }: Tall): number {
  return Math.min(rows * rowHeight, tallest);
}

/** Position in a long list when the browser's scrollbar is at `top`. */
export function positionAt(top: number, tall: Tall): number {
  return clamped(top * ratio(tall), 0, lastPosition(tall));
}

/** Place of the browser's scrollbar at this position. */
export function topFor(position: number, tall: Tall): number {
  return position / ratio(tall);
}

/**
 * A list that is taller than browsers can draw moves by the pixel in small steps, and in proportion when the scrollbar
 * is dragged.
 */
export function scrolledTo(barAt: number, before: Scrolled, tall: Tall): Scrolled {
  // The page may scroll past the end of the list.
  const top = clamped(barAt, 0, lastTop(tall));
  const moved = top - before.top;
  const isNudged = Math.abs(moved) <= tall.view && top > 0 && top < lastTop(tall);
  const position = isNudged ? clamped(before.position + moved, 0, lastPosition(tall)) : positionAt(top, tall);
  return { top, position };
}

export interface Span {
  /** First row to draw. `to` is the row after the last. */
  readonly from: number;
  readonly to: number;
}

/** Rows to draw: the visible rows, and a few around them. */
export function spanAt(position: number, { rows, rowHeight, view }: Tall, around = 8): Span {
  const first = Math.floor(position / rowHeight);
  const last = Math.ceil((position + view) / rowHeight);
  return { from: clamped(first - around, 0, rows), to: clamped(last + around, 0, rows) };
}

/** Empty space before and after the drawn rows, which puts them at the window. */
export function spaceAround({ from, to }: Span, { top, position }: Scrolled, tall: Tall) {
  const height = drawnHeight(tall);
  const drawn = (to - from) * tall.rowHeight;
  const before = clamped(top + from * tall.rowHeight - position, 0, Math.max(0, height - drawn));
  return { before, after: Math.max(0, height - before - drawn) };
}

function lastTop(tall: Tall): number {
  return Math.max(0, drawnHeight(tall) - tall.view);
}

function lastPosition({ rows, rowHeight, view }: Tall): number {
  return Math.max(0, rows * rowHeight - view);
}

function ratio(tall: Tall): number {
  const most = lastTop(tall);
  return most === 0 ? 1 : lastPosition(tall) / most;
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
