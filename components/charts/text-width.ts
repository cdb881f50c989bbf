/** Widths in px for Inter at 11 px with tabular figures. Rounded up. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[0-9+–]/, 7.1],
  [/[ .,:;'|/iljI()]/, 4.2],
  [/[frt-]/, 5],
  [/[mwMW@%…]/, 10.5],
  [/[A-Z]/, 8],
];
const usual = 6.8;

/** Estimated width of a chart label before it is drawn, in px. */
export function textWidth(text: string): number {
  let sum = 0;
  for (const character of text) sum += widths.find(([like]) => like.test(character))?.[1] ?? usual;
  return sum;
}
