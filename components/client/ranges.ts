import { counted } from "@/components/ui/value-text.ts";
import { format, isWhole, widened } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";

export interface Range {
  /** Canonical. */
  readonly address: string;
  /** "256 addresses" */
  readonly size: string;
}

/** Prefix lengths of networks that one owner usually has, around an address. */
const lengths = { 4: [24], 6: [64, 48] } as const;

/** Choices on the page of a client: the client, and the ranges around it. */
export function rangesOf(client: string): readonly Range[] {
  const block = readBlock(client);
  if (!block) return [];
  const around = lengths[block.family].filter((length) => length < block.length);
  return [block, ...around.map((length) => widened(block, length))].map((one) => ({
    address: format(one),
    size: isWhole(one) ? "only this address" : sizeOf(one.family, one.length),
  }));
}

/** IPv6 is counted by networks of the size that one customer has. */
function sizeOf(family: 4 | 6, length: number): string {
  if (family === 4) return counted(2 ** (32 - length), "address", "addresses");
  return length < 64 ? `${counted(2 ** (64 - length), "network")} of /64` : "one network";
}
