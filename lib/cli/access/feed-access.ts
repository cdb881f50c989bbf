import type * as z from "zod/mini";
import {
  changedFeedReply,
  feedHitsReply,
  feedReply,
  feedsReply,
  refreshedFeedReply,
} from "../../api/replies.ts";
import type { Environment } from "../../env.ts";
import { addFeed, changeFeed, decideHeld, type NewFeed, removeFeed } from "../../manage/feeds/change-feed.ts";
import { type FeedDefinition, readFeeds, requireFeed } from "../../manage/feeds/definition.ts";
import { parseSource, saySource } from "../../manage/feeds/feed-source.ts";
import { type FeedState, readStates } from "../../manage/feeds/feed-state.ts";
import { type RefreshOutcome, refreshFeed } from "../../manage/feeds/refresh.ts";
import { type FeedHits, readFeedHits } from "../../observe/feeds/feed-hits.ts";
import { Series } from "../../observe/stats/series.ts";
import { feedContextOf } from "../feed-words.ts";
import type { CommandSession, WritingSession } from "../session.ts";
import { type ApiSettings, askApi } from "./api-client.ts";
import { msOf } from "./api-values.ts";

export interface FeedReads {
  listFeeds(): Promise<ShownFeed[]>;
  /** By its id or its name. */
  findFeed(named: string): Promise<ShownFeed>;
  readFeedHits(id: string): Promise<Pick<FeedHits, "decided" | "shadowed">>;
}

export interface FeedWrites {
  /** @param feed with the source as it is typed */
  addFeed(feed: Omit<NewFeed, "source"> & { readonly source: string }): Promise<FeedRead>;
  refreshFeed(named: string): Promise<FeedRead>;
  changeFeed(input: FeedSwitch): Promise<ChangedFeed>;
  decideFeed(input: FeedDecision): Promise<ChangedFeed>;
  removeFeed(input: OneFeed): Promise<ChangedFeed>;
}

interface OneFeed {
  readonly named: string;
  readonly reason: string;
}

interface FeedSwitch extends OneFeed {
  readonly mode?: "enforce" | "shadow";
  readonly isPaused?: boolean;
}

interface FeedDecision extends OneFeed {
  readonly digest: string;
  readonly accept: boolean;
}

interface ChangedFeed {
  readonly id: string;
  readonly change: number | null;
}

/** What has become of a reading. */
export interface FeedRead {
  readonly feed: ShownFeed;
  readonly refreshed: FeedReading;
}

/** An outcome, as far as commands show it. */
export type FeedReading =
  | Extract<RefreshOutcome, { is: "unchanged" | "failed" }>
  | { readonly is: "changed"; readonly change: number | null; readonly contents: ContentsRow }
  | { readonly is: "held"; readonly contents: ContentsRow };

type ContentsRow = Pick<
  NonNullable<FeedDefinition["contents"]>,
  "digest" | "ranges" | "v4" | "v6" | "addresses" | "at" | "added" | "removed"
>;

/** A feed, as far as commands show it. */
export interface ShownFeed {
  readonly id: string;
  readonly name: string;
  readonly list: "safelist" | "blocklist";
  readonly mode: "enforce" | "shadow";
  readonly isPaused: boolean;
  /** In words, without secrets. */
  readonly source: string;
  readonly everyMs: number;
  readonly by: string;
  readonly at: string;
  readonly contents: ContentsRow | undefined;
  readonly held: ContentsRow | undefined;
  readonly failing: { readonly since: number; readonly tries: number; readonly cause: string } | undefined;
  /** Ms: the last reading that did not fail. */
  readonly okAt: number | undefined;
  /** What the last reading left out. */
  readonly left: FeedState["left"] | undefined;
  /** For --json. */
  readonly json: object;
}

export function redisFeedReads({ redis, now }: CommandSession): FeedReads {
  const withStates = async (feeds: readonly FeedDefinition[]) => {
    const states = await readStates(redis);
    return feeds.map((feed) => rowOf(feed, states.get(feed.id)));
  };
  return {
    listFeeds: async () => withStates(await readFeeds(redis)),
    async findFeed(named) {
      const feed = await requireFeed(redis, named);
      return rowOf(feed, (await readStates(redis)).get(feed.id));
    },
    async readFeedHits(id) {
      const source = { redis, series: new Series(redis) };
      const [hits] = await readFeedHits(source, [await requireFeed(redis, id)], now());
      return hits ?? { decided: 0, shadowed: 0 };
    },
  };
}

