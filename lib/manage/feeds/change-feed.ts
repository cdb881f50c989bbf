import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import type { ListName } from "../../redis/keys.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import {
  type ContentsFacts,
  type FeedDefinition,
  type FeedSource,
  idOf,
  mostFeeds,
  parseFeed,
  readStates,
  requireFeed,
  writeFeed,
  writeState,
} from "./definition.ts";
import {
  exemptOf,
  type FeedContext,
  keptMs,
  putInForce,
  type RefreshOutcome,
  refreshFeed,
  slotOfFeed,
  withoutExempt,
} from "./refresh.ts";

export interface NewFeed {
  readonly name: string;
  readonly list: ListName;
  readonly source: FeedSource;
  readonly column?: number | string | undefined;
  readonly mode: FeedDefinition["mode"];
  readonly everyMs: number;
  readonly keepMs: number | null;
  readonly holdPercent: number;
  readonly isWideConfirmed: boolean;
  readonly apiKey?: string | undefined;
  readonly reason: string;
}

const shortestMs = 60_000;
const longestMs = 31 * 24 * 3_600_000;

/** Adds a feed, and reads it for the first time. A feed that cannot be read is added all the same, and is tried again. */
export async function addFeed(
  ctx: FeedContext,
  given: NewFeed,
): Promise<{ readonly feed: FeedDefinition; readonly refreshed: RefreshOutcome }> {
  const { name, reason, apiKey } = given;
  const id = idOf(name.trim());
  checkReason(reason);
  checkTerms(given);
  const exempt = exemptOf([], ctx);
  await commit(ctx, {
    ...{ action: "feed.add", reason },
    slots: [slotOfFeed(id), { key: keys.feedSecrets(), field: id, target: id, isAside: true }],
    hashes: [keys.feeds()],
    decide({ now, slots, hashes }) {
      if (at(slots, 0).kind !== "none")
        throw new DomainError("bad-input", `There is a feed ${id} already.`, { name: "is taken" });
      if (at(hashes, 0).size >= mostFeeds)
        throw new DomainError("bad-input", `There are ${mostFeeds} feeds already. Remove one first.`);
      const { list, source, column, mode, everyMs, keepMs, holdPercent, isWideConfirmed } = given;
      const feed: FeedDefinition = {
        ...{ id, name: name.trim(), list, source, ...(column !== undefined && { column }), mode },
        ...{ isPaused: false, everyMs, keepMs, holdPercent, isWideConfirmed, exempt },
        ...{ by: ctx.actor.name, at: new Date(now).toISOString() },
      };
      const secret = apiKey === undefined ? null : ctx.secrets.encrypt(id, apiKey);
      return {
        writes: [
          { slot: 0, to: { value: writeFeed(feed), expiresAt: null } },
          { slot: 1, to: secret === null ? null : { value: secret, expiresAt: null } },
        ],
      };
    },
  });
  await ctx.redis.hdel(keys.feedStates(), id);
  const feed = await requireFeed(ctx.redis, id);
  return { feed, refreshed: await refreshFeed(ctx, feed) };
}

function checkTerms({ source, everyMs, keepMs, holdPercent, apiKey }: NewFeed): void {
  const refuse = (field: string, why: string) => {
    throw new DomainError("bad-input", `${field}: ${why}.`, { [field]: why });
  };
  if (!(everyMs >= shortestMs && everyMs <= longestMs))
    refuse("every", "a feed is read once a minute at most, once a month at least");
  if (keepMs !== null && !(keepMs >= 3_600_000)) refuse("keep", "contents are kept for an hour at least");
  if (!(holdPercent >= 1 && holdPercent <= 10_000)) refuse("hold", "write a number from 1 to 10,000");
  const header = source.kind === "url" ? source.header : undefined;
  if (header !== undefined && !/^[A-Za-z0-9-]{1,100}$/.test(header))
    refuse("header", "has letters, digits and -");
  if (header !== undefined && /^(host|content-length|connection|cookie)$/i.test(header))
    refuse("header", "cannot carry a key");
  if (apiKey !== undefined && (header === undefined || !/^[\x20-\x7e]{1,4000}$/.test(apiKey)))
    refuse(
      "key",
      header === undefined ? "needs the name of its header" : "has characters that no header takes",
    );
}

/** Members of a feed that a person changes later. */
export interface FeedChange {
  readonly mode?: FeedDefinition["mode"] | undefined;
  readonly isPaused?: boolean | undefined;
  readonly isWideConfirmed?: boolean | undefined;
  readonly source?: FeedSource | undefined;
}

