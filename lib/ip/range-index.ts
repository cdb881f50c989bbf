import { type Block, maskOf } from "./block.ts";
import { BlockMap } from "./block-map.ts";

/**
 * Which prefix lengths occur under each of the widest ranges (an IPv4 /16, an IPv6 /32), so that a search
 * probes only for those. Lengths are told as bits, in bands of 32 lengths.
 */
export class RangeIndex {
  readonly #widest: number;
  /** Keyed by the first word of a widest range, and a prefix length (the value counts its ranges) or a band. */
  readonly #map = new BlockMap(1);
  readonly #rangesInBand = [0, 0, 0, 0];

  constructor(widest: number) {
    this.#widest = widest;
  }

  add(range: Pick<Block, "a" | "length">): void {
    this.#count(range, 1);
  }

  remove(range: Pick<Block, "a" | "length">): void {
    this.#count(range, -1);
  }

  /** Bit n is set if a range of length `32 * band + n` may cover addresses that begin with this word. */
  lengthsAround(a: number, band: number): number {
    return this.#rangesInBand[band] === 0 ? 0 : (this.#map.get(this.#bandKey(a, band)) ?? 0);
  }

  #count({ a, length }: Pick<Block, "a" | "length">, change: 1 | -1): void {
    const band = length >>> 5;
    this.#rangesInBand[band] = (this.#rangesInBand[band] ?? 0) + change;
    const key = this.#key(a, length);
    const before = this.#map.get(key) ?? 0;
    if (before + change > 0) this.#map.set(key, before + change);
    else this.#map.delete(key);
    if (Math.max(before, before + change) === 1) this.#flip(a, length);
  }

  /** The first range of a length has come, or the last has gone. */
  #flip(a: number, length: number): void {
    const key = this.#bandKey(a, length >>> 5);
    const bits = (this.#map.get(key) ?? 0) ^ (1 << (length & 31));
    if (bits === 0) this.#map.delete(key);
    else this.#map.set(key, bits);
  }

  /** Entries are at least 16 bits long, so the small numbers are free to name the bands. */
  #bandKey(a: number, band: number) {
    return this.#key(a, 1 + band);
  }

  #key(a: number, length: number) {
    return { a: a & maskOf(this.#widest, 0), b: 0, c: 0, d: 0, length };
  }
}
