import { type Block, covers, format, isWhole, masked, widened } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";

/** Prefix length of the widest range that one owner usually has. */
const widest = { 4: 24, 6: 48 } as const;

/** The range that a client is grouped by: its /24, or its /48 of IPv6. Undefined for a wider range, and for other texts. */
export function rangeAround(client: string): string | undefined {
  const block = readBlock(client);
  if (!block || block.length < widest[block.family]) return undefined;
  return format(widened(block, widest[block.family]));
}

/** The smallest range that covers all clients. Undefined for one client, and if it would be wider than one owner's range. */
export function commonRange(clients: readonly string[]): string | undefined {
  const blocks = clients.map(readBlock);
  const [first] = blocks;
  if (!first || blocks.length < 2 || !blocks.every((block) => block !== undefined)) return undefined;
  const shortest = Math.min(...blocks.map(({ length }) => length));
  for (let length = shortest; length >= widest[first.family]; length--) {
    const range: Block = masked(first, length);
    if (blocks.every((block) => covers(range, block))) return isWhole(range) ? undefined : format(range);
  }
  return undefined;
}
