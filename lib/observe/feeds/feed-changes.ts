import { type Block, format } from "../../ip/block.ts";
import { type PackedRanges, RangeCollection } from "../../ip/packed-ranges.ts";
import { breathing } from "../../redis/loop-turn.ts";

/** Ranges of new contents that those before have not. */
export interface FeedDifference {
  readonly count: number;
  readonly ranges: PackedRanges;
  /** The first, and those with the most addresses. */
  readonly examples: readonly string[];
  readonly widest: readonly string[];
}

const mostExamples = 10;
const mostWidest = 5;
/** Ranges that are looked up before other work may run: below 5 ms. */
const comparedAtOnce = 5_000;

/** What of these ranges is not in others, neither whole nor in a part of one. */
export async function differenceOf(ranges: PackedRanges, others: PackedRanges): Promise<FeedDifference> {
  const breathe = breathing();
  const collected = new RangeCollection();
  const examples: string[] = [];
  let widest: Block[] = [];
  let compared = 0;
  for (const block of ranges) {
    if (++compared % comparedAtOnce === 0) await breathe();
    if (others.covering(block)) continue;
    collected.add(block);
    if (examples.length < mostExamples) examples.push(format(block));
    const least = widest.at(-1);
    if (widest.length === mostWidest && least && free(block) <= free(least)) continue;
    widest = [...widest, block].sort((x, y) => free(y) - free(x)).slice(0, mostWidest);
  }
  const steps = collected.sort();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { count: collected.size, ranges: value, examples, widest: widest.map(format) };
    await breathe();
  }
}

/** Bits that are free; of IPv6, of the first 64. */
const free = ({ family, length }: Block) => (family === 4 ? 32 : 64) - length;
