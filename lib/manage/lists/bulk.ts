import { valueAt } from "../../at.ts";
import type { ListName } from "../../redis/keys.ts";
import { type AddInput, addEntries } from "./add.ts";
import { checkTtl } from "./admission.ts";
import { changeEntries, type ListContext } from "./change-entries.ts";
import { extendEntries } from "./extend.ts";
import { type ImportInput, importOf, requestOf } from "./import.ts";
import { type ImportLine, readImport } from "./import-lines.ts";
import { type BulkResult, type CallPart, inChunks } from "./in-chunks.ts";
import type { Life } from "./life.ts";
import { removeEntries, removeStrays } from "./remove.ts";
import { setExpiry } from "./set-expiry.ts";
import { tagEntries } from "./tag.ts";
import type { TagChange } from "./tags.ts";

export type { BulkResult, SkippedEntry } from "./in-chunks.ts";

/** The place where a call begins, and the request that it is a part of. */
interface BulkCall {
  /** Begin after this one, where an earlier call stopped. */
  readonly after?: string | undefined;
  readonly part?: CallPart | undefined;
}

interface ManyEntries extends BulkCall {
  readonly list: ListName;
  /** As they are spelled in Redis. */
  readonly addresses: readonly string[];
  readonly reason: string;
}

/** Adds entries, or extends those that exist. */
export async function addMany(
  ctx: ListContext,
  input: ManyEntries &
    Required<Pick<AddInput, "ttlMs" | "confirmed">> & { tags?: readonly string[] | undefined },
): Promise<BulkResult> {
  const { list, reason, ttlMs, confirmed, addresses, tags = [] } = input;
  checkTtl(ttlMs);
  const request = [reason, ttlMs, confirmed, addresses, ...(tags.length > 0 ? [tags] : [])];
  return inChunks(ctx, { ...input, action: `${list}.add`, request }, (inside, chunk) =>
    addEntries(inside, { list, reason, ttlMs, confirmed, addresses: chunk, tags: { add: tags } }),
  );
}

/** Writes those lines of a file whose addresses were chosen when it was previewed. */
export async function importMany(
  ctx: ListContext,
  { expected, after, part, ...input }: ImportInput & BulkCall & { expected: readonly string[] },
): Promise<BulkResult> {
  const { list, reason, ttlMs, text } = input;
  if (ttlMs != null) checkTtl(ttlMs);
  const chosen = new Set(expected);
  const lines = readImport(text).lines.filter(({ address }) => chosen.has(address));
  const byAddress = new Map<string, ImportLine>(lines.map((line) => [line.address, line]));
  const addresses = lines.map(({ address }) => address);
  const request = [...requestOf(input), expected];
  const what = { action: `${list}.import`, reason, request, addresses, after, part };
  return inChunks(ctx, what, (inside, chunk) => {
    const wanted = chunk.map((address) => valueAt(byAddress, address));
    return changeEntries(inside, importOf(inside, input, wanted));
  });
}

/** Extends entries. Keys that are not entries stay as they are. */
export async function extendMany(
  ctx: ListContext,
  input: ManyEntries & { life: Life; longestMs?: number | undefined },
): Promise<BulkResult> {
  const { list, reason, life, longestMs, addresses } = input;
  if (typeof life === "object" && "forMs" in life) checkTtl(life.forMs);
  const what = { ...input, action: `${list}.extend`, request: [reason, life, addresses], isEachTime: true };
  return inChunks(ctx, what, (inside, chunk) =>
    extendEntries(inside, { list, addresses: chunk, life, reason, longestMs }),
  );
}

/** Sets when entries expire, earlier or later than before. Keys that are not entries stay as they are. */
export async function setExpiryOfMany(
  ctx: ListContext,
  input: ManyEntries & { life: Life },
): Promise<BulkResult> {
  const { list, reason, life, addresses } = input;
  if (typeof life === "object" && "forMs" in life) checkTtl(life.forMs);
  const what = { ...input, action: `${list}.extend`, request: [reason, life, addresses], isEachTime: true };
  return inChunks(ctx, what, (inside, chunk) => setExpiry(inside, { list, addresses: chunk, life, reason }));
}

/** Changes the tags of entries. Keys that are not entries stay as they are. */
export async function tagMany(
  ctx: ListContext,
  input: ManyEntries & { tags: TagChange },
): Promise<BulkResult> {
  const { list, reason, tags, addresses, part } = input;
  // One search may be followed by another change of tags.
  const call = part && { ...part, of: JSON.stringify([part.of, tags]) };
  return inChunks(
    ctx,
    { ...input, part: call, action: `${list}.tag`, request: [reason, tags, addresses] },
    (inside, chunk) => tagEntries(inside, { list, addresses: chunk, tags, reason }),
  );
}

/** Removes entries from a list, and keys of foreign writers whose text is not an address. */
export async function removeMany(ctx: ListContext, input: ManyEntries): Promise<BulkResult> {
  const { list, reason, addresses } = input;
  return inChunks(
    ctx,
    { ...input, action: `${list}.remove`, request: [reason, addresses] },
    (inside, chunk) => removeEntries(inside, { list, addresses: chunk, reason }),
    (inside, texts) => removeStrays(inside, { list, texts, reason }),
  );
}