export function redisFeedWrites({ context, redis }: WritingSession, environment: Environment): FeedWrites {
  const ctx = feedContextOf(context, environment);
  return {
    async addFeed({ source, ...given }) {
      const { feed, refreshed } = await addFeed(ctx, { ...given, source: parseSource(source) });
      return { feed: { ...rowOf(feed, undefined), json: feed }, refreshed };
    },
    async refreshFeed(named) {
      const feed = await requireFeed(redis, named);
      const refreshed = await refreshFeed(ctx, feed);
      return { feed: rowOf(feed, undefined), refreshed };
    },
    async changeFeed({ named, ...changed }) {
      const { id } = await requireFeed(redis, named);
      return { id, ...(await changeFeed(ctx, { id, ...changed })) };
    },
    async decideFeed({ named, ...decision }) {
      const { id } = await requireFeed(redis, named);
      return { id, ...(await decideHeld(ctx, { id, ...decision })) };
    },
    async removeFeed({ named, reason }) {
      const { id } = await requireFeed(redis, named);
      return { id, ...(await removeFeed(ctx, { id, reason })) };
    },
  };
}

function rowOf(feed: FeedDefinition, state: FeedState | undefined): ShownFeed {
  const { id, name, list, mode, isPaused, everyMs, by, at, contents } = feed;
  const source = saySource(feed.source);
  return {
    ...{ id, name, list, mode, isPaused, source, everyMs, by, at, contents },
    ...{ held: state?.held?.contents, failing: state?.failing ?? undefined, okAt: state?.okAt ?? undefined },
    ...{ left: state?.left, json: { ...feed, source, state: state ?? null } },
  };
}

export function apiFeeds(api: ApiSettings): FeedReads & FeedWrites {
  const pathOf = (named: string) => `/feeds/${encodeURIComponent(named)}`;
  const changed = ({ feed, change }: z.output<typeof changedFeedReply>) => ({ id: feed.id, change });
  return {
    async listFeeds() {
      return (await askApi(api, { method: "GET", path: "/feeds", reply: feedsReply })).feeds.map(rowOfReply);
    },
    findFeed: async (named) =>
      rowOfReply(await askApi(api, { method: "GET", path: pathOf(named), reply: feedReply })),
    readFeedHits: (id) => askApi(api, { method: "GET", path: `${pathOf(id)}/hits`, reply: feedHitsReply }),
    async addFeed({ everyMs, keepMs, keysTtlMs, ...given }) {
      const times = {
        everySeconds: secondsOf(everyMs),
        keepSeconds: keepMs === null ? null : secondsOf(keepMs),
      };
      const body = {
        ...{ ...given, ...times },
        ...(keysTtlMs !== undefined && { keysSeconds: secondsOf(keysTtlMs) }),
      };
      return readOf(await askApi(api, { method: "POST", path: "/feeds", body, reply: refreshedFeedReply }));
    },
    async refreshFeed(named) {
      const path = `${pathOf(named)}/refresh`;
      return readOf(await askApi(api, { method: "POST", path, reply: refreshedFeedReply }));
    },
    changeFeed: async ({ named, ...body }) =>
      changed(await askApi(api, { method: "PUT", path: pathOf(named), body, reply: changedFeedReply })),
    decideFeed: async ({ named, ...body }) =>
      changed(
        await askApi(api, { method: "POST", path: `${pathOf(named)}/decide`, body, reply: changedFeedReply }),
      ),
    removeFeed: async ({ named, reason: why }) =>
      changed(
        await askApi(api, {
          ...{ method: "DELETE", path: pathOf(named), query: { reason: why }, reply: changedFeedReply },
        }),
      ),
  };
}

/** More than a feed may have, so it is refused. */
const tooManySeconds = 10_000_000_000;

const secondsOf = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms / 1_000) : tooManySeconds);

function readOf({ feed, outcome, cause = "", change }: z.output<typeof refreshedFeedReply>): FeedRead {
  const row = rowOfReply(feed);
  if (outcome === "failed") return { feed: row, refreshed: { is: outcome, cause } };
  if (outcome === "changed" && row.contents)
    return { feed: row, refreshed: { is: outcome, change, contents: row.contents } };
  if (outcome === "held" && row.held) return { feed: row, refreshed: { is: outcome, contents: row.held } };
  return { feed: row, refreshed: { is: "unchanged" } };
}

function rowOfReply(feed: z.output<typeof feedReply>): ShownFeed {
  const { everySeconds, contents, held, failing, readAt, left, ...same } = feed;
  return {
    ...{ ...same, everyMs: everySeconds * 1_000, contents: contents ?? undefined, held: held ?? undefined },
    failing: failing ? { ...failing, since: Date.parse(failing.since) } : undefined,
    ...{ okAt: msOf(readAt) ?? undefined, left: left ?? undefined, json: feed },
  };
}
