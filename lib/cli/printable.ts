const blanks = /[\t\n\r]+/g;

/**
 * Control characters drive a terminal, and direction marks make a line read as another: anybody who can write to
 * Redis could use both. The joiners that some scripts and emoji need may stay.
 */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** One line, with everything that a terminal might act on spelled out. */
export function printable(line: string): string {
  return line.replace(blanks, " ").replace(harmful, (character) => `<U+${hex(character).toUpperCase()}>`);
}

/** JSON that means the same and holds no such characters. */
export function printableJson(value: unknown): string {
  const spelled = (character: string) =>
    [...Array(character.length).keys()].map((i) => `\\u${hex(character[i] ?? "")}`);
  return JSON.stringify(value, undefined, 2).replace(harmful, (found) =>
    found === "\n" ? found : spelled(found).join(""),
  );
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}
