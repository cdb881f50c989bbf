/** A part of a sentence: plain words, or foreign text, to be shown as such. */
export type PhrasePart = string | Foreign;

export interface Foreign {
  readonly text: string;
  /** An address and a customer are things to look for; a name is any other text. */
  readonly is: "address" | "customer" | "name";
}

export type Phrase = readonly PhrasePart[];

export const named = (text: string): Foreign => ({ text, is: "name" });

/** The same as plain text, for files. */
export function plainly(sentence: Phrase): string {
  return sentence.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** How many targets a sentence names. */
export const mostNamed = 3;
/** One more is named rather than counted. */
export const mostEnumerated = mostNamed + 1;

/** "a", "a and b", "a, b and 498 more" */
export function enumerated(things: readonly Foreign[], most: number): Phrase {
  const shown = things.length <= most + 1 ? things : things.slice(0, most);
  const rest = things.length - shown.length;
  const pieces = shown.flatMap((thing, i): PhrasePart[] => {
    const isLast = i === shown.length - 1 && rest === 0;
    const before = i === 0 ? [] : [isLast ? " and " : ", "];
    return [...before, thing];
  });
  return rest === 0 ? pieces : [...pieces, ` and ${rest.toLocaleString("en-US")} more`];
}
