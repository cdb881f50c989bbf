import { at } from "../../at.ts";

const shards = 64;

/**
 * Texts that many entries share: each is kept once, under a number that is reused when it is free.
 * Number 0 means no text. The map is cut into shards, because to grow one of a million would hold the event loop.
 */
export class Texts {
  readonly #numbers = Array.from({ length: shards }, () => new Map<string, number>());
  readonly #texts = [""];
  readonly #folded = [""];
  readonly #uses = [0];
  /** Which pairs of letters occur in a text, as bits: to read a million texts takes far longer than to look at these. */
  #signs = new Uint32Array(2 * 1_024);
  readonly #free: number[] = [];

  /** The number of a text, which has one more use now. */
  take(text: string | undefined): number {
    if (text === undefined) return 0;
    const known = this.find(text);
    const number = known === 0 ? this.#add(text) : known;
    this.#uses[number] = at(this.#uses, number) + 1;
    return number;
  }

  /** One use less. */
  drop(number: number): void {
    if (number === 0) return;
    const uses = at(this.#uses, number) - 1;
    this.#uses[number] = uses;
    if (uses > 0) return;
    const text = at(this.#texts, number);
    this.#shard(text).delete(text);
    this.#texts[number] = "";
    this.#folded[number] = "";
    this.#free.push(number);
  }

  at(number: number): string | undefined {
    return number === 0 ? undefined : this.#texts[number];
  }

  /** In lower case, for searching and sorting; empty for no text. */
  folded(number: number): string {
    return this.#folded[number] ?? "";
  }

  /** 0 for a text that is not in use. */
  find(text: string): number {
    return this.#shard(text).get(text) ?? 0;
  }

  /** Marks the numbers of texts that have this part, which is in lower case. */
  containing(part: string): Uint8Array {
    const marks = new Uint8Array(this.#texts.length);
    const [low = 0, high = 0] = pairsOf(part);
    for (let number = 1; number < marks.length; number++) {
      if (((this.#signs[2 * number] ?? 0) & low) !== low) continue;
      if (((this.#signs[2 * number + 1] ?? 0) & high) !== high) continue;
      if (this.#folded[number]?.includes(part)) marks[number] = 1;
    }
    return marks;
  }

  #add(given: string): number {
    const number = this.#free.pop() ?? this.#texts.length;
    // A part of a longer text would keep the whole of it in memory.
    const text: string = JSON.parse(JSON.stringify(given));
    const folded = text.toLowerCase();
    this.#texts[number] = text;
    this.#folded[number] = folded === text ? text : folded;
    this.#sign(number, folded);
    this.#uses[number] = 0;
    this.#shard(text).set(text, number);
    return number;
  }

  #sign(number: number, folded: string): void {
    if (2 * number >= this.#signs.length) {
      const roomier = new Uint32Array(2 * this.#signs.length);
      roomier.set(this.#signs);
      this.#signs = roomier;
    }
    this.#signs.set(pairsOf(folded), 2 * number);
  }

  #shard(text: string): Map<string, number> {
    let hash = text.length;
    // A sample is enough: many similar texts only make one shard larger.
    const step = 1 + (text.length >>> 4);
    for (let i = 0; i < text.length; i += step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    return at(this.#numbers, (hash ^ (hash >>> 16)) & (shards - 1));
  }
}

const pairs = new Int32Array(2);

/** Two words with a bit for each pair of letters: one buffer for all, because reading never waits. */
function pairsOf(text: string): Int32Array {
  let [low, high, before] = [0, 0, text.charCodeAt(0)];
  for (let i = 1; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    const hash = before * 7 + letter;
    if ((hash & 32) === 0) low |= 1 << (hash & 31);
    else high |= 1 << (hash & 31);
    before = letter;
  }
  pairs[0] = low;
  pairs[1] = high;
  return pairs;
}
