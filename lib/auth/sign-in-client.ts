import { format, widened } from "../ip/block.ts";
import { blockOf, type Ip } from "../ip/parse.ts";

/** Who is counted: IPv6 hands out whole /64s. Where no address is known, all are one: that is a setting to be mended. */
export function signInClient(address: Ip | undefined): string {
  if (address === undefined) return "unknown";
  const block = blockOf(address);
  return block.family === 6 ? format(widened(block, 64)) : address;
}
