import { rangeSize } from "@/components/lists/list-words.ts";
import { format, isWhole, widened } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";

/** Prefix lengths of networks that one owner usually has, around an address. */
const lengths = { 4: [24], 6: [64, 48] } as const;

/** Choices on the page of a client: the client, and the ranges around it. */
export function rangesOf(client: string) {
  const block = readBlock(client);
  if (!block) return [];
  const around = lengths[block.family].filter((length) => length < block.length);
  return [block, ...around.map((length) => widened(block, length))].map((one) => ({
    address: format(one),
    size: isWhole(one) ? "only this address" : rangeSize(format(one)),
  }));
}
