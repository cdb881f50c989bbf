const factors = [3, 2, 5 / 6, 2 / 3];

/** Others to compare with, rounded to what people would write. */
export function nearbyLimits(limit: number): number[] {
  const around = factors.map((factor) => rounded(limit * factor)).filter((one) => one >= 1 && one !== limit);
  return [...new Set(around)].sort((a, b) => b - a);
}

/** To one digit and a half: 250, 600, 1,000. */
function rounded(limit: number): number {
  if (limit < 10) return Math.round(limit);
  const step = 10 ** Math.floor(Math.log10(limit)) / 2;
  return Math.round(limit / step) * step;
}
