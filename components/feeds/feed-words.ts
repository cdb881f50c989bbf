import { countText, momentText, relativeTime } from "@/components/ui/value-text.ts";
import type { FeedRow, FeedsReply } from "@/lib/queries/feeds.ts";

export const filters = ["all", "held", "failing", "safelist", "no hits"] as const;
export type FeedFilter = (typeof filters)[number];

export const filterNames: Readonly<Record<FeedFilter, string>> = {
  all: "All",
  held: "Waiting for you",
  failing: "Failing",
  safelist: "Safelist",
  "no hits": "No hits in 24 h",
};

export function isShown({ held, failing, list, hits, isPaused }: FeedRow, filter: FeedFilter): boolean {
  if (filter === "held") return held !== null;
  if (filter === "failing") return failing !== null && !isPaused;
  if (filter === "safelist") return list === "safelist";
  if (filter === "no hits") return hits?.count === 0;
  return true;
}

/** Those that need a person first, then by name. */
export function inOrder(feeds: readonly FeedRow[]): FeedRow[] {
  const rank = ({ held, failing, isPaused }: FeedRow) => (held ? 0 : failing && !isPaused ? 1 : 2);
  return feeds.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** "7 feeds · 11,076 ranges enforced, 24,602 in shadow". */
export function sayFeeds({ feeds }: FeedsReply): string {
  const active = feeds.filter(({ isPaused }) => !isPaused);
  const ranges = (mode: FeedRow["mode"]) =>
    active
      .filter((feed) => feed.mode === mode)
      .reduce((sum, { contents }) => sum + (contents?.ranges ?? 0), 0);
  const count = `${countText(feeds.length)} ${feeds.length === 1 ? "feed" : "feeds"}`;
  return `${count} · ${countText(ranges("enforce"))} ranges enforced, ${countText(ranges("shadow"))} in shadow`;
}

/** What the last refresh changed, or the one that waits. */
export function sayChange({ held, contents }: FeedRow): string {
  const of = held?.contents ?? contents;
  return of ? `+${countText(of.added)} / −${countText(of.removed)}` : "–";
}

export function sayNext({ isPaused, held, nextAt }: FeedRow, now: number): string {
  if (isPaused) return "paused";
  if (held) return "held";
  if (nextAt === null) return "soon";
  return nextAt <= now ? "now" : relativeTime(nextAt, now);
}

/** "New contents are held for review: 18,204 ranges instead of 7,585, a change of 140%" */
export function sayHeld({ held, contents }: FeedRow): string {
  if (!held) return "";
  const [now, next] = [contents?.ranges ?? 0, held.contents.ranges];
  return `New contents are held for review: ${countText(next)} ranges instead of ${countText(now)}, a change of ${countText(Math.abs(held.percent))}%`;
}

export function sayFailing({ failing, contents, keepMs }: FeedRow, now: number): string {
  if (!failing) return "";
  const { since, tries } = failing;
  const rest =
    contents === null
      ? "It has no contents."
      : `The last contents (${countText(contents.ranges)} ranges) stay in force${keepMs === null ? "" : ` until ${momentText(since + keepMs, now)}`}.`;
  return `Refresh fails since ${momentText(since, now)}, ${countText(tries)} ${tries === 1 ? "try" : "tries"}. ${rest}`;
}

/** Keys that programs without feeds read. */
export function sayKeys({ count, left, problem }: NonNullable<FeedRow["keys"]>): string {
  if (problem !== null) return `It has no blocklist: keys: ${problem}.`;
  const rest =
    left === 0 ? "" : ` ${countText(left)} ranges have none: protected, safelisted, or of another author.`;
  return `Also written as ${countText(count)} blocklist: ${count === 1 ? "key" : "keys"}.${rest}`;
}
