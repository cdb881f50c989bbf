import { type Block, isWhole, widestEntry } from "../../ip/block.ts";
import type { Contents } from "../../redis/copy.ts";
import { type Note, readNote, readUsualNote } from "../note.ts";
import { flag } from "./rows.ts";

/** For a moment that nobody told: before all others. */
export const unknown = Number.NEGATIVE_INFINITY;
/** The longest part of a foreign text that is shown and searched. */
const longestText = 500;

interface Read {
  readonly reason: string;
  readonly by: string | undefined;
  readonly via: string | undefined;
  /** Ms, or `unknown`. */
  readonly at: number;
  /** Is it certain that these tell all that stands there? */
  readonly isWhole: boolean;
}

/** What stands in Redis under an entry's key, as far as columns hold it. A million are read: each makes one object. */
export function readContents(contents: Contents): Read {
  const usual = typeof contents === "string" ? readUsualNote(contents) : undefined;
  const note = usual ?? (typeof contents === "string" ? readNote(contents) : nothing);
  const at = momentOf(note.at);
  return {
    reason: cut(note.reason),
    by: note.by === undefined ? undefined : cut(note.by),
    via: note.via === undefined ? undefined : cut(note.via),
    at,
    isWhole: usual !== undefined && isToldBy(usual, at),
  };
}

const nothing: Note = { reason: "" };

export function flagsOf(
  text: string,
  block: Block | undefined,
  contents: Contents,
  { by, via, at }: Read,
): number {
  const isSigned = by !== undefined && via !== undefined && at !== unknown;
  const isRange = block ? !isWhole(block) : text.includes("/");
  const isTooWide = block !== undefined && block.length < widestEntry[block.family];
  return (
    (block?.family === 6 ? flag.isV6 : 0) |
    (isRange ? flag.isRange : 0) |
    (block ? 0 : flag.isStray) |
    (isTooWide ? flag.isTooWide : 0) |
    (typeof contents === "string" ? 0 : flag.isNoEntry) |
    (isSigned ? 0 : flag.isForeign)
  );
}

function momentOf(at: string | undefined): number {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? unknown : ms;
}

/** Of a day that no calendar has, another one would be made. */
function isToldBy({ reason, by, at, via }: Required<Note>, ms: number): boolean {
  const isShort = reason.length <= longestText && by.length <= longestText && via.length <= longestText;
  const isOfAnyMonth = at.slice(8, 10) <= "28" && at.slice(11, 13) < "24";
  return isShort && ms !== unknown && (isOfAnyMonth || at === new Date(ms).toISOString());
}

function cut(text: string): string {
  return text.length <= longestText ? text : text.slice(0, longestText);
}
