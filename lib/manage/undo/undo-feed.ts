import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { type FeedDefinition, parseFeed, writeFeed } from "../feeds/definition.ts";
import { keptMs, slotOfFeed } from "../feeds/refresh.ts";
import { putBack } from "./put-back.ts";

/** Puts a feed back as it was. What a refresh brought is not taken again until the source has other contents. */
export async function undoFeed(ctx: Signed, record: AuditRecord, reason: string) {
  const change = at(record.changes, 0);
  const id = change.target;
  const [before, after] = [change.before, change.after].map((side) => parseFeed(id, side?.value ?? ""));
  const undone = after?.contents;
  const isOther = before !== undefined && before.contents?.digest !== undone?.digest;
  if (isOther) await requireContents(ctx, before);
  const value = isOther && undone ? writeFeed({ ...before, rejected: undone.digest }) : change.before?.value;
  const back = { ...change, before: value == null ? null : { value, expiresAt: null } };
  const made = await putBack(ctx, { ...record, changes: [back] }, { slots: [slotOfFeed(id)] }, reason);
  if (before?.contents) await ctx.redis.persist(keys.feedContents(id, before.contents.digest));
  if (isOther && undone) await ctx.redis.pexpire(keys.feedContents(id, undone.digest), keptMs);
  return made;
}

async function requireContents({ redis }: Signed, { id, contents }: FeedDefinition): Promise<void> {
  if (!contents || (await redis.exists(keys.feedContents(id, contents.digest))) === 1) return;
  throw new DomainError("bad-input", `What the feed ${id} had before is no longer kept.`);
}
