import { createHash } from "node:crypto";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import { blockOf, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { Signed } from "../audit/record.ts";
import type { ContentsFacts, FeedDefinition } from "./definition.ts";
import type { FeedState } from "./feed-state.ts";
import { inTurns } from "./read-feed.ts";

/** A definition must not grow without end. */
const mostExempt = 20;
/** Contents and secrets that no feed names are kept for so long. */
export const keptMs = 8 * 24 * 3_600_000;
/** Contents and secrets that were written, while the change that names them is not. */
export const unusedMs = 3_600_000;
/** What waited for a decision, and waits no longer. */
const droppedMs = 60_000;

/** The packed ranges and their numbers. */
export async function factsOf(
  ranges: PackedRanges,
  before: PackedRanges | undefined,
  now: number,
): Promise<{ readonly facts: ContentsFacts; readonly bytes: Uint8Array }> {
  const bytes = await inTurns(ranges.packing());
  const { v4: addresses, v6Networks } = ranges.addresses;
  const facts = {
    digest: await digestOf(bytes),
    ...{ ranges: ranges.size, v4: ranges.sizeOf(4), v6: ranges.sizeOf(6), addresses, v6Networks },
    ...{ bytes: bytes.length, at: new Date(now).toISOString() },
    added: await inTurns(ranges.countingMissingIn(before ?? PackedRanges.none)),
    removed: await inTurns((before ?? PackedRanges.none).countingMissingIn(ranges)),
  };
  return { facts, bytes };
}

/** Bytes that are digested before other work may run: below 1 ms. */
const digestedAtOnce = 262_144;

async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  const breathe = breathing();
  for (let at = 0; at < bytes.length; at += digestedAtOnce) {
    hash.update(bytes.subarray(at, at + digestedAtOnce));
    await breathe();
  }
  return hash.digest("hex").slice(0, 32);
}

/** Undefined where Redis has none, or something else. */
export async function contentsOf(
  redis: Connection,
  id: string,
  digest: string | undefined,
): Promise<PackedRanges | undefined> {
  const bytes = digest === undefined ? null : await redis.getBuffer(keys.feedContents(id, digest));
  return bytes === null ? undefined : inTurns(PackedRanges.reading(bytes));
}

export async function hasContents(redis: Connection, { id, contents }: FeedDefinition): Promise<boolean> {
  return contents !== undefined && (await redis.exists(keys.feedContents(id, contents.digest))) === 1;
}

type WaitingContents = FeedState["held"];

/** What waits for a decision is kept as long as it waits. False where Redis has lost it. */
export async function keepHeld(redis: Connection, id: string, held: WaitingContents): Promise<boolean> {
  return held === null || (await redis.pexpire(keys.feedContents(id, held.contents.digest), keptMs)) === 1;
}

/**
 * What waited for a decision goes soon: a feed may change each minute while it waits for a person. Not at once, as a change of the
 * feed that is made now may name it.
 * @param digest of contents that stay, beside those that the feed names
 */
export async function dropHeld(
  redis: Connection,
  { id, contents, previous }: FeedDefinition,
  held: WaitingContents,
  digest?: string,
): Promise<void> {
  const stay = [contents?.digest, previous?.digest, digest];
  if (held && !stay.includes(held.contents.digest))
    await redis.pexpire(keys.feedContents(id, held.contents.digest), droppedMs);
}

/** Addresses that a feed never has: the actor's own, so that no change of a feed locks its author out, and those of others before. */
export function exemptOf(before: readonly string[], { actor }: Signed): string[] {
  const own = actor.address;
  if (own === undefined) return before.slice(-mostExempt);
  return [...before.filter((address) => address !== own), own].slice(-mostExempt);
}

export const blocksOf = (exempt: readonly string[]) => exempt.filter(isCanonical).map(blockOf);

/** What these contents are without some addresses. */
export async function withoutExempt(
  redis: Connection,
  id: string,
  contents: ContentsFacts,
  exempt: readonly string[],
): Promise<ContentsFacts> {
  const ranges = await contentsOf(redis, id, contents.digest);
  const left = ranges?.without(blocksOf(exempt));
  if (!left || left === ranges) return contents;
  const { facts, bytes } = await factsOf(left, undefined, Date.parse(contents.at));
  await redis.set(keys.feedContents(id, facts.digest), Buffer.from(bytes), "PX", unusedMs);
  return { ...facts, added: contents.added, removed: contents.removed };
}

/** What a definition names beside itself stays as long as it does, and some days longer, so that a change of it can be undone. */
export async function keepNamed(
  redis: Connection,
  before: FeedDefinition | undefined,
  after: FeedDefinition | undefined,
): Promise<void> {
  const kept = new Set(after ? namedBy(after) : []);
  const pipeline = redis.pipeline();
  for (const key of kept) pipeline.persist(key);
  for (const key of before ? namedBy(before) : []) if (!kept.has(key)) pipeline.pexpire(key, keptMs);
  await pipeline.exec();
}

function namedBy({ id, contents, previous, secret }: FeedDefinition): string[] {
  return [
    ...[contents, previous].flatMap((one) => (one ? [keys.feedContents(id, one.digest)] : [])),
    ...(secret === undefined ? [] : [keys.feedSecret(id, secret)]),
  ];
}
