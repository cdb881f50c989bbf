import { type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import { type Note, readNote } from "./note.ts";
import type { ProtectedRange } from "./protected.ts";

export interface NeverBlockRange extends ProtectedRange {
  readonly note: Note;
}

/** Reads the never-block hash, which anybody may have written; what is no range protects nothing. */
export function readRanges(hash: ReadonlyMap<string, string>): {
  ranges: NeverBlockRange[];
  unreadable: string[];
} {
  const ranges: NeverBlockRange[] = [];
  const unreadable: string[] = [];
  for (const [text, value] of hash) {
    if (isCanonical(text)) ranges.push(readRange(text, readNote(value)));
    else unreadable.push(text);
  }
  return { ranges, unreadable };
}

function readRange(range: Ip | Cidr, note: Note): NeverBlockRange {
  const about = [note.by, note.reason].filter(Boolean).join(": ");
  return { range, note, why: `a never-block range${about && ` (${about})`}` };
}
