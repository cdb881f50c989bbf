/** No browser draws more than 17 million px, and zoom takes a part of that. Longer lists are drawn this long. */
export const tallestPx = 10_000_000;

const overscan = 8;

/** Where the scroll bar stands, and which px of the whole list is on top. They differ in lists that are too long to draw. */
export interface Place {
  readonly scrolled: number;
  readonly offset: number;
}

export const start: Place = { scrolled: 0, offset: 0 };

/** How far the bar and the list can go. */
export interface Reach {
  readonly mostScrolled: number;
  readonly mostOffset: number;
  readonly viewport: number;
}

/** Small steps move rows as far as the bar moved; a drag or a jump goes to the same share of the list. */
export function follow({ scrolled: before, offset }: Place, scrolled: number, reach: Reach): Place {
  const { mostScrolled, mostOffset, viewport } = reach;
  if (mostOffset <= mostScrolled) return { scrolled, offset: scrolled };
  const isAtAnEnd = scrolled <= 0 || scrolled >= mostScrolled;
  const isStep = !isAtAnEnd && Math.abs(scrolled - before) <= viewport;
  return { scrolled, offset: isStep ? offset + scrolled - before : (scrolled / mostScrolled) * mostOffset };
}

/** Where the bar belongs once it rests. Rows do not move when it is put there. */
export function rest({ offset }: Place, { mostScrolled, mostOffset }: Reach): number {
  return mostOffset <= mostScrolled ? offset : (offset / mostOffset) * mostScrolled;
}

export interface List {
  readonly count: number;
  readonly rowHeight: number;
}

export function drawnHeight({ count, rowHeight }: List): number {
  return Math.min(count * rowHeight, tallestPx);
}

export interface RowWindow {
  readonly first: number;
  /** Less than the first when there are no rows. */
  readonly last: number;
  /** Empty px above the first row, and under the last. */
  readonly before: number;
  readonly after: number;
  /** Px that the first row begins above the body: less than nothing is left above it. */
  readonly raised: number;
}

/** Which rows are drawn, and where. */
export function windowOf(list: List, { scrolled, offset }: Place, viewport: number): RowWindow {
  const { count, rowHeight } = list;
  const drawn = drawnHeight(list);
  const seen = Math.floor(offset / rowHeight);
  const first = Math.max(0, Math.min(seen, count - 1) - overscan);
  const top = first * rowHeight - offset + scrolled;
  const fits = first + Math.ceil((drawn - top) / rowHeight) - 1;
  const wanted = Math.floor((offset + viewport) / rowHeight) + overscan;
  const last = Math.min(count - 1, wanted, fits);
  const bottom = top + (last - first + 1) * rowHeight;
  return {
    first,
    last,
    before: Math.max(0, top),
    after: Math.max(0, drawn - bottom),
    raised: Math.max(0, -top),
  };
}
