import { at } from "./at.ts";

/** The candidate that was probably meant. Undefined if none is close. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const isBegun = candidates.find((candidate) => text.length > 1 && candidate.startsWith(text));
  if (isBegun !== undefined) return isBegun;
  const ranked = candidates
    .map((candidate) => ({ candidate, steps: distance(text, candidate) }))
    .sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best && best.steps <= Math.max(1, Math.floor(best.candidate.length / 2))
    ? best.candidate
    : undefined;
}

/** ` Did you mean "block add"?`, or an empty text if no candidate is close. */
export function didYouMean(text: string, candidates: readonly string[], prefix = ""): string {
  const meant = nearest(text, candidates);
  return meant === undefined ? "" : ` Did you mean "${prefix}${meant}"?`;
}

/** Levenshtein distance: how many letters must change to turn one text into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from.slice(0, 50)].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const swap = at(row, j) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(swap, at(row, j + 1) + 1, at(next, j) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}
