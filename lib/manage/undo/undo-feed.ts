import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { type ContentsFacts, type FeedDefinition, parseFeed, writeFeed } from "../feeds/definition.ts";
import { exemptOf, keepNamed, withoutExempt } from "../feeds/feed-contents.ts";
import { keepKeys } from "../feeds/feed-keys.ts";
import { slotOfFeed } from "../feeds/refresh.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { putBack } from "./put-back.ts";

/** Puts a feed back as it was. What a refresh brought is not taken again until the source has other contents. */
export async function undoFeed(ctx: ListContext, record: AuditRecord, reason: string) {
  const change = at(record.changes, 0);
  const id = change.target;
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
  await keepKeys(ctx, id);
  return made;
}

async function requireContents({ redis }: Signed, { id, contents }: FeedDefinition): Promise<void> {
  if (!contents || (await redis.exists(keys.feedContents(id, contents.digest))) === 1) return;
  throw new DomainError("bad-input", `What the feed ${id} had before is no longer kept.`);
}
