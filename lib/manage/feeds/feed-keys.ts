import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { feedSource, writeNote } from "../../enforce/lists/entry.ts";
import { feedText, readEnforcedFeed } from "../../enforce/lists/feeds.ts";
import { protector, readNeverBlock } from "../../enforce/lists/protected.ts";
import { type Block, coverings, format, widestEntry } from "../../ip/block.ts";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { lua } from "../../redis/lua.generated.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { defineScript } from "../../redis/script.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { type FeedDefinition, jsonOf, parseFeed } from "./definition.ts";
import { contentsOf } from "./feed-contents.ts";

/** Most keys of one feed: programs that know only keys have one in memory for each. */
export const mostKeys = 20_000;

const stateSchema = z.object({
  /** Of the contents that are written. Empty: none. */
  digest: z.string(),
  ttlMs: z.number(),
  /** Ms: when the keys were written last. 0: not all of them. */
  at: z.number(),
  count: z.number(),
  /** Ranges without a key: too wide, protected, safelisted, or of another author. */
  left: z.number(),
  problem: z.string().nullable(),
});
/** Keys of the blocklist that were written for a feed. */
export type FeedKeys = z.output<typeof stateSchema>;

const none: FeedKeys = { digest: "", ttlMs: 0, at: 0, count: 0, left: 0, problem: null };

type KeysContext = Pick<ListContext, "redis" | "protectedRanges">;

const change = defineScript({
  lua: lua.feedKeys,
  keys: ({ id, addresses }: KeysChange) => [
    ...[keys.feeds(), keys.feedKeysWritten(id)],
    ...addresses.map((address) => keys.entry("blocklist", address)),
  ],
  args: ({ id, definition, value, ttlMs, addresses }) => [
    ...[id, definition, feedMark(id), value, ttlMs, ...addresses],
  ],
  reply: (done: number) => (done < 0 ? undefined : done),
});

interface KeysChange {
  readonly id: string;
  /** As read. Empty for a feed that is gone. */
  readonly definition: string;
  readonly addresses: readonly (Ip | Cidr)[];
  /** Empty to remove the keys. */
  readonly value: string;
  readonly ttlMs: number;
}

const atOnce = 200;
/** So long Redis serves others between two writes. */
const restMs = 5;

export async function readFeedKeys(redis: Connection): Promise<ReadonlyMap<string, FeedKeys>> {
  const found = Object.entries(await redis.hgetall(keys.feedKeys())).flatMap(([id, text]) => {
    const parsed = stateSchema.safeParse(jsonOf(text));
    return parsed.success ? [[id, parsed.data] as const] : [];
  });
  return new Map(found);
}

/** Writes the keys of all feeds that have some, where they are not as they should be. */
export async function syncAllKeys(ctx: KeysContext): Promise<void> {
  const [feeds, states] = await Promise.all([ctx.redis.hgetall(keys.feeds()), readFeedKeys(ctx.redis)]);
  const writing = Object.keys(feeds).filter((id) => parseFeed(id, feeds[id] ?? "")?.keysTtlMs !== undefined);
  for (const id of new Set([...writing, ...states.keys()])) await syncKeys(ctx, id);
}

/** The same of one feed that was changed. What fails here, the process that refreshes feeds does later. */
export async function keepKeys(ctx: KeysContext, id: string): Promise<void> {
  await syncKeys(ctx, id).catch(() => {});
}

/**
 * Brings the keys of a feed to what it has now, and renews them after half of their life. Undefined where the feed changes while that
 * goes on: the caller, or the process that refreshes feeds, begins again.
 */
