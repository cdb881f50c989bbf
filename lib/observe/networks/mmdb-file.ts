import { readFile } from "node:fs/promises";
import { type CountryResponse, Reader } from "mmdb-lib";
import { type Block, formatIp, isWhole, masked } from "../../ip/block.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { comparedTo, firstOf, lastOf, nextOf } from "./address-ends.ts";
import { factsOf, isSame, type NetworkFacts } from "./network-facts.ts";
import type { FoundNetwork, NetworkSource } from "./network-source.ts";

/** The metadata begin after this, within the last 128 kB of a file (MaxMind DB file format, version 2.0). */
const metadataMark = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const metadataWithin = 128 * 1024;
/** A range with more records is of several networks, or its network is unknown. */
const mostRecords = 64;
const probes = 446;
/** Records whose facts are remembered. Many addresses share one. */
const mostRemembered = 2_000;

/** An MMDB file in memory. */
export class MmdbFile implements NetworkSource {
  readonly #reader: Reader<CountryResponse>;
  readonly #decoded = new Bounded<string | number, object>();
  readonly #facts = new WeakMap<object, NetworkFacts | false>();
  /** Undefined where the file has none. */
  readonly builtAt: Date | undefined;
  readonly type: string;
  readonly bytes: number;
  /** What the file has on much of the internet. */
  readonly gives: { readonly country: boolean; readonly as: boolean };

  /** Throws for a file that is no MMDB file. */
  static async load(file: string): Promise<MmdbFile> {
    return new MmdbFile(await readFile(file));
  }

  constructor(bytes: Buffer) {
    const mark = bytes.lastIndexOf(metadataMark);
    if (mark < 0 || mark < bytes.length - metadataWithin) throw new Error("it is not an MMDB file");
    this.#reader = new Reader<CountryResponse>(bytes, { cache: this.#decoded });
    const { buildEpoch, databaseType, ipVersion, searchTreeSize } = this.#reader.metadata;
    if (!(ipVersion === 4 || ipVersion === 6) || !(searchTreeSize < bytes.length))
      throw new Error("its metadata do not fit to the file");
    this.builtAt = Number.isFinite(buildEpoch.getTime()) ? buildEpoch : undefined;
    this.type = String(databaseType).slice(0, 80);
    this.bytes = bytes.length;
    this.gives = this.#probe();
  }

  find(block: Block): FoundNetwork {
    if (isWhole(block)) return { facts: this.#record(block)[0] };
    const last = lastOf(block);
    let facts: NetworkFacts | undefined;
    let address: Block | undefined = firstOf(block);
    for (let i = 0; i < mostRecords && address; i++) {
      const [here, length] = this.#record(address);
      if (i > 0 && !isSame(here, facts)) return { isSeveral: true };
      facts = here;
      const end = lastOf(masked(address, length));
      if (comparedTo(end, last) >= 0) return { facts };
      address = nextOf(end);
    }
    return {};
  }

  async *ranges(isWanted: (facts: NetworkFacts) => boolean): AsyncGenerator<Block> {
    const breathe = breathing();
    for (const begin of [beginnings.v4, beginnings.v6]) {
      // IPv6 as it is given out: 2000::/3.
      const end = begin.family === 4 ? lastOf({ ...begin, length: 0 }) : lastOf({ ...begin, length: 3 });
      if (begin.family === 6 && this.#reader.metadata.ipVersion === 4) return;
      for (let from: Block | undefined = begin; from && comparedTo(from, end) <= 0; ) {
        await breathe();
        const [facts, length] = this.#record(from);
        const range = masked(from, length);
        if (facts && isWanted(facts)) yield range;
        from = nextOf(lastOf(range));
      }
    }
  }

  /** A file that ends early or is damaged also fails here, not on a page. */
  #probe() {
    let country = 0;
    let as = 0;
    for (let i = 0; i < probes; i++) {
      const a = ((1 + (i % 223)) << 24) | (((i * 37) % 256) << 16) | (5 << 8) | 1;
      const [facts] = this.#record({ family: 4, a, b: 0, c: 0, d: 0, length: 32 });
      if (facts?.country !== undefined) country++;
      if (facts?.asn !== undefined) as++;
    }
    return { country: country >= probes / 4, as: as >= probes / 4 };
  }

  #record(address: Block): [facts: NetworkFacts | undefined, length: number] {
    // A file of IPv4 alone has nothing on IPv6, and its tree is 32 bits deep.
    if (address.family === 6 && this.#reader.metadata.ipVersion === 4) return [undefined, 0];
    const [record, length] = this.#reader.getWithPrefixLength(formatIp(address));
    if (record === null || typeof record !== "object") return [undefined, length];
    const known = this.#facts.get(record);
    if (known !== undefined) return [known || undefined, length];
    const facts = factsOf(record);
    this.#facts.set(record, facts ?? false);
    return [facts, length];
  }
}

const beginnings = {
  v4: { family: 4, a: 0, b: 0, c: 0, d: 0, length: 32 },
  v6: { family: 6, a: 0x2000_0000, b: 0, c: 0, d: 0, length: 128 },
} as const;

/** A memory of decoded records, which is emptied when it is full. */
class Bounded<K, V> {
  readonly #kept = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#kept.get(key);
  }

  set(key: K, value: V): void {
    if (this.#kept.size >= mostRemembered) this.#kept.clear();
    this.#kept.set(key, value);
  }
}
