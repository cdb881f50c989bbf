const replacement = "\u{FFFD}";

/**
 * Characters that are invisible, move the cursor or change the direction of the text: controls, lone surrogates, line
 * separators, bidi and zero-width characters, tags. The variation selectors of emoji are harmless.
 */
const unseen = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Combining marks beyond four. They would reach into the lines above and below. */
const stacked = /(\p{M}{4})\p{M}+/gu;

interface CleanText {
  readonly text: string;
  /** Cleaned text for the title, if `text` is cut. Longer, but limited, too. */
  readonly whole: string | undefined;
}

const mostInTitle = 1_000;

/** Untrusted text, safe to show. @param max number of shown characters */
export function cleanText(foreign: string, max: number): CleanText {
  const start = visible(foreign, Math.max(max, mostInTitle));
  const shown = cut(start.text, max);
  const isCut = start.isCut || shown !== start.text;
  return { text: isCut ? `${shown}…` : shown, whole: isCut ? wholeOf(start) : undefined };
}

function wholeOf({ text, isCut }: { text: string; isCut: boolean }): string {
  return isCut ? `${text}…` : text;
}

function visible(foreign: string, most: number): { text: string; isCut: boolean } {
  const start = cut(foreign, most);
  const text = start.replace(unseen, replacement).replace(stacked, `$1${replacement}`);
  return { text, isCut: start.length < foreign.length };
}

/** Cuts between characters, never within a surrogate pair. */
function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join("");
}
