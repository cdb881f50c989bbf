import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { AuditRecord, RecordedChange, Signed } from "../audit/record.ts";
import { type ContentsFacts, type FeedDefinition, parseFeed, writeFeed } from "../feeds/definition.ts";
import { exemptOf, keepNamed, withoutExempt } from "../feeds/feed-contents.ts";
import { keepKeys } from "../feeds/feed-keys.ts";
import { readStates, writeState } from "../feeds/feed-state.ts";
import { slotOfFeed } from "../feeds/refresh.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { putBack } from "./put-back.ts";

/** Puts a feed back as it was. What a refresh brought is not taken again until the source has other contents. */
export async function undoFeed(ctx: ListContext, record: AuditRecord, reason: string) {
  const id = at(record.changes, 0).target;
  const change = sinceThen(at(record.changes, 0), (await ctx.redis.hget(keys.feeds(), id)) ?? "");
  const [before, after] = [change.before, change.after].map((side) => parseFeed(id, side?.value ?? ""));
  const undone = after?.contents;
  const isOther = before !== undefined && before.contents?.digest !== undone?.digest;
  if (isOther) await requireContents(ctx, before);
  const exempt = exemptOf([...new Set([...(before?.exempt ?? []), ...(after?.exempt ?? [])])], ctx);
  const allowed = (contents: ContentsFacts) => withoutExempt(ctx.redis, id, contents, exempt);
  const contents = before?.contents && (await allowed(before.contents));
  const isCut = contents?.digest !== before?.contents?.digest;
  const rejected = isOther && undone ? { rejected: (await allowed(undone)).digest } : {};
  const value =
    before && (isOther || isCut)
      ? writeFeed({ ...before, exempt, ...(contents && { contents }), ...rejected })
      : change.before?.value;
  const back = { ...change, before: value == null ? null : { value, expiresAt: null } };
  const made = await putBack(ctx, { ...record, changes: [back] }, { slots: [slotOfFeed(id)] }, reason);
  const restored = before && { ...before, ...(contents && { contents }) };
  // The contents of before may have been cut: then those stay for the undo of this.
  await keepNamed(ctx.redis, before, undefined);
  await keepNamed(ctx.redis, after, restored);
  await readAgain(ctx, id, restored !== undefined);
  await keepKeys(ctx, id);
  return made;
}

/**
 * The recorded change, as if it had been made of the feed as it is now: a refresh may have followed what a person changed, and a
 * person may have changed the feed after a refresh. The same where it was the last one, and where its own part was changed since.
 */
function sinceThen(change: RecordedChange, now: string): RecordedChange {
  const [before, after] = [change.before, change.after].map((side) =>
    parseFeed(change.target, side?.value ?? ""),
  );
  const found = parseFeed(change.target, now);
  if (!found || !after || now === change.after?.value) return change;
  const asRecorded = (next: FeedDefinition | undefined): RecordedChange => ({
    ...change,
    before: next ? { value: writeFeed(next), expiresAt: null } : null,
    after: { value: now, expiresAt: null },
  });
  if (!before || !isDeepStrictEqual(termsOf(before), termsOf(after))) {
    if (!isDeepStrictEqual(termsOf(found), termsOf(after))) return change;
    if (!before) return asRecorded(undefined);
    const { contents, previous, rejected, exempt } = isReadAlike(before, after) ? found : before;
    return asRecorded({ ...termsOf(before), contents, previous, rejected, exempt });
  }
  if (found.contents?.digest !== after.contents?.digest || found.rejected !== after.rejected) return change;
  const { contents, previous, rejected, exempt } = before;
  return asRecorded({ ...termsOf(found), contents, previous, rejected, exempt });
}

/** What people decide of a feed. The rest is what refreshes bring, and what they may not. */
function termsOf({
  contents: _,
  previous: _previous,
  rejected: _rejected,
  exempt: _exempt,
  ...terms
}: FeedDefinition) {
  return terms;
}

/** Whether what was read by the one's terms is what the other's bring. */
function isReadAlike(one: FeedDefinition, other: FeedDefinition): boolean {
  const readBy = ({ source, column, secret, isWideConfirmed }: FeedDefinition) => [
    ...[source, column, secret, isWideConfirmed],
  ];
  return isDeepStrictEqual(readBy(one), readBy(other));
}

/** What the source answered before says nothing of the feed as it is now. */
async function readAgain({ redis, isDryRun }: ListContext, id: string, isThere: boolean): Promise<void> {
  if (isDryRun) return;
  const state = (await readStates(redis)).get(id);
  if (!isThere) await redis.hdel(keys.feedStates(), id);
  else if (state)
    await writeState(redis, id, { ...state, etag: null, lastModified: null, nextAt: 0 }, () => true);
}

async function requireContents({ redis }: Signed, { id, contents }: FeedDefinition): Promise<void> {
  if (!contents || (await redis.exists(keys.feedContents(id, contents.digest))) === 1) return;
  throw new DomainError("bad-input", `What the feed ${id} had before is no longer kept.`);
}
