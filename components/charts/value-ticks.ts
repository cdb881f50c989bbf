/** Maximum number of steps. */
const most = 5;

/**
 * Values on an axis: from 0 in steps of 1, 2 or 5 times a power of ten, until no value is above the last.
 * @param highest largest value of the chart
 */
export function valueTicks(highest: number, { isWhole = false }: { isWhole?: boolean } = {}): number[] {
  const top = highest > 0 ? highest : 1;
  const rough = top / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * ten >= rough) ?? 10) * ten;
  const round = isWhole ? Math.max(1, step) : step;
  // Twelve digits, so that 3 × 0.1 is 0.3.
  const count = Math.ceil(Number((top / round).toPrecision(12)));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * round).toPrecision(12)));
}
