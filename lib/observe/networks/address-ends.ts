import { type Block, isWhole, masked, maskOf } from "../../ip/block.ts";

const lengths = { 4: 32, 6: 128 } as const;

/** The first address of a block. */
export function firstOf(block: Block): Block {
  if (isWhole(block)) return block;
  const { family, a, b, c, d } = block;
  return { family, a, b, c, d, length: lengths[family] };
}

/** The last address of a block. */
export function lastOf(block: Block): Block {
  if (isWhole(block)) return block;
  const { family, a, b, c, d, length } = block;
  const last = a | ~maskOf(length, 0);
  if (family === 4) return { family, a: last, b: 0, c: 0, d: 0, length: lengths[4] };
  const rest = { b: b | ~maskOf(length, 1), c: c | ~maskOf(length, 2), d: d | ~maskOf(length, 3) };
  return { family, a: last, b: rest.b, c: rest.c, d: rest.d, length: lengths[6] };
}

/** The address after this one. Undefined after the last of its family. */
export function nextOf({ family, a, b, c, d, length }: Block): Block | undefined {
  if (family === 4) return a === -1 ? undefined : { family, a: (a + 1) | 0, b, c, d, length };
  const next = [a, b, c, d];
  for (let word = 3; word >= 0; word--) {
    const value = ((next[word] ?? 0) + 1) | 0;
    next[word] = value;
    if (value !== 0)
      return { family, a: next[0] ?? 0, b: next[1] ?? 0, c: next[2] ?? 0, d: next[3] ?? 0, length };
  }
  return undefined;
}

/** The fewest ranges that hold exactly the addresses from the first to the last. */
export function* blocksBetween(first: Block, last: Block): Generator<Block> {
  for (let from: Block | undefined = first; from && comparedTo(from, last) <= 0; ) {
    let widest: Block = from;
    for (let length = from.length - 1; length >= 0; length--) {
      const wider = masked(from, length);
      if (comparedTo(wider, from) !== 0 || comparedTo(lastOf(wider), last) > 0) break;
      widest = wider;
    }
    yield widest;
    from = nextOf(lastOf(widest));
  }
}

/** Below zero if the first address is the lower one. */
export function comparedTo(one: Block, other: Block): number {
  return (
    (one.a >>> 0) - (other.a >>> 0) ||
    (one.b >>> 0) - (other.b >>> 0) ||
    (one.c >>> 0) - (other.c >>> 0) ||
    (one.d >>> 0) - (other.d >>> 0)
  );
}
