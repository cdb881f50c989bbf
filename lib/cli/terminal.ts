import { at } from "../at.ts";
import type { Io } from "./io.ts";

/** Rows with aligned columns. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[], indent = ""): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(at(widths, i))));
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}

const blanks = /[\t\n\r]+/g;

/**
 * Control characters operate a terminal, and direction marks make a line read as another: any program that can write
 * to Redis could use both. The joiners that some scripts and emoji use are allowed.
 */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Text as one line. Characters that a terminal would act on are written out. */
export function printable(line: string): string {
  return line.replace(blanks, " ").replace(harmful, (character) => `<U+${hex(character).toUpperCase()}>`);
}

/** JSON of the same value without such characters. */
export function printableJson(value: unknown): string {
  const spelled = (character: string) => character.split("").map((unit) => `\\u${hex(unit)}`);
  return JSON.stringify(value, undefined, 2).replace(harmful, (found) =>
    found === "\n" ? found : spelled(found).join(""),
  );
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}

const redrawEveryMs = 100;
const lineEveryMs = 5_000;

/** Progress of a long command on stderr: one line that is redrawn on a terminal, a new line every few seconds elsewhere. */
export class ProgressLine {
  readonly #io: Io;
  readonly #isShown: boolean;
  #shownAtMs: number;
  #isDrawn = false;

  constructor(io: Io, { isShown }: { readonly isShown: boolean }) {
    this.#io = io;
    this.#isShown = isShown;
    this.#shownAtMs = performance.now();
  }

  /** Prints "Importing: 45,000 of 120,430". */
  show(verb: string, { done, wanted }: { readonly done: number; readonly wanted: number }): void {
    const everyMs = this.#io.isStderrTTY ? redrawEveryMs : lineEveryMs;
    const now = performance.now();
    if (!this.#isShown || now - this.#shownAtMs < everyMs) return;
    this.#shownAtMs = now;
    const line = `${verb}: ${done.toLocaleString("en-US")} of ${wanted.toLocaleString("en-US")}`;
    this.#isDrawn = this.#io.isStderrTTY === true;
    this.#io.stderr.write(this.#isDrawn ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Clears the line for the next output. */
  end(): void {
    if (this.#isDrawn) this.#io.stderr.write("\r\x1b[K");
    this.#isDrawn = false;
  }
}
