import { type Block, format, masked } from "../ip/block.ts";
import type { Cidr, Ip } from "../ip/parse.ts";

/** IPv6 addresses are counted by their network, as rules do unless told otherwise. */
const networkLength = 64;

/** By which name statistics know an address: its own, or its network's. */
export function countedAs(block: Block): Ip | Cidr {
  return format(block.family === 6 && block.length > networkLength ? masked(block, networkLength) : block);
}
