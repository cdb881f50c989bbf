/** No browser draws more than 17 million px, and zoom takes a part of that. Longer lists are drawn this long. */
export const tallestPx = 10_000_000;

const overscan = 8;

/** Position of the scroll bar, and px of the whole list at the top. They differ in lists that are too long to draw. */
export interface Place {
  readonly scrolled: number;
  readonly offset: number;
}

export const start: Place = { scrolled: 0, offset: 0 };

/** Maximum positions of the bar and the list. */
export interface Reach {
  readonly mostScrolled: number;
  readonly mostOffset: number;
  readonly viewport: number;
}

/** Small steps move the rows as far as the bar. A drag or a jump goes to the same share of the list. */
export function follow({ scrolled: before, offset }: Place, scrolled: number, reach: Reach): Place {
  const { mostScrolled, mostOffset, viewport } = reach;
  if (mostOffset <= mostScrolled) return { scrolled, offset: scrolled };
  const isAtAnEnd = scrolled <= 0 || scrolled >= mostScrolled;
  const isStep = !isAtAnEnd && Math.abs(scrolled - before) <= viewport;
  return { scrolled, offset: isStep ? offset + scrolled - before : (scrolled / mostScrolled) * mostOffset };
}

/** Position of the bar after scrolling ends. Setting it does not move rows. */
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
  /** Lower than the first if there are no rows. */
  readonly last: number;
  /** Empty px above the first row, and under the last. */
  readonly before: number;
  readonly after: number;
  /** Px by which the first row starts above the body. */
  readonly raised: number;
}

/** Rows to draw, and their position. */
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
