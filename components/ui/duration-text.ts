const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** The two largest units that follow each other: `6 d 20 h`, `4 h 12 m`, `41 m`, `42 s`. */
export function durationText(ms: number): string {
  const whole = Math.max(0, ms);
  const first = units.findIndex(([, size]) => whole >= size);
  if (first === -1) return "under 1 s";
  let left = whole;
  const parts: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}
