/** Whether a text is JSON. A line may begin with the bracket of an address: `[2001:db8::1]:443`. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*(?:["{[\]]|$))/.test(text);
}

/** Longer strings are no address. */
const longestKept = 64;

/**
 * The short strings of a JSON text, or of lines with JSON, in pieces of any size. Their members are not read: in what networks publish of
 * themselves, each string that is an address or a range is one of theirs.
 */
export class JsonStrings {
  #line = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #text = "";
  #length = 0;

  /** False in the middle of an object, an array or a string. */
  get isComplete(): boolean {
    return this.#depth === 0 && !this.#isInString;
  }

  *read(piece: string): Generator<{ readonly line: number; readonly text: string }> {
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charAt(at);
      if (character === "\n") this.#line++;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') {
          this.#isInString = false;
          if (this.#length <= longestKept) yield { line: this.#line, text: this.#text };
          continue;
        }
        this.#length++;
        // A slash may be written as \/.
        if (this.#length <= longestKept && !this.#isEscaped) this.#text += character;
      } else if (character === '"') {
        this.#isInString = true;
        this.#text = "";
        this.#length = 0;
      } else if (character === "{" || character === "[") this.#depth++;
      else if (character === "}" || character === "]") this.#depth--;
    }
  }
}
