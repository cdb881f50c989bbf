import type { Block } from "../../ip/block.ts";
import { isCanonical, readBlock } from "../../ip/parse.ts";
import { PrefixTable } from "../../ip/prefix-table.ts";

const added = 2 ** 31;

/** A record that changed an address, and the part that says so; 0 is the record itself. */
export interface Posting {
  readonly record: number;
  readonly part: number;
}

/** Which records touched which address: a chain from the newest to the oldest for each, in twelve bytes a touch. */
export class AddressPostings {
  size = 0;
  /** The newest touch of an address, by its number plus one. */
  readonly #heads = new PrefixTable();
  /** The same for other spellings than Sluice's, and for ranges too wide to be an entry. */
  readonly #others = new Map<string, number>();
  /** Number of the record; the highest bit says that it added the entry. */
  #records = new Uint32Array(1_024);
  /** The touch before, by its number plus one. */
  #before = new Uint32Array(1_024);
  #parts = new Uint16Array(1_024);

  add(address: string, { record, part, isAdded }: Posting & { readonly isAdded: boolean }): void {
    if (this.size === this.#records.length) this.#grow();
    const touch = this.size++;
    this.#records[touch] = record + (isAdded ? added : 0);
    this.#before[touch] = this.#head(address);
    this.#parts[touch] = part;
    const block = blockOf(address);
    if (!block || !this.#heads.set(block, touch + 1)) this.#others.set(address, touch + 1);
  }

  timesAdded(address: string): number {
    let count = 0;
    for (const touch of this.#chain(address)) if ((this.#records[touch] ?? 0) >= added) count++;
    return count;
  }

  /** The newest first, each record once for each of its parts that touched it. */
  records(address: string, most: number): Posting[] {
    const found: Posting[] = [];
    for (const touch of this.#chain(address)) {
      const [record, part] = [(this.#records[touch] ?? 0) % added, this.#parts[touch] ?? 0];
      const last = found.at(-1);
      if (last?.record === record && last.part === part) continue;
      if (found.length === most) break;
      found.push({ record, part });
    }
    return found;
  }

  *#chain(address: string): Generator<number> {
    for (let next = this.#head(address); next > 0; next = this.#before[next - 1] ?? 0) yield next - 1;
  }

  #head(address: string): number {
    const block = blockOf(address);
    return (block && this.#heads.get(block)) ?? this.#others.get(address) ?? 0;
  }

  #grow(): void {
    const [records, before, parts] = [this.#records, this.#before, this.#parts];
    this.#records = new Uint32Array(records.length * 2);
    this.#before = new Uint32Array(before.length * 2);
    this.#records.set(records);
    this.#before.set(before);
    this.#parts = new Uint16Array(parts.length * 2);
    this.#parts.set(parts);
  }
}

function blockOf(address: string): Block | undefined {
  return isCanonical(address) ? readBlock(address) : undefined;
}
