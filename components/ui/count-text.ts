const counts = new Intl.NumberFormat("en-GB");
const shares = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** `128,402`. */
export function countText(count: number): string {
  return counts.format(count);
}

/** `1 entry`, `1,204 entries`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** For axes and narrow places: `950`, `6k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return counts.format(count);
  return count < 999_950 ? `${shares.format(count / 1_000)}k` : `${shares.format(count / 1_000_000)}M`;
}
