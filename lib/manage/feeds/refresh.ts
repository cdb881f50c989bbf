import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { type Block, format } from "../../ip/block.ts";
import type { PackedRanges } from "../../ip/packed-ranges.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { commit } from "../audit/commit.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { type ContentsFacts, type FeedDefinition, parseFeed, writeFeed } from "./definition.ts";
import {
  blocksOf,
  contentsOf,
  dropHeld,
  exemptOf,
  factsOf,
  hasContents,
  keepHeld,
  keepNamed,
  keptMs,
  unusedMs,
} from "./feed-contents.ts";
import { keepKeys } from "./feed-keys.ts";
import { type FeedSecret, readSecret, type SecretContext } from "./feed-secret.ts";
import type { FeedSource } from "./feed-source.ts";
import { type FeedState, newState, readStates, writeState } from "./feed-state.ts";
import { type FetchSettings, fetchSource } from "./fetch-source.ts";
import { type FeedContents, readFeed } from "./read-feed.ts";

/** Ranges of an AS or a country, as the console's data on networks have them. */
export type NetworkRanges = (
  source: Extract<FeedSource, { kind: "as" | "country" }>,
) => Promise<{ readonly blocks: AsyncIterable<Block> | Iterable<Block>; readonly madeAt: string }>;

export interface FeedContext extends ListContext, SecretContext {
  readonly fetching: FetchSettings;
  readonly networkRanges: NetworkRanges;
}

export type RefreshOutcome =
  | { readonly is: "unchanged" }
  | { readonly is: "changed"; readonly change: number | null; readonly contents: ContentsFacts }
  /** The change is so large that a person decides. */
  | { readonly is: "held"; readonly contents: ContentsFacts }
  | { readonly is: "failed"; readonly cause: string };

