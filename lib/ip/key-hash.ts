import type { Block } from "./block.ts";

/** What a table is keyed by. One-word keys leave b, c and d zero. */
export type Key = Pick<Block, "a" | "b" | "c" | "d" | "length">;

/**
 * Tabulation hashing (Pătraşcu and Thorup, 2012): linear probing stays short for any keys that were chosen
 * without a look at these numbers, and nobody outside the process can have one.
 */
const dice = crypto.getRandomValues(new Int32Array(17 * 256));

const lengthTable = 16 * 256;

export function hashOf(words: 1 | 4, { a, b, c, d, length }: Key): number {
  const hash = (dice[lengthTable + length] ?? 0) ^ roll(a, 0);
  return words === 1 ? hash : hash ^ roll(b, 1024) ^ roll(c, 2048) ^ roll(d, 3072);
}

function roll(word: number, table: number): number {
  return (
    (dice[table + (word & 255)] ?? 0) ^
    (dice[table + 256 + ((word >>> 8) & 255)] ?? 0) ^
    (dice[table + 512 + ((word >>> 16) & 255)] ?? 0) ^
    (dice[table + 768 + (word >>> 24)] ?? 0)
  );
}
