import { type Bounds, clamped } from "./run.ts";

const mantissas = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];

/** The values that a slider stops at: round ones, as many in each decade. */
export function decadeStops({ least, most, isWhole }: Bounds): number[] {
  const stops: number[] = [];
  for (let power = -3; power <= 6; power++)
    for (const mantissa of mantissas) stops.push(Number(`${mantissa}e${power}`));
  const within = stops.filter((stop) => stop > least && stop < most && (!isWhole || Number.isInteger(stop)));
  return [least, ...within, most];
}

const timesSeconds = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 420, 480,
  540, 600, 900, 1_200, 1_500, 1_800, 2_400, 2_700, 3_600,
];

export function timeStops({ least, most }: Bounds): number[] {
  return timesSeconds.filter((seconds) => seconds >= least && seconds <= most);
}

/** Even steps from the least to the most. */
export function evenStops(bounds: Bounds, count: number): number[] {
  const { least, most } = bounds;
  return Array.from({ length: count + 1 }, (_, i) => clamped(least + ((most - least) * i) / count, bounds));
}

/** The stop that is nearest to a value, which may have been typed. */
export function nearestStop(stops: readonly number[], value: number): number {
  let nearest = 0;
  for (const [i, stop] of stops.entries())
    if (Math.abs(stop - value) < Math.abs((stops[nearest] ?? 0) - value)) nearest = i;
  return nearest;
}