export interface ReadSource {
  readonly contents: FeedContents;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

const retryMs = 60_000;
/** A file is looked at this often: that costs nothing. */
const fileEveryMs = 10_000;

/** A server may always say that nothing has changed: what it has is asked for without conditions once a day, or each second time. */
const longestConditionalMs = ({ everyMs }: FeedDefinition) => Math.max(24 * 3_600_000, 1.5 * everyMs);

/** Reads a feed, and puts what it has in force, unless too much of it has changed. */
export async function refreshFeed(ctx: FeedContext, feed: FeedDefinition): Promise<RefreshOutcome> {
  const before = (await readStates(ctx.redis)).get(feed.id) ?? newState;
  const now = await redisNow(ctx.redis);
  try {
    const isHere = await hasContents(ctx.redis, feed);
    const isHeldKept = await keepHeld(ctx.redis, feed.id, before.held);
    const isConditional = isHere && isHeldKept && now - before.readAt < longestConditionalMs(feed);
    const read = await readSource(ctx, feed, isConditional ? before : newState);
    const checked = { ...before, checkedAt: now, okAt: now, failing: null, nextAt: nextAt(feed, now) };
    if (!read) {
      await note(ctx, feed, checked);
      return { is: "unchanged" };
    }
    const { contents, etag, lastModified } = read;
    const left = { wide: contents.wideCount, tooWide: contents.tooWideCount, unread: contents.unreadCount };
    return await take(ctx, feed, contents.ranges, { ...checked, readAt: now, etag, lastModified, left });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return await fail(ctx, feed, { before, now, cause: error.message });
  }
}

/** Notes a refresh that ended with an unexpected error, so that the feed has its turn again later. */
export async function noteFailure(
  ctx: FeedContext,
  feed: FeedDefinition,
  cause: string,
): Promise<RefreshOutcome> {
  const before = (await readStates(ctx.redis)).get(feed.id) ?? newState;
  return fail(ctx, feed, { before, now: await redisNow(ctx.redis), cause });
}

/** Undefined where the source has not changed. @param given instead of what Redis has of the feed */
export async function readSource(
  { fetching, networkRanges, ...ctx }: Pick<FeedContext, "secrets" | "redis" | "fetching" | "networkRanges">,
  feed: Pick<FeedDefinition, "id" | "source" | "column" | "isWideConfirmed" | "secret">,
  { etag, lastModified }: Pick<FeedState, "etag" | "lastModified">,
  given?: FeedSecret,
): Promise<ReadSource | undefined> {
  const { source } = feed;
  if (source.kind === "as" || source.kind === "country") {
    const { blocks, madeAt } = await networkRanges(source);
    if (madeAt === lastModified) return undefined;
    return { contents: await readFeed(linesOf(blocks), feed), etag: null, lastModified: madeAt };
  }
  const { apiKey, url } = given ?? (await readSecret(ctx, feed));
  const whole = source.kind === "url" && url !== undefined ? { ...source, url } : source;
  const found = await fetchSource(whole, { etag, lastModified, apiKey }, fetching);
  if (found.is === "unchanged") return undefined;
  const { pieces, ...validators } = found;
  return {
    contents: await readFeed(pieces, feed),
    etag: validators.etag,
    lastModified: validators.lastModified,
  };
}

async function* linesOf(blocks: AsyncIterable<Block> | Iterable<Block>): AsyncGenerator<string> {
  for await (const block of blocks) yield `${format(block)}\n`;
}

async function take(
  ctx: FeedContext,
  feed: FeedDefinition,
  read: PackedRanges,
  state: FeedState,
): Promise<RefreshOutcome> {
  const exempt = exemptOf(feed.exempt, ctx);
  const ranges = read.without(blocksOf(exempt));
  if (ranges.size === 0 && !feed.contents)
    return fail(ctx, feed, { before: state, now: state.checkedAt, cause: "The feed has no address." });
  const before = await contentsOf(ctx.redis, feed.id, feed.contents?.digest);
  const { facts, bytes } = await factsOf(ranges, before, state.checkedAt);
  const { digest } = facts;
  const { held, ...rest } = state;
  if ((digest === feed.contents?.digest && before) || digest === feed.rejected) {
    if (await note(ctx, feed, { ...rest, held: null })) await dropHeld(ctx.redis, feed, held);
    return { is: "unchanged" };
  }
  await ctx.redis.set(keys.feedContents(feed.id, digest), Buffer.from(bytes), "PX", unusedMs);
  const percent = feed.contents ? changedPercent(feed.contents, facts, before !== undefined) : 0;
  if (Math.abs(percent) > feed.holdPercent) {
    await ctx.redis.pexpire(keys.feedContents(feed.id, digest), keptMs);
    const widest = await widestAdded(ranges, before);
    const isNoted = await note(ctx, feed, { ...rest, held: { contents: facts, percent, widest } });
    if (!isNoted) return { is: "unchanged" };
    await dropHeld(ctx.redis, feed, held, digest);
    return { is: "held", contents: facts };
  }
  const done = await putInForce(ctx, feed, facts, {
    ...{ action: "feed.refresh", reason: "", state: { ...rest, held: null }, isLost: before === undefined },
  });
  if (!done) return { is: "unchanged" };
  await dropHeld(ctx.redis, feed, held, digest);
  return { is: "changed", change: done.change, contents: facts };
}

interface InForceTerms {
  readonly action: string;
  readonly reason: string;
  /** Of the feed after it. */
  readonly state: FeedState;
  /** Redis had lost the contents in force: nodes read them again where the digest is the same, too. */
  readonly isLost?: boolean;
}

/**
 * Writes the definition that names these contents, with the audit record, and its state. The contents before are kept, those before
 * them go. Undefined where the feed is not what was read: then nothing is written.
 * @param contents without what `exemptOf` gives for this feed
 */
export async function putInForce(
  ctx: ListContext,
  read: FeedDefinition,
  contents: ContentsFacts,
  { action, reason, state, isLost = false }: InForceTerms,
): Promise<{ readonly change: number | null } | undefined> {
  const { id } = read;
  const { change, decision } = await commit(ctx, {
    ...{ action, reason, slots: [slotOfFeed(id)] },
    decide({ slots }) {
      const feed = parseFeed(id, at(slots, 0).value);
      if (!feed || !isAsRead(feed, read)) return { feed: undefined, writes: [] };
      const isSame = feed.contents?.digest === contents.digest;
      if (isSame && !isLost) return { feed, next: feed, writes: [] };
      const { contents: replaced, previous: kept, rejected: _, ...rest } = feed;
      const previous = isSame ? kept : replaced;
      const exempt = exemptOf(feed.exempt, ctx);
      const next: FeedDefinition = { ...rest, exempt, contents, ...(previous && { previous }) };
      return { feed, next, writes: [{ slot: 0, to: { value: writeFeed(next), expiresAt: null } }] };
    },
  });
  const { feed, next } = decision;
  if (!feed) return undefined;
  if (ctx.isDryRun) return { change };
  const { previous } = feed;
  const kept = new Set([contents.digest, next.previous?.digest]);
  await ctx.redis.persist(keys.feedContents(id, contents.digest));
  if (previous && !kept.has(previous.digest)) await ctx.redis.del(keys.feedContents(id, previous.digest));
  await note(ctx, next, state);
  await keepKeys(ctx, id);
  return { change };
}

/** Whether all that decides what a refresh may bring is as it was read. */
export function isAsRead(feed: FeedDefinition, read: FeedDefinition): boolean {
  const termsOf = (one: FeedDefinition) => {
    const { list, source, column, secret, isWideConfirmed, isPaused, exempt, rejected, contents } = one;
    const digest = contents?.digest;
    return { list, source, column, secret, isWideConfirmed, isPaused, exempt, rejected, digest };
  };
  return isDeepStrictEqual(termsOf(feed), termsOf(read));
}

/** Writes how a refresh went. False where the feed is not what was read: then it says nothing of the feed. */
function note({ redis }: ListContext, read: FeedDefinition, state: FeedState): Promise<boolean> {
  return writeState(redis, read.id, state, (feed) => isAsRead(feed, read));
}

export const slotOfFeed = (id: string) => ({ key: keys.feeds(), field: id, target: id });

async function fail(
  ctx: FeedContext,
  feed: FeedDefinition,
  { before, now, cause }: { readonly before: FeedState; readonly now: number; readonly cause: string },
): Promise<RefreshOutcome> {
  const since = before.failing?.since ?? now;
  const tries = (before.failing?.tries ?? 0) + 1;
  const rest = Math.min(feed.everyMs, retryMs * 2 ** Math.min(tries - 1, 6));
  const failing = { since, tries, cause: cause.slice(0, 300) };
  await note(ctx, feed, { ...before, checkedAt: now, failing, nextAt: now + jittered(rest) });
  const isOver = feed.keepMs !== null && feed.contents && now > since + feed.keepMs;
  if (isOver) await dropContents(ctx, feed);
  return { is: "failed", cause };
}

/** A feed that has failed for too long says nothing of today. */
async function dropContents(ctx: ListContext, read: FeedDefinition): Promise<void> {
  const { id } = read;
  const { decision } = await commit(ctx, {
    ...{ action: "feed.expire", reason: "", slots: [slotOfFeed(id)] },
    decide({ slots }) {
      const feed = parseFeed(id, at(slots, 0).value);
      if (!feed?.contents || !isAsRead(feed, read)) return { writes: [] };
      const { contents: previous, ...rest } = feed;
      const next: FeedDefinition = { ...rest, previous };
      return { feed, next, writes: [{ slot: 0, to: { value: writeFeed(next), expiresAt: null } }] };
    },
  });
  const { feed, next } = decision;
  if (next) await keepNamed(ctx.redis, feed, next);
  await keepKeys(ctx, id);
}

/**
 * By the number of ranges or of addresses, whichever changed more, as one range may have a million addresses; and by the ranges
 * that were added or removed, as others may replace all.
 * @param isCompared false where Redis has lost the contents before: all ranges count as added then
 */
function changedPercent(before: ContentsFacts, after: ContentsFacts, isCompared: boolean): number {
  const by = (of: (facts: ContentsFacts) => number) => {
    const [was, is] = [of(before), of(after)];
    return was === 0 ? (is === 0 ? 0 : 100) : ((is - was) / was) * 100;
  };
  const share = (count: number) => (isCompared && before.ranges > 0 ? (count / before.ranges) * 100 : 0);
  const changes = [
    ...[by(({ ranges }) => ranges), by(({ addresses }) => addresses), by((one) => one.v6Networks)],
    ...[share(after.added), -share(after.removed)],
  ];
  return Math.round(changes.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most)));
}

/** By the addresses of a range; of IPv6, networks of 64 bits count as addresses. */
async function widestAdded(after: PackedRanges, before: PackedRanges | undefined): Promise<string | null> {
  const breathe = breathing();
  let widest: Block | undefined;
  let count = 0;
  const free = ({ family, length }: Block) => (family === 4 ? 32 : 64) - length;
  for (const block of after) {
    if ((!widest || free(block) > free(widest)) && !before?.covering(block)) widest = block;
    if (++count % widestAtOnce === 0) await breathe();
  }
  return widest ? format(widest) : null;
}

/** Ranges that are looked up before other work may run: below 5 ms. */
const widestAtOnce = 5_000;

function nextAt({ source, everyMs }: FeedDefinition, now: number): number {
  return now + (source.kind === "file" ? Math.min(fileEveryMs, everyMs) : jittered(everyMs));
}

/** Consoles and feeds of many installations must not ask at the same moment. */
function jittered(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() * 0.2));
}
