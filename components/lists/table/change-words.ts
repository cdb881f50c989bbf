import { forHowLong } from "@/components/console/time-words.ts";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { Selection } from "../selection/selection.ts";

export function extendedWords(chosen: Selection, done: number, forMs: number | null): string {
  const what = subjectOf(chosen, done);
  if (done === 0) return "Nothing to extend";
  return forMs === null
    ? `${what} now ${done === 1 ? "never expires" : "never expire"}`
    : `${what} extended ${forHowLong(forMs).replace("for ", "by ")}`;
}

export function removedWords(list: ListName, chosen: Selection, done: number): string {
  return done === 0 ? "Nothing to remove" : `${subjectOf(chosen, done)} removed from the ${list}`;
}

/** Name of one entry, or the number of several. */
function subjectOf(chosen: Selection, done: number): string {
  const [only, another] = chosen.kind === "rows" ? chosen.entries.keys() : [];
  return only !== undefined && another === undefined ? only : countText(done);
}
