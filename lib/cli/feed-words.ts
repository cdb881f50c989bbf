import { formatDuration } from "../enforce/lists/entry.ts";
import type { Environment } from "../env.ts";
import { FeedSecrets } from "../manage/feeds/feed-secret.ts";
import { defaultFolder } from "../manage/feeds/fetch-source.ts";
import type { FeedContext } from "../manage/feeds/refresh.ts";
import type { ListContext } from "../manage/lists/change-entries.ts";
import { rangesIn } from "../observe/feeds/network-ranges.ts";
import { filesOf } from "../observe/networks/mmdb-setting.ts";
import { Networks } from "../observe/networks/networks.ts";
import type { FeedReading, ShownFeed } from "./access/feed-access.ts";

/** What reading a feed takes. */
export function feedContextOf<Context extends ListContext>(
  context: Context,
  env: Environment,
): Context & FeedContext {
  return {
    ...context,
    secrets: new FeedSecrets(env.secret ?? ""),
    fetching: { folder: env.feedFiles ?? defaultFolder },
    networkRanges: rangesIn(() => new Networks({ files: filesOf(env.mmdb) })),
  };
}

const count = (value: number) => value.toLocaleString("en-US");

/** What became of a refresh. */
export function sayRefresh({ id, contents }: ShownFeed, outcome: FeedReading): string {
  if (outcome.is === "unchanged") return `The feed ${id} has not changed.`;
  if (outcome.is === "failed") return `The feed ${id} was not refreshed. ${outcome.cause}`;
  const { ranges, added, removed } = outcome.contents;
  const numbers = `${count(ranges)} ranges, +${count(added)} / -${count(removed)}`;
  if (outcome.is === "changed") return `The feed ${id} has ${numbers}.`;
  return `The new contents of the feed ${id} (${numbers}) wait for a decision: the ${count(contents?.ranges ?? 0)} current ranges stay in force. Run sluice feed accept ${id}, or sluice feed keep ${id}.`;
}

/** One line of a list. */
export function sayFeed(feed: ShownFeed, now: number): string {
  const { id, list, mode, contents, source } = feed;
  const ranges = `${count(contents?.ranges ?? 0)} ranges`;
  const kind = `${list}${mode === "shadow" ? ", shadow" : ""}`;
  return `${id.padEnd(24)} ${kind.padEnd(18)} ${ranges.padEnd(18)} ${sayState(feed, now).padEnd(30)} ${source}`;
}

function sayState({ isPaused, held, failing, okAt }: ShownFeed, now: number): string {
  if (isPaused) return "paused";
  if (held) return "waits for a decision";
  if (failing) return `fails since ${new Date(failing.since).toISOString()}`;
  return okAt ? `in sync, read ${formatDuration(now - okAt)} ago` : "not read yet";
}
