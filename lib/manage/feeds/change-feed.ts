import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import type { ListName } from "../../redis/keys.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { ListContext } from "../lists/change-entries.ts";
import {
  checkLength,
  type FeedDefinition,
  idOf,
  mostFeeds,
  parseFeed,
  requireFeed,
  writeFeed,
} from "./definition.ts";
import { dropHeld, exemptOf, keepHeld, keepNamed, unusedMs, withoutExempt } from "./feed-contents.ts";
import { keepKeys } from "./feed-keys.ts";
import { storeSecret } from "./feed-secret.ts";
import type { WrittenSource } from "./feed-source.ts";
import { type FeedState, readStates, writeState } from "./feed-state.ts";
import { changedTerms, checkTerms, type FeedChange, requireWhole, withHeader } from "./feed-terms.ts";
import {
  type FeedContext,
  isAsRead,
  putInForce,
  type RefreshOutcome,
  refreshFeed,
  slotOfFeed,
} from "./refresh.ts";

export interface NewFeed {
  readonly name: string;
  readonly list: ListName;
  readonly source: WrittenSource;
  /** Name of the header that carries the API key. */
  readonly header?: string | undefined;
  readonly column?: number | string | undefined;
  readonly mode: FeedDefinition["mode"];
  readonly everyMs: number;
  readonly keepMs: number | null;
  readonly holdPercent: number;
  readonly isWideConfirmed: boolean;
  readonly apiKey?: string | undefined;
  /** Life of its `blocklist:` keys. Undefined: it has none. */
  readonly keysTtlMs?: number | undefined;
  readonly reason: string;
}

/** Adds a feed, and reads it for the first time. A feed that cannot be read is added all the same, and is tried again. */
export async function addFeed(
  ctx: FeedContext,
  given: NewFeed,
): Promise<{
  readonly feed: FeedDefinition;
  readonly change: number | null;
  readonly refreshed: RefreshOutcome;
}> {
  const { reason, apiKey, list, column, mode, everyMs, keepMs, holdPercent, isWideConfirmed, keysTtlMs } =
    given;
  const name = given.name.trim();
  const id = idOf(name);
  checkReason(reason);
  const source = withHeader(given.source.source, given.header);
  requireWhole(source, given.source);
  checkTerms({ source, list, everyMs, keepMs, holdPercent, apiKey, keysTtlMs });
  const foreseen: FeedDefinition = {
    ...{ id, name, list, source, ...(column !== undefined && { column }), mode },
    ...{ isPaused: false, everyMs, keepMs, holdPercent, isWideConfirmed, exempt: exemptOf([], ctx) },
    ...(keysTtlMs !== undefined && { keysTtlMs }),
    ...{ by: ctx.actor.name, at: new Date(0).toISOString() },
  };
  checkLength(foreseen);
  const secret = await storeSecret(ctx, id, { apiKey, url: given.source.url }, unusedMs);
  const { change, decision } = await commit(ctx, {
    ...{ action: "feed.add", reason, slots: [slotOfFeed(id)], hashes: [keys.feeds()] },
    decide({ now, slots, hashes }) {
      if (at(slots, 0).kind !== "none")
        throw new DomainError("bad-input", `There is a feed ${id} already.`, { name: "is taken" });
      if (at(hashes, 0).size >= mostFeeds)
        throw new DomainError("bad-input", `There are ${mostFeeds} feeds already. Remove one first.`);
      const feed = { ...foreseen, ...(secret !== undefined && { secret }), at: new Date(now).toISOString() };
      return { feed, writes: [{ slot: 0, to: { value: writeFeed(feed), expiresAt: null } }] };
    },
  });
  const { feed } = decision;
  if (ctx.isDryRun) return { feed, change, refreshed: { is: "unchanged" } };
  await keepNamed(ctx.redis, undefined, feed);
  await ctx.redis.hdel(keys.feedStates(), id);
  return { feed, change, refreshed: await refreshFeed(ctx, feed) };
}

/** Changes how a feed is read or enforced. */
export async function changeFeed(
  ctx: FeedContext,
  { id, reason, ...changed }: FeedChange & { readonly id: string; readonly reason: string },
): Promise<{
  readonly change: number | null;
  readonly feed: FeedDefinition;
  /** Undefined where it was not read again. */
  readonly refreshed: RefreshOutcome | undefined;
}> {
  checkReason(reason);
  const { change, feed, isReadAgain } = await untilWritten(() => writeChange(ctx, id, changed, reason));
  let refreshed: RefreshOutcome | undefined;
  if (change !== null && isReadAgain) {
    // What was answered before says nothing of the new terms.
    await ctx.redis.hdel(keys.feedStates(), id);
    refreshed = await refreshFeed(ctx, feed);
  }
  if (change !== null) await keepKeys(ctx, id);
  return { change, feed, refreshed };
}

