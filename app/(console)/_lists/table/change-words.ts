import { countText } from "../../../../components/ui/count-text.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { forHowLong } from "../time-words.ts";
import type { Selection } from "./selection.ts";

export function extendedWords(chosen: Selection, done: number, forMs: number | null): string {
  const what = subjectOf(chosen, done);
  if (done === 0) return "Nothing had to be extended";
  return forMs === null
    ? `${what} ${done === 1 ? "never expires" : "never expire"} now`
    : `${what} extended ${forHowLong(forMs).replace("for ", "by ")}`;
}

export function removedWords(list: ListName, chosen: Selection, done: number): string {
  return done === 0 ? "Nothing had to be removed" : `${subjectOf(chosen, done)} removed from the ${list}`;
}

/** One entry is named, several are counted. */
function subjectOf(chosen: Selection, done: number): string {
  const [only, another] = chosen.kind === "rows" ? chosen.entries.keys() : [];
  return only !== undefined && another === undefined ? only : countText(done);
}