async function syncKeys(ctx: KeysContext, id: string): Promise<FeedKeys | undefined> {
  const { redis } = ctx;
  const [definition, states, now] = await Promise.all([
    redis.hget(keys.feeds(), id),
    readFeedKeys(redis),
    redisNow(redis),
  ]);
  const before = states.get(id) ?? none;
  const feed = definition === null ? undefined : parseFeed(id, definition);
  const ttlMs = feed?.keysTtlMs;
  const digest = feed && ttlMs !== undefined && isWritten(feed) ? (feed.contents?.digest ?? "") : "";
  if (digest === before.digest && (digest === "" || isFresh(before, ttlMs ?? 0, now))) return before;
  const found = await contentsOf(redis, id, digest || undefined);
  // What Redis has lost, the next refresh brings again.
  if (digest !== "" && !found) return before;
  const whole = found ?? PackedRanges.none;
  // A process that ends in the middle leaves keys that another one finds by this.
  await redis.hset(keys.feedKeys(), id, JSON.stringify({ ...before, digest: "unknown", at: 0 }));
  const isTooMuch = whole.size > mostKeys;
  const wanted = isTooMuch ? [] : await addressesOf(ctx, whole);
  const kept = new Set<string>(wanted);
  const written = (await redis.smembers(keys.feedKeysWritten(id))).filter(isCanonical);
  const gone = written.filter((address) => !kept.has(address));
  const terms = { id, definition: definition ?? "", ttlMs: ttlMs ?? 0 };
  const removed = await inBatches(redis, { ...terms, value: "", addresses: gone });
  const value = feed ? noteOf(id, feed.name, now) : "";
  const count =
    removed === undefined ? undefined : await inBatches(redis, { ...terms, value, addresses: wanted });
  if (removed === undefined || count === undefined) return undefined;
  if (removed > 0) await renewOthers(redis, id);
  const after = {
    ...{ digest, ttlMs: ttlMs ?? 0, at: now, count, left: whole.size - count },
    problem: isTooMuch ? `it has more than ${mostKeys.toLocaleString("en-US")} ranges` : null,
  };
  if (digest === "") await redis.hdel(keys.feedKeys(), id);
  else await redis.hset(keys.feedKeys(), id, JSON.stringify(after));
  return after;
}

function isFresh({ ttlMs, at }: FeedKeys, wantedMs: number, now: number): boolean {
  return ttlMs === wantedMs && now - at < ttlMs / 2;
}

/** A feed that denies nothing has no keys: other programs know no shadow. */
function isWritten({ list, mode, isPaused }: FeedDefinition): boolean {
  return list === "blocklist" && mode === "enforce" && !isPaused;
}

/** As entries are written, with the feed as the author. */
function noteOf(id: string, name: string, now: number): string {
  const at = new Date(now).toISOString();
  return writeNote({ reason: `feed ${name}`, by: feedText(id), at, via: feedSource });
}

/** A part of such values that no other has: notes of people have another source. */
function feedMark(id: string): string {
  return JSON.stringify({ by: feedText(id), at: "" }).slice(1, -2);
}

/** Those that an entry may have, without protected ranges and what the safelist and safelist feeds have. */
async function addressesOf({ redis, protectedRanges }: KeysContext, ranges: PackedRanges) {
  const neverBlock = await readNeverBlock(redis);
  const protect = protector([...protectedRanges, ...neverBlock]);
  const passing = await safelistFeeds(redis);
  const breathe = breathing();
  const found: Block[] = [];
  for (const block of ranges) {
    await breathe();
    if (block.length < widestEntry[block.family] || passing.some((feed) => feed.overlapping(block))) continue;
    if (!protect(format(block))) found.push(block);
  }
  return withoutSafelisted(redis, found);
}

async function safelistFeeds(redis: Connection): Promise<PackedRanges[]> {
  const found: PackedRanges[] = [];
  for (const [id, text] of Object.entries(await redis.hgetall(keys.feeds()))) {
    const feed = readEnforcedFeed(id, text);
    if (feed?.list !== "safelist" || feed.isShadowed) continue;
    found.push((await contentsOf(redis, id, feed.digest)) ?? PackedRanges.none);
  }
  return found;
}

async function withoutSafelisted(redis: Connection, blocks: readonly Block[]): Promise<(Ip | Cidr)[]> {
  const found: (Ip | Cidr)[] = [];
  for (let from = 0; from < blocks.length; from += atOnce) {
    const some = blocks.slice(from, from + atOnce);
    const around = some.map((block) => coverings(block).map((address) => keys.entry("safelist", address)));
    const values = await redis.mget(around.flat());
    let at = 0;
    for (const [i, block] of some.entries()) {
      const size = around[i]?.length ?? 0;
      if (values.slice(at, at + size).every((value) => value === null)) found.push(format(block));
      at += size;
    }
  }
  return found;
}

/** Undefined where the feed has changed. */
async function inBatches(
  redis: Connection,
  { addresses, ...terms }: KeysChange,
): Promise<number | undefined> {
  let done = 0;
  for (let from = 0; from < addresses.length; from += atOnce) {
    const some = await change.run(redis, { ...terms, addresses: addresses.slice(from, from + atOnce) });
    if (some === undefined) return undefined;
    done += some;
    await pause(restMs);
  }
  return done;
}

/** Another feed may have an address that this one had a key for. */
async function renewOthers(redis: Connection, id: string): Promise<void> {
  for (const [other, state] of await readFeedKeys(redis))
    if (other !== id) await redis.hset(keys.feedKeys(), other, JSON.stringify({ ...state, at: 0 }));
}
