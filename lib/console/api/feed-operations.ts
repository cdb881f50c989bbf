import { z } from "zod";
import {
  changedFeedReply,
  feedHitsReply,
  feedReply,
  feedsReply,
  refreshedFeedReply,
} from "../../api/replies.ts";
import { DomainError } from "../../errors.ts";
import { addFeed, changeFeed, decideHeld, removeFeed } from "../../manage/feeds/change-feed.ts";
import {
  type ContentsFacts,
  type FeedDefinition,
  readFeeds,
  requireFeed,
} from "../../manage/feeds/definition.ts";
import { parseSource, saySource } from "../../manage/feeds/feed-source.ts";
import { type FeedState, readStates } from "../../manage/feeds/feed-state.ts";
import { type RefreshOutcome, refreshFeed } from "../../manage/feeds/refresh.ts";
import { readFeedHits } from "../../observe/feeds/feed-hits.ts";
import { feedContext } from "../feeds/feed-context.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { none, reason } from "./fields.ts";
import { type ApiContext, operation } from "./operation.ts";

const tag = "Feeds";
const reading = { tag, action: "api.read", needs: "read" } as const;
const writing = { tag, needs: "feeds", isWrite: true } as const;
const unknown = { 404: "There is no such feed." };
const one = {
  params: z.strictObject({ feed: z.string().max(60).describe("Its id, or its name.") }),
  query: none,
};

const source = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .describe(
    "https://…, file:///…, AS64500 or country:DE. Passwords and tokens of a URL are never shown again.",
  );
const column = z.union([z.int().min(1).max(999), z.string().max(100)]);
const seconds = z.int().min(1);
const terms = {
  mode: z.enum(["enforce", "shadow"]),
  everySeconds: seconds.describe("How often it is read."),
  keepSeconds: z.nullable(seconds).describe("How long the last contents stay while it fails. Null: no end."),
  holdPercent: z.number().describe("A refresh that changes more waits for a decision."),
  isWideConfirmed: z.boolean().describe("Take ranges wider than /24 (IPv6 /48), too."),
  keysSeconds: z.nullable(seconds).describe("Life of its `blocklist:` keys. Null: it has none."),
  header: z.string().max(100).describe("Header that carries the API key."),
  apiKey: z.string().min(1).max(4_000).describe("Never shown again."),
};

