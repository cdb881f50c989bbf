import type { Happening } from "../../manage/alarms/happening.ts";
import type { FeedDefinition } from "../../manage/feeds/definition.ts";
import type { FeedState } from "../../manage/feeds/feed-state.ts";

/** One failure may pass. */
const leastTries = 2;

/** Feeds that fail, and feeds with contents that wait for a decision. */
export function feedStates(
  feeds: readonly FeedDefinition[],
  states: ReadonlyMap<string, FeedState>,
  now: number,
): Happening[] {
  return feeds.flatMap(({ id, name, isPaused, contents }) => {
    const { failing, held } = states.get(id) ?? {};
    if (isPaused) return [];
    const ranges = contents
      ? `The ${contents.ranges.toLocaleString("en-US")} current ranges stay in force`
      : "It has no ranges";
    const found: Happening[] = [];
    if (failing && failing.tries >= leastTries)
      found.push({
        ...{
          kind: "feed",
          cause: `feed ${id} failing`,
          title: `Feed ${name} fails`,
          path: "/feeds",
          at: now,
        },
        text: `${failing.tries} tries: ${failing.cause}. ${ranges}`,
      });
    if (held)
      found.push({
        ...{
          kind: "feed",
          cause: `feed ${id} held`,
          title: `Feed ${name} waits for a decision`,
          path: "/feeds",
        },
        ...{ text: `New contents differ by ${Math.abs(Math.round(held.percent))}%. ${ranges}`, at: now },
      });
    return found;
  });
}
