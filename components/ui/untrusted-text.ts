const replacement = "\u{FFFD}";

/**
 * Nothing that is invisible, moves the cursor or turns the direction of what follows: controls, lone surrogates, line
 * separators, bidi and zero-width characters, tags. The variation selectors of emoji are harmless.
 */
const unseen = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Marks stacked higher than any script does reach into the lines above and below. */
const stacked = /(\p{M}{4})\p{M}+/gu;

export interface CleanText {
  readonly text: string;
  /** What did not fit, also clean: the whole text again, up to a length that a title can show. */
  readonly whole: string | undefined;
}

const mostInTitle = 1_000;

/** Foreign text as it may be shown. @param max characters that are shown */
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

/** By characters, not by halves of them. */
function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join("");
}
