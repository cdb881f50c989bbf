/** A logarithmic scale. */
export interface LimitScale {
  readonly low: number;
  readonly high: number;
}

/** Scale with all peaks and the limit in force, and some space at both ends. */
export function limitScale(peaks: readonly number[], limit: number): LimitScale {
  const all = [...peaks, limit].filter((one) => one > 0);
  const low = Math.max(0.8, Math.min(...all) * 0.7);
  return { low, high: Math.max(low * 10, Math.max(...all) * 1.6) };
}

/** Position of a value, from 0 at the bottom to 1 at the top. */
export function shareOf({ low, high }: LimitScale, value: number): number {
  return clamp(Math.log(Math.max(value, low) / low) / Math.log(high / low), 0, 1);
}

/** Round limit at a height: two digits, then zeros. */
export function limitAt({ low, high }: LimitScale, share: number): number {
  return twoDigits(low * (high / low) ** clamp(share, 0, 1));
}

/** 1, 3, 10, 30 … within the scale. Only powers of ten if there are many. */
export function ticksOf({ low, high }: LimitScale): number[] {
  const tens = Array.from({ length: 13 }, (_, power) => 10 ** power);
  const within = (ticks: number[]) => ticks.filter((tick) => tick >= low && tick <= high);
  const all = within(tens.flatMap((ten) => [ten, 3 * ten]));
  return all.length > 5 ? within(tens) : all;
}

/** Limit after a key press: about 5 % away, at least one step. */
export function nextLimit(limit: number, direction: 1 | -1, isLarge: boolean): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, limit))) - 1) * (isLarge ? 10 : 1);
  const next =
    direction === 1 ? Math.floor(limit / step) * step + step : Math.ceil(limit / step) * step - step;
  return Math.max(1, next);
}

function twoDigits(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.max(1, Math.round(value / step) * step);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