export const feedOperations = [
  operation({
    ...{ method: "GET", path: "/feeds", id: "listFeeds", ...reading },
    summary: "All feeds, with their state",
    about: "URLs have … in place of secrets. Keys are never shown.",
    ...{ params: none, query: none, reply: feedsReply },
    async run({ redis }) {
      const [feeds, states] = await Promise.all([readFeeds(redis), readStates(redis)]);
      return { body: { feeds: feeds.map((feed) => bodyOf(feed, states.get(feed.id))) } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/feeds", id: "addFeed", ...writing, action: "feed.add" },
    summary: "Add a feed, in shadow unless `mode` says otherwise, and read it",
    about: "A feed that cannot be read is added all the same, and is tried again.",
    ...{ params: none, query: none, reply: refreshedFeedReply },
    body: z.strictObject({
      ...{ name: z.string().trim().min(1).max(60), source, column: column.optional(), reason },
      list: z.enum(["safelist", "blocklist"]).default("blocklist"),
      mode: terms.mode.default("shadow"),
      everySeconds: terms.everySeconds.default(3_600),
      keepSeconds: terms.keepSeconds.default(604_800),
      holdPercent: terms.holdPercent.default(50),
      isWideConfirmed: terms.isWideConfirmed.default(false),
      keysSeconds: terms.keysSeconds.default(null),
      ...{ header: terms.header.optional(), apiKey: terms.apiKey.optional() },
    }),
    async run(ctx, { body: { source, everySeconds, keepSeconds, keysSeconds, ...given } }) {
      const { feed, change, refreshed } = await addFeed(contextOf(ctx), {
        ...{ ...given, source: parseSource(source), everyMs: everySeconds * 1_000 },
        ...{ keepMs: msOf(keepSeconds), keysTtlMs: msOf(keysSeconds) ?? undefined },
      });
      const shown = ctx.isDryRun ? bodyOf(feed, undefined) : await shownFeed(ctx, feed.id);
      const body = { feed: shown, ...outcomeOf(refreshed, change), dryRun: ctx.isDryRun };
      return { body, status: ctx.isDryRun ? 200 : 201 };
    },
  }),
  operation({
    ...{ method: "GET", path: "/feeds/{feed}", id: "getFeed", ...reading, ...one, reply: feedReply },
    summary: "One feed",
    refusals: unknown,
    run: async (ctx, { params: { feed } }) => ({ body: await shownFeed(ctx, feed) }),
  }),
  operation({
    ...{ method: "GET", path: "/feeds/{feed}/hits", id: "getFeedHits", ...reading, ...one },
    ...{ reply: feedHitsReply, refusals: unknown },
    summary: "Requests of the last 24 h that a feed decided, or would have blocked in shadow",
    about: "Nodes keep a feed among their busiest entries, so few hits may be missing.",
    async run(ctx, { params: { feed: named } }) {
      const feed = await requireKnown(ctx, named);
      const source = { redis: ctx.redis, series: theStatistics().series };
      const [hits] = await readFeedHits(source, [feed], await redisNowMs());
      return { body: { id: feed.id, decided: hits?.decided ?? 0, shadowed: hits?.shadowed ?? 0 } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/feeds/{feed}", id: "changeFeed", ...writing, action: "feed.change", ...one },
    summary: "Change, pause or resume a feed",
    about:
      "What is left out stays. A feed with a new source is read at once. An empty header removes the key.",
    ...{ reply: changedFeedReply, refusals: unknown },
    body: z.strictObject({
      ...z.object(terms).partial().shape,
      ...{ source: source.optional(), column: column.optional(), reason },
      isPaused: z.boolean().optional(),
    }),
    async run(ctx, { params: { feed: named }, body }) {
      const { source, everySeconds, keepSeconds, keysSeconds, ...given } = body;
      const { id } = await requireKnown(ctx, named);
      const { change, feed } = await changeFeed(contextOf(ctx), {
        ...{ ...given, id, source: source === undefined ? undefined : parseSource(source) },
        ...(everySeconds !== undefined && { everyMs: everySeconds * 1_000 }),
        ...(keepSeconds !== undefined && { keepMs: msOf(keepSeconds) }),
        ...(keysSeconds !== undefined && { keysTtlMs: msOf(keysSeconds) }),
      });
      const shown = ctx.isDryRun ? bodyOf(feed, undefined) : await shownFeed(ctx, id);
      return { body: { feed: shown, change, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/feeds/{feed}", id: "removeFeed", ...writing, action: "feed.remove" },
    summary: "Remove a feed and everything that it has",
    about: "For 8 days this can be undone from the audit log.",
    ...{ params: one.params, query: z.strictObject({ reason }), reply: changedFeedReply, refusals: unknown },
    async run(ctx, { params: { feed: named }, query: { reason } }) {
      const feed = await shownFeed(ctx, named);
      const { change } = await removeFeed(ctx, { id: feed.id, reason });
      return { body: { feed, change, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/feeds/{feed}/refresh", id: "refreshFeed", ...writing, ...one },
    ...{ action: "feed.refresh", reply: refreshedFeedReply, refusals: unknown },
    summary: "Read a feed now",
    about: "There is no dry run: what a source has is known when it is read.",
    async run(ctx, { params: { feed: id } }) {
      if (ctx.isDryRun)
        throw new DomainError("bad-input", "A refresh has no dry run.", { dryRun: "leave it out" });
      const outcome = await refreshFeed(contextOf(ctx), await requireKnown(ctx, id));
      const feed = await shownFeed(ctx, id);
      return { body: { feed, ...outcomeOf(outcome, null), dryRun: false } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/feeds/{feed}/decide", id: "decideFeed", ...writing, ...one },
    ...{ action: "feed.decide", reply: changedFeedReply, refusals: unknown },
    summary: "Accept new contents that wait for a decision, or keep those in force",
    body: z.strictObject({
      digest: z.string().max(64).describe("`held.digest` of the feed: what the decision is about."),
      accept: z.boolean(),
      reason,
    }),
    async run(ctx, { params: { feed: named }, body }) {
      const { id } = await requireKnown(ctx, named);
      const { change } = await decideHeld(ctx, { id, ...body });
      return { body: { feed: await shownFeed(ctx, id), change, dryRun: ctx.isDryRun } };
    },
  }),
];

function contextOf(ctx: ApiContext) {
  return { ...feedContext(), ...ctx };
}

const msOf = (seconds: number | null) => (seconds === null ? null : seconds * 1_000);
const secondsOf = (ms: number | null | undefined) => (ms == null ? null : ms / 1_000);

const requireKnown = ({ redis }: ApiContext, named: string) => requireFeed(redis, named);

async function shownFeed(ctx: ApiContext, named: string) {
  const [feed, states] = await Promise.all([requireKnown(ctx, named), readStates(ctx.redis)]);
  return bodyOf(feed, states.get(feed.id));
}

function outcomeOf(outcome: RefreshOutcome, added: number | null) {
  const change = outcome.is === "changed" ? (outcome.change ?? added) : added;
  return { outcome: outcome.is, change, ...(outcome.is === "failed" && { cause: outcome.cause }) };
}

function bodyOf(feed: FeedDefinition, state: FeedState | undefined) {
  const { id, name, list, source, column, mode, isPaused, isWideConfirmed, holdPercent, by, at } = feed;
  const { failing, held } = state ?? {};
  return {
    ...{ id, name, list, source: saySource(source), mode, isPaused, isWideConfirmed, holdPercent, by, at },
    ...{ header: (source.kind === "url" && source.header) || null, column: column ?? null },
    ...{ everySeconds: feed.everyMs / 1_000, keepSeconds: secondsOf(feed.keepMs) },
    keysSeconds: secondsOf(feed.keysTtlMs),
    contents: feed.contents ? factsOf(feed.contents) : null,
    held: held ? factsOf(held.contents) : null,
    failing: failing ? { ...failing, since: new Date(failing.since).toISOString() } : null,
    ...{ readAt: state?.okAt ? new Date(state.okAt).toISOString() : null, left: state?.left ?? null },
  };
}

function factsOf({ digest, ranges, v4, v6, addresses, at, added, removed }: ContentsFacts) {
  return { digest, ranges, v4, v6, addresses, at, added, removed };
}
