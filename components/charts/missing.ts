/** A stretch of a time axis of which nothing is known. In ms. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

interface Told {
  readonly at: number;
  readonly isMissing: boolean;
}

/**
 * Where nothing may be drawn: from the last point that is known to the next that is, as lines do. At an end of the axis it
 * reaches to that end.
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

/** Points between which nobody looked for longer than `mostMs`, with an empty one between them so that no line joins them. */
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
