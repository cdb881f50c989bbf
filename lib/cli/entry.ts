import type { Entry } from "../lists/list.ts";
import type { Match } from "../lists/search.ts";
import { isoOrNull, left, moment } from "./moment.ts";
import { printable } from "./printable.ts";

const longestCell = 80;

/** Address, until, left, by, reason: checked before they are aligned, since what is spelled out is longer. */
export function entryRow({ address, expiresAt, note, ...rest }: Entry | Match, now: number): string[] {
  const disobeyed = "disobeyed" in rest ? `NOT OBEYED, ${rest.disobeyed}. ` : "";
  const end = expiresAt === null ? "-" : moment(expiresAt);
  return [address, end, left(expiresAt, now), cell(note.by ?? "-"), `${disobeyed}${cell(note.reason)}`];
}

export function entryToJson({ list, address, expiresAt, note, ...rest }: Entry | Match) {
  const disobeyed = "disobeyed" in rest ? { disobeyed: rest.disobeyed } : {};
  return { list, address, expiresAt: isoOrNull(expiresAt), ...note, ...disobeyed };
}

function cell(text: string): string {
  const safe = printable(text);
  return safe.length > longestCell ? `${safe.slice(0, longestCell - 1)}…` : safe;
}
