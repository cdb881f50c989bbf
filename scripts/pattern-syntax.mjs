/**
 * A regular expression, as far as `pattern-cost.mjs` examines it. `max` is Infinity for `*`, `+` and `{2,}`.
 * @typedef {{ kind: "set"; source: string; min: number; max: number }} Characters one of them, as it is written: `\s`, `[a-z]`, `x`
 * @typedef {{ kind: "group"; branches: Term[][]; looksAhead: boolean; min: number; max: number }} Group
 * @typedef {{ kind: "start" | "boundary" | "behind" | "check"; source: string; min: number; max: number }} Check takes no characters
 * @typedef {Characters | Group | Check} Term
 */

const groupStart = /\((?:\?(?:<?[=!]|:|<\w+>))?/y;
const characters =
  /\\(?:u\{\w*\}|u\w{4}|x\w\w|[pP]\{[^}]*\}|c\w|k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|[^()[\]|*+?^$]/suy;
const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** Branches of a pattern, each with its terms in order.
 * @param {string} pattern
 * @returns {Term[][]}
 */
export function parsePattern(pattern) {
  let at = 0;
  /** @param {RegExp} wanted */
  const take = (wanted) => {
    wanted.lastIndex = at;
    const found = wanted.exec(pattern);
    at += found?.[0].length ?? 0;
    return found;
  };
  const readBranches = () => {
    /** @type {Term[][]} */
    const branches = [[]];
    while (at < pattern.length && pattern[at] !== ")") {
      if (pattern[at] === "|") {
        branches.push([]);
        at++;
      } else branches.at(-1)?.push({ ...readAtom(), ...timesOf(take(quantifier)) });
    }
    return branches;
  };
  /** @returns {Term} */
  const readAtom = () => {
    const once = { min: 1, max: 1 };
    const opened = take(groupStart)?.[0];
    if (opened !== undefined) {
      const begin = at;
      const branches = readBranches();
      const source = pattern.slice(begin, at);
      at++;
      if (opened === "(?<!") return { kind: "behind", source, ...once };
      if (opened === "(?<=") return { kind: "check", source, ...once };
      return { kind: "group", branches, looksAhead: /^\(\?[=!]$/.test(opened), ...once };
    }
    const edge = take(/[$^]/y)?.[0];
    if (edge !== undefined) return { kind: edge === "^" ? "start" : "check", source: edge, ...once };
    const source = take(characters)?.[0];
    if (source === undefined) throw new SyntaxError(`Cannot read /${pattern}/ at ${at}`);
    if (source === "\\b") return { kind: "boundary", source, ...once };
    return /^\\([1-9B]|k<)/.test(source)
      ? { kind: "check", source, ...once }
      : { kind: "set", source, ...once };
  };
  return readBranches();
}

/** @param {RegExpExecArray | null} found */
function timesOf(found) {
  if (!found) return {};
  const [text, least, comma, most] = found;
  if (least === undefined) return { min: text[0] === "+" ? 1 : 0, max: text[0] === "?" ? 1 : Infinity };
  if (comma === undefined) return { min: Number(least), max: Number(least) };
  return { min: Number(least), max: most ? Number(most) : Infinity };
}
