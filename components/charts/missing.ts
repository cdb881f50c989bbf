/** A part of a time axis without data. In ms. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

interface Told {
  readonly at: number;
  readonly isMissing: boolean;
}

/**
 * Parts of the axis where nothing may be drawn: between the known points around missing ones, or up to the end of the
 * axis.
 */
export function gapsOf(points: readonly Told[], untilMs?: number): Gap[] {
  const gaps: Gap[] = [];
  const last = points.at(-1);
  let from: number | undefined;
  points.forEach(({ at, isMissing }, i) => {
    if (isMissing) from ??= points[i - 1]?.at ?? at;
    else if (from !== undefined) {
      gaps.push({ from, to: at });
      from = undefined;
    }
  });
  if (last && (from !== undefined || (untilMs ?? 0) > last.at))
    gaps.push({ from: from ?? last.at, to: Math.max(last.at, untilMs ?? 0) });
  return gaps.filter(({ from, to }) => to > from);
}

/** Adds an empty point between points more than `mostMs` apart, so that no line joins them. */
export function withGaps<P extends { readonly at: number }>(points: readonly P[], mostMs: number) {
  const gaps: Gap[] = [];
  const parted = points.flatMap((point, i) => {
    const before = points[i - 1];
    if (!before || point.at - before.at <= mostMs) return [point];
    gaps.push({ from: before.at, to: point.at });
    return [{ at: (before.at + point.at) / 2 }, point];
  });
  return { points: parted, gaps };
}
