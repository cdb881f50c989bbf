import type { Plot, TimeSpan } from "./plot.ts";

/** Minimum length of a drag, in px. A shorter one is a click. */
const leastDrag = 6;

interface Steps {
  /** Time between two points of the chart. */
  readonly stepMs: number;
}

/** Minimum number of points of a zoomed chart. */
const leastPoints = 6;

/**
 * Span that a drag selects, in whole steps and at least a minimum. Undefined for a click.
 * @param start time at which the drag started
 * @param x current position in px
 */
export function draggedSpan(plot: Plot, { stepMs }: Steps, start: number, x: number): TimeSpan | undefined {
  if (Math.abs(plot.x(start) - Math.min(plot.right, Math.max(plot.left, x))) < leastDrag) return undefined;
  const [first, last] = [start, plot.at(x)].toSorted((a, b) => a - b);
  return widened(
    {
      from: Math.floor((first ?? 0) / stepMs) * stepMs,
      until: Math.ceil((last ?? 0) / stepMs) * stepMs,
    },
    { stepMs, whole: plot },
  );
}

interface Bounds extends Steps {
  /** Everything that the chart can show. */
  readonly whole: TimeSpan;
}

/** Newer half of the span. */
export function zoomedIn(span: TimeSpan, bounds: Bounds): TimeSpan {
  const length = Math.max((span.until - span.from) / 2, leastPoints * bounds.stepMs);
  return within({ from: span.until - length, until: span.until }, bounds.whole);
}

/** Twice the span. Undefined for everything. */
export function zoomedOut(span: TimeSpan, { whole }: Pick<Bounds, "whole">): TimeSpan | undefined {
  const quarter = (span.until - span.from) / 2;
  const wide = within({ from: span.from - quarter, until: span.until + quarter }, whole);
  return wide.from <= whole.from && wide.until >= whole.until ? undefined : wide;
}

/** Span moved by half its length, within the bounds. */
export function shifted(span: TimeSpan, { whole }: Pick<Bounds, "whole">, direction: 1 | -1): TimeSpan {
  const by = (direction * (span.until - span.from)) / 2;
  return within({ from: span.from + by, until: span.until + by }, whole);
}

function widened({ from, until }: TimeSpan, { stepMs, whole }: Bounds): TimeSpan {
  const missing = leastPoints * stepMs - (until - from);
  if (missing <= 0) return within({ from, until }, whole);
  const before = Math.floor(missing / 2 / stepMs) * stepMs;
  return within({ from: from - before, until: until + missing - before }, whole);
}

/** Span moved into the bounds. Keeps its length if possible. */
function within({ from, until }: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = Math.min(until - from, whole.until - whole.from);
  const start = Math.max(whole.from, Math.min(from, whole.until - length));
  return { from: start, until: start + length };
}
