/** What was used in the last few windows, newest first; more than one, for the clock may step back. */
export type WindowCounts = readonly { readonly index: number; readonly used: number }[];

const kept = 4;

export function countIn(counts: WindowCounts | undefined, index: number): number {
  return counts?.find((window) => window.index === index)?.used ?? 0;
}

export function withCount(counts: WindowCounts | undefined, index: number, cost: number): WindowCounts {
  const others = (counts ?? []).filter((window) => window.index !== index);
  const windows = [...others, { index, used: countIn(counts, index) + cost }];
  return windows.sort((a, b) => b.index - a.index).slice(0, kept);
}
