const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map((seconds) => seconds * 1_000);

/** Round times on an axis, so many at most. In ms. */
export function timeTicks(fromMs: number, toMs: number, most = 7): number[] {
  const step = steps.find((one) => (toMs - fromMs) / one <= most - 1) ?? Math.max(1, toMs - fromMs);
  const first = Math.ceil(fromMs / step) * step;
  const count = Math.max(0, Math.floor((toMs - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step);
}
