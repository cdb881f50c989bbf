/** Past this height browsers place rows inexactly, and past 17 million pixels not at all. */
export const tallest = 4_000_000;

/** A list of rows of one height, and the window through which it is seen; all in pixels. */
export interface Tall {
  readonly rows: number;
  readonly rowHeight: number;
  readonly view: number;
}

export interface Scrolled {
  /** What the browser says: how far the list's top is above the window's. */
  readonly top: number;
  /** How far that is in the list as if it had its whole height. */
  readonly position: number;
}

/** The height that the browser is given. */
export function drawnHeight({ rows, rowHeight }: Tall): number {
  return Math.min(rows * rowHeight, tallest);
}

/** Where a long list stands when the browser's bar stands at `top`. */
export function positionAt(top: number, tall: Tall): number {
  return clamped(top * ratio(tall), 0, lastPosition(tall));
}

/** Where the browser's bar stands when the list stands there. */
export function topFor(position: number, tall: Tall): number {
  return position / ratio(tall);
}

/**
 * A list that is taller than browsers can draw moves by the pixel when it is nudged, and in proportion when the
 * bar is dragged.
 */
export function scrolledTo(barAt: number, before: Scrolled, tall: Tall): Scrolled {
  // A page may scroll on when the list is at its end.
  const top = clamped(barAt, 0, lastTop(tall));
  const moved = top - before.top;
  const isNudged = Math.abs(moved) <= tall.view && top > 0 && top < lastTop(tall);
  const position = isNudged ? clamped(before.position + moved, 0, lastPosition(tall)) : positionAt(top, tall);
  return { top, position };
}

export interface Span {
  /** The first row to draw, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** The rows to draw: what is seen, and a few around it. */
export function spanAt(position: number, { rows, rowHeight, view }: Tall, around = 8): Span {
  const first = Math.floor(position / rowHeight);
  const last = Math.ceil((position + view) / rowHeight);
  return { from: clamped(first - around, 0, rows), to: clamped(last + around, 0, rows) };
}

/** Empty space before and after the drawn rows, so that they stand where the window is. */
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
