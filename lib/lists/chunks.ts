import { widestEntry } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import { mostAtOnce } from "./change.ts";

const mostLookUps = 10_000;

/** Each chunk is one script call in Redis, so what it looks up is bounded, too: IPv6 has six times the ranges. */
export function* chunksOf<T>(things: readonly T[], addressOf: (thing: T) => Ip | Cidr): Generator<T[]> {
  let chunk: T[] = [];
  let lookUps = 0;
  for (const thing of things) {
    const { family, length } = blockOf(addressOf(thing));
    const cost = Math.max(length - widestEntry[family], 0) + 1;
    if (chunk.length === mostAtOnce || lookUps + cost > mostLookUps) {
      yield chunk;
      [chunk, lookUps] = [[], 0];
    }
    chunk.push(thing);
    lookUps += cost;
  }
  if (chunk.length > 0) yield chunk;
}
