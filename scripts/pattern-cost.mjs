import { parsePattern } from "./pattern-syntax.mjs";

/**
 * @typedef {import("./pattern-syntax.mjs").Term} Term
 * @typedef {import("./pattern-syntax.mjs").Check} Check
 * @typedef {{ holds: ReadonlySet<string>; isEndless: boolean }} Piece
 * @typedef {(Piece | Check)[]} Way what a match has passed before it comes to a term
 */

/** Sample characters that distinguish the character classes of runs. */
const sample = [...Array.from({ length: 128 }, (_, i) => String.fromCharCode(i)), "\u00a0", "ä", "中", "１"];
/** Limit of alternatives that are examined. */
const mostWays = 200;
/** A run with a higher bound costs as much as one without: texts are rarely longer. */
const highestBound = 1_000;

/**
 * The run, such as `\s*` or `.+`, that makes a pattern take time quadratic in its text. Such a run has no bound, a part that
 * can fail follows it, and a match can begin at any of its characters: no part before it anchors it, or another endless run
 * before it matches the same characters. Each beginning then reads the run again.
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
export function costlyRun(pattern, flags) {
  const judge = new Judge(flags);
  judge.branches(parsePattern(pattern), [[]], false);
  return judge.found;
}

class Judge {
  /** @type {string | undefined} */
  found;
  #flags;
  #setFlags;

  /** @param {string} flags */
  constructor(flags) {
    this.#flags = flags;
    this.#setFlags = flags.replaceAll(/[^iusv]/g, "");
  }

  /** @param {Term[][]} branches @param {Way[]} ways @param {boolean} canFailAfter @returns {Way[]} ways behind them */
  branches(branches, ways, canFailAfter) {
    return branches.flatMap((terms) => this.#terms(terms, ways, canFailAfter));
  }

  /** @param {Term[]} terms @param {Way[]} ways @param {boolean} canFailAfter */
  #terms(terms, ways, canFailAfter) {
    let before = ways;
    for (const [i, term] of terms.entries()) {
      const behind = this.#term(term, before, canFailAfter || terms.slice(i + 1).some(isNeeded));
      before = (term.min === 0 ? before.concat(behind) : behind).slice(0, mostWays);
    }
    return before;
  }

  /** @param {Term} term @param {Way[]} ways @param {boolean} canFail */
  #term(term, ways, canFail) {
    if (isEndless(term) && canFail && ways.some((way) => this.#isCostly(term, way)))
      this.found ??= sourceOf(term);
    if (term.kind === "group") {
      // In the second pass, the first part precedes the run.
      const again = term.max > 1 ? this.#quietly(() => this.branches(term.branches, ways, false)) : [];
      const behind = this.branches(term.branches, [...ways, ...again], canFail || isRepeatNeeded(term));
      return term.looksAhead ? ways : behind;
    }
    const piece = term.kind === "set" ? { holds: this.#holds(term), isEndless: isEndless(term) } : term;
    return ways.map((way) => [...way, piece]);
  }

  /** @template T @param {() => T} walk @returns {T} */
  #quietly(walk) {
    const { found } = this;
    const result = walk();
    this.found = found;
    return result;
  }

  /** May a match begin, or an endless run before it end, at any character of this run? @param {Term} run @param {Way} way */
  #isCostly(run, way) {
    const holds = this.#holds(run);
    const begins = this.#begins(run);
    /** @type {Piece[]} */
    const between = [];
    for (const piece of way.toReversed()) {
      if ("kind" in piece) {
        if (this.#anchors(piece, holds)) return false;
        continue;
      }
      const shared = shareOf(piece.holds, between.length === 0 ? begins : holds);
      if (piece.isEndless && shared.size > 0 && between.every((one) => overlap(one.holds, shared)))
        return true;
      if (!overlap(piece.holds, holds)) return false;
      between.push(piece);
    }
    return !this.#flags.includes("y");
  }

  /** Keeps matches from beginning inside of the run. @param {Check} check @param {ReadonlySet<string>} run */
  #anchors({ kind, source }, run) {
    if (kind === "start") return !this.#flags.includes("m") || !run.has("\n");
    const all = [...run];
    if (kind === "boundary")
      return all.every((char) => /\w/.test(char)) || all.every((char) => /\W/.test(char));
    if (kind !== "behind") return false;
    const behind = new RegExp(`^(?:${source})$`, this.#setFlags);
    return all.every((char) => behind.test(char));
  }

  /** The characters that a term may begin with; of a group, also those behind terms that it can leave out. @param {Term} term */
  #begins(term) {
    if (term.kind !== "group") return this.#holds(term);
    /** @type {Set<string>} */
    const begins = new Set();
    for (const terms of term.branches) {
      const needed = terms.findIndex(isNeeded);
      const first = needed === -1 ? terms : terms.slice(0, needed + 1);
      for (const inner of first) for (const char of this.#begins(inner)) begins.add(char);
    }
    return begins;
  }

  /** The characters of the sample that a term may take. @param {Term} term @returns {ReadonlySet<string>} */
  #holds(term) {
    if (term.kind === "group")
      return new Set(term.branches.flat().flatMap((inner) => [...this.#holds(inner)]));
    if (term.kind !== "set") return new Set();
    const one = new RegExp(`^${term.source}$`, this.#setFlags);
    return new Set(sample.filter((char) => one.test(char)));
  }
}

/** @param {Term} term */
const isEndless = ({ max }) => max > highestBound;

/** Must match, so that a match may fail at it. @param {Term} term @returns {boolean} */
function isNeeded(term) {
  if (term.min === 0) return false;
  return term.kind !== "group" || term.branches.every((terms) => terms.some(isNeeded));
}

/** @param {Term} term */
function isRepeatNeeded(term) {
  return (term.kind === "group" && term.looksAhead) || (term.min > 1 && isNeeded(term));
}

/** @param {ReadonlySet<string>} some @param {ReadonlySet<string>} others */
const shareOf = (some, others) => new Set([...some].filter((char) => others.has(char)));

/** @param {ReadonlySet<string>} some @param {ReadonlySet<string>} others */
const overlap = (some, others) => shareOf(some, others).size > 0;

/** @param {Term} term @returns {string} */
function sourceOf(term) {
  const { min, max } = term;
  const endless = min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  const times = max === Infinity ? endless : isEndless(term) ? `{${min},${max}}` : "";
  if (term.kind !== "group") return `${term.source}${times}`;
  return `(${term.branches.map((terms) => terms.map(sourceOf).join("")).join("|")})${times}`;
}
