import type { Block } from "../ip/block.ts";
import { isCanonical, readBlock } from "../ip/parse.ts";
import { PrefixTable } from "../ip/prefix-table.ts";

const added = 2 ** 31;

/** Which records touched which address: a chain from the newest to the oldest for each, in ten bytes a touch. */
export class Touches {
  size = 0;
  /** The newest touch of an address, by its number plus one. */
  readonly #heads = new PrefixTable();
  /** The same for what is no address as Sluice writes it, or too wide to be an entry. */
  readonly #others = new Map<string, number>();
  /** Number of the record; the highest bit says that it added the entry. */
  #records = new Uint32Array(1_024);
  /** The touch before, by its number plus one. */
  #before = new Uint32Array(1_024);

  add(address: string, record: number, isAdded: boolean): void {
    if (this.size === this.#records.length) this.#grow();
    const touch = this.size++;
    this.#records[touch] = record + (isAdded ? added : 0);
    this.#before[touch] = this.#head(address);
    const block = blockOf(address);
    if (!block || !this.#heads.set(block, touch + 1)) this.#others.set(address, touch + 1);
  }

  timesAdded(address: string): number {
    let count = 0;
    for (const touch of this.#chain(address)) if ((this.#records[touch] ?? 0) >= added) count++;
    return count;
  }

  records(address: string, most: number): number[] {
    const records = new Set<number>();
    for (const touch of this.#chain(address)) {
      if (records.size === most) break;
      records.add((this.#records[touch] ?? 0) % added);
    }
    return [...records];
  }

  *#chain(address: string): Generator<number> {
    for (let next = this.#head(address); next > 0; next = this.#before[next - 1] ?? 0) yield next - 1;
  }

  #head(address: string): number {
    const block = blockOf(address);
    return (block && this.#heads.get(block)) ?? this.#others.get(address) ?? 0;
  }

  #grow(): void {
    const [records, before] = [this.#records, this.#before];
    this.#records = new Uint32Array(records.length * 2);
    this.#before = new Uint32Array(before.length * 2);
    this.#records.set(records);
    this.#before.set(before);
  }
}

function blockOf(address: string): Block | undefined {
  return isCanonical(address) ? readBlock(address) : undefined;
}
