/** Where it is not known what happened: from which place on, and for how many. */
export function runsOfUnknown(
  minutes: readonly { readonly isKnown: boolean }[],
): [from: number, count: number][] {
  const runs: [number, number][] = [];
  for (const [i, { isKnown }] of minutes.entries()) {
    if (isKnown) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === i) last[1]++;
    else runs.push([i, 1]);
  }
  return runs;
}