/** Changes how a feed is read or enforced. */
export async function changeFeed(
  ctx: FeedContext,
  { id, reason, ...changed }: FeedChange & { readonly id: string; readonly reason: string },
): Promise<{ readonly change: number | null; readonly feed: FeedDefinition }> {
  checkReason(reason);
  const { change, feed } = await untilWritten(() => writeChange(ctx, id, changed, reason));
  if (feed.contents) await ctx.redis.persist(keys.feedContents(id, feed.contents.digest));
  const isReadAgain = changed.isWideConfirmed !== undefined || changed.source !== undefined;
  if (change !== null && (isReadAgain || changed.isPaused === false)) {
    // What was answered before says nothing of the new terms.
    await ctx.redis.hdel(keys.feedStates(), id);
    await refreshFeed(ctx, await requireFeed(ctx.redis, id));
  }
  return { change, feed };
}

/** Undefined where the feed was changed since it was read. */
async function writeChange(ctx: FeedContext, id: string, changed: FeedChange, reason: string) {
  const read = await requireFeed(ctx.redis, id);
  const exempt = exemptOf(read.exempt, ctx);
  const contents = read.contents && (await withoutExempt(ctx.redis, id, read.contents, exempt));
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const changedOnly: FeedDefinition = { ...read, ...given };
  const feed: FeedDefinition = { ...changedOnly, exempt, ...(contents && { contents }) };
  const isNothing = writeFeed(changedOnly) === writeFeed(read);
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
  if (change !== null && read.contents && read.contents.digest !== feed.contents?.digest)
    await ctx.redis.pexpire(keys.feedContents(id, read.contents.digest), keptMs);
  return decision.isAsRead ? { change, feed: isNothing ? read : feed } : undefined;
}

const mostAttempts = 5;

/** A feed is read, and what it has is cut, before a change is written: both again where the feed was changed between them. */
async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  throw new DomainError("changed-meanwhile", "The feed keeps changing. Nothing was written. Try again.");
}

function actionOf({ mode, isPaused, source }: FeedChange): string {
  if (isPaused !== undefined) return isPaused ? "feed.pause" : "feed.resume";
  if (mode !== undefined) return mode === "shadow" ? "feed.shadow" : "feed.enforce";
  return source === undefined ? "feed.confirm" : "feed.source";
}

/** Removes a feed. Its contents are kept for some days, so that this can be undone. */
export async function removeFeed(
  ctx: Signed,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const { change, decision } = await commit(ctx, {
    ...{ action: "feed.remove", reason },
    slots: [slotOfFeed(id), { key: keys.feedSecrets(), field: id, target: id, isAside: true }],
    decide({ slots }) {
      if (at(slots, 0).kind === "none") throw new DomainError("not-found", `There is no feed ${id}.`);
      const writes = [
        { slot: 0, to: null },
        ...(at(slots, 1).kind === "none" ? [] : [{ slot: 1, to: null }]),
      ];
      return { feed: parseFeed(id, at(slots, 0).value), writes };
    },
  });
  for (const contents of [decision.feed?.contents, decision.feed?.previous])
    if (contents) await ctx.redis.pexpire(keys.feedContents(id, contents.digest), keptMs);
  await ctx.redis.hdel(keys.feedStates(), id);
  return { change };
}

/** Decides about new contents that wait for a person. */
export async function decideHeld(
  ctx: Signed,
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
        "changed-meanwhile",
        `What waits for a decision of the feed ${id} is not the same any more.`,
      );
    const done = accept
      ? await acceptHeld(ctx, feed, held.contents, reason)
      : { change: await reject(ctx, feed.id, digest, reason) };
    if (done) await writeState(ctx.redis, feed.id, { ...state, held: null });
    return done;
  });
}

async function acceptHeld(ctx: Signed, feed: FeedDefinition, held: ContentsFacts, reason: string) {
  const contents = await withoutExempt(ctx.redis, feed.id, held, exemptOf(feed.exempt, ctx));
  return putInForce(ctx, feed, contents, { action: "feed.accept", reason });
}

async function reject(ctx: Signed, id: string, digest: string, reason: string): Promise<number | null> {
  const { change } = await commit(ctx, {
    ...{ action: "feed.keep", reason, slots: [slotOfFeed(id)] },
    decide({ slots }) {
      const feed = parseFeed(id, at(slots, 0).value);
      if (!feed) throw new DomainError("not-found", `There is no feed ${id}.`);
      return {
        writes: [{ slot: 0, to: { value: writeFeed({ ...feed, rejected: digest }), expiresAt: null } }],
      };
    },
  });
  return change;
}