/** Undefined where the feed was changed since it was read. */
async function writeChange(ctx: FeedContext, id: string, changed: FeedChange, reason: string) {
  const read = await requireFeed(ctx.redis, id);
  const terms = await changedTerms(ctx, read, changed);
  const exempt = exemptOf(read.exempt, ctx);
  const contents =
    read.contents &&
    (ctx.isDryRun ? read.contents : await withoutExempt(ctx.redis, id, read.contents, exempt));
  const feed: FeedDefinition = { ...terms, exempt, ...(contents && { contents }) };
  const isNothing = isDeepStrictEqual(terms, read);
  const { change, decision } = await commit(ctx, {
    ...{ action: actionOf(changed), reason, slots: [slotOfFeed(id)] },
    decide({ slots }) {
      const found = parseFeed(id, at(slots, 0).value);
      if (!found) throw new DomainError("not-found", `There is no feed ${id}.`);
      if (writeFeed(found) !== writeFeed(read)) return { isAsRead: false, writes: [] };
      const to = { value: writeFeed(feed), expiresAt: null };
      return { isAsRead: true, writes: isNothing ? [] : [{ slot: 0, to }] };
    },
  });
  if (!decision.isAsRead) return undefined;
  if (change !== null) await keepNamed(ctx.redis, read, feed);
  const unread = { isPaused: feed.isPaused, exempt: feed.exempt, contents: feed.contents };
  const isReadAgain = !isAsRead({ ...read, ...unread }, feed);
  return { change, feed: isNothing ? read : feed, isReadAgain: isReadAgain || changed.isPaused === false };
}

/** Removes a feed. What it has and its secret are kept for some days, so that this can be undone. */
export async function removeFeed(
  ctx: ListContext,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const { change, decision } = await commit(ctx, {
    ...{ action: "feed.remove", reason, slots: [slotOfFeed(id)] },
    decide({ slots }) {
      if (at(slots, 0).kind === "none") throw new DomainError("not-found", `There is no feed ${id}.`);
      return { feed: parseFeed(id, at(slots, 0).value), writes: [{ slot: 0, to: null }] };
    },
  });
  if (ctx.isDryRun) return { change };
  await keepNamed(ctx.redis, decision.feed, undefined);
  await ctx.redis.hdel(keys.feedStates(), id);
  await keepKeys(ctx, id);
  return { change };
}

const mostAttempts = 5;

/** A feed is read, and what it has is cut, before a change is written: both again where the feed was changed between them. */
async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  throw new DomainError("changed-since", "The feed keeps changing. Nothing was written. Try again.");
}

function actionOf(changed: FeedChange): string {
  const { mode, isPaused, isWideConfirmed } = changed;
  if (isPaused !== undefined) return isPaused ? "feed.pause" : "feed.resume";
  if (mode !== undefined) return mode === "shadow" ? "feed.shadow" : "feed.enforce";
  return isWideConfirmed === undefined ? "feed.source" : "feed.confirm";
}

/** Decides about new contents that wait for a person. */
export async function decideHeld(
  ctx: ListContext,
  {
    id,
    digest,
    accept,
    reason,
  }: { readonly id: string; readonly digest: string; readonly accept: boolean; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  return untilWritten(async () => {
    const [feed, states] = await Promise.all([requireFeed(ctx.redis, id), readStates(ctx.redis)]);
    const state = states.get(feed.id);
    const held = state?.held;
    if (!state || held?.contents.digest !== digest)
      throw new DomainError(
        "changed-since",
        `What waits for a decision of the feed ${id} is not the same any more.`,
      );
    return accept
      ? acceptHeld(ctx, feed, { ...state, held }, reason)
      : { change: await reject(ctx, feed.id, { ...state, held }, reason) };
  });
}

type Held = FeedState & { readonly held: NonNullable<FeedState["held"]> };

async function acceptHeld(ctx: ListContext, feed: FeedDefinition, { held, ...state }: Held, reason: string) {
  const exempt = exemptOf(feed.exempt, ctx);
  if (!(await keepHeld(ctx.redis, feed.id, held)))
    throw new DomainError(
      "changed-since",
      `What waits for a decision of the feed ${feed.id} is no longer kept. Refresh the feed.`,
    );
  const contents = ctx.isDryRun
    ? held.contents
    : await withoutExempt(ctx.redis, feed.id, held.contents, exempt);
  return putInForce(ctx, feed, contents, {
    ...{ action: "feed.accept", reason, state: { ...state, held: null } },
  });
}

async function reject(ctx: ListContext, id: string, { held, ...state }: Held, reason: string) {
  const { digest } = held.contents;
  const { change, decision } = await commit(ctx, {
    ...{ action: "feed.keep", reason, slots: [slotOfFeed(id)] },
    decide({ slots }) {
      const feed = parseFeed(id, at(slots, 0).value);
      if (!feed) throw new DomainError("not-found", `There is no feed ${id}.`);
      const to = { value: writeFeed({ ...feed, rejected: digest }), expiresAt: null };
      return { feed, writes: [{ slot: 0, to }] };
    },
  });
  if (ctx.isDryRun) return change;
  await writeState(ctx.redis, id, { ...state, held: null }, ({ rejected }) => rejected === digest);
  await dropHeld(ctx.redis, decision.feed, held);
  return change;
}
