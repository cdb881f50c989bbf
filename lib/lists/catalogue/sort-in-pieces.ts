import { setImmediate as turn } from "node:timers/promises";

export type Compare = (x: number, y: number) => number;

const runLength = 4_096;
const longestTurnMs = 8;

/** Sorts a million numbers without holding up others: short runs first, which are then merged in pairs. */
export async function sortInPieces(numbers: Uint32Array, compare: Compare): Promise<Uint32Array> {
  const breathe = breathing();
  for (let from = 0; from < numbers.length; from += runLength) {
    numbers.subarray(from, from + runLength).sort(compare);
    await breathe();
  }
  let from = numbers;
  let to: Uint32Array = new Uint32Array(numbers.length);
  for (let width = runLength; width < numbers.length; width *= 2) {
    for (let start = 0; start < numbers.length; start += 2 * width) {
      const [middle, end] = [start + width, start + 2 * width];
      const merging = merge(
        from.subarray(start, middle),
        from.subarray(middle, end),
        to.subarray(start, end),
        compare,
      );
      while (merging.next().done !== true) await breathe();
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two sorted runs into one as long as both, and pauses now and then. */
export function* merge(x: Uint32Array, y: Uint32Array, into: Uint32Array, compare: Compare): Generator<void> {
  let [i, j] = [0, 0];
  for (let at = 0; at < into.length; at++) {
    const isFromX = j >= y.length || (i < x.length && compare(x[i] ?? 0, y[j] ?? 0) <= 0);
    into[at] = (isFromX ? x[i++] : y[j++]) ?? 0;
    if (at % runLength === runLength - 1) yield;
  }
}

/** Lets others have their turn, whenever it took one long enough. */
export function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestTurnMs) return;
    await turn();
    since = performance.now();
  };
}
