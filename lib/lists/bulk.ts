import type { ListName } from "../redis/keys.ts";
import { type AddInput, addEntries, checkTtl } from "./add.ts";
import { changeEntries } from "./change.ts";
import type { Context } from "./context.ts";
import { extendEntries } from "./extend.ts";
import { type ImportInput, planOf } from "./import.ts";
import { type ImportLine, readImport } from "./import-lines.ts";
import { type BulkResult, inChunks } from "./in-chunks.ts";
import type { Life } from "./life.ts";
import { removeEntries } from "./remove.ts";
import { removeStrays } from "./remove-strays.ts";

export type { BulkResult, Skipped } from "./in-chunks.ts";

interface Many {
  readonly list: ListName;
  /** As they stand in Redis. */
  readonly addresses: readonly string[];
  /** Begin after this one, where an earlier call stopped. */
  readonly after?: string | undefined;
  readonly reason: string;
}

/** Adds entries, or lets those that are there live longer. */
export async function addMany(
  ctx: Context,
  input: Many & Required<Pick<AddInput, "ttlMs" | "confirmed">>,
): Promise<BulkResult> {
  checkTtl(input.ttlMs);
  return inChunks(input, (addresses) => addEntries(ctx, { ...input, addresses }));
}

/** Writes those lines of a file whose addresses were chosen when it was previewed. */
export async function importMany(
  ctx: Context,
  { expected, ...input }: ImportInput & { expected: readonly string[]; after?: string | undefined },
): Promise<BulkResult> {
  if (input.ttlMs != null) checkTtl(input.ttlMs);
  const chosen = new Set(expected);
  const lines = readImport(input.text).lines.filter(({ address }) => chosen.has(address));
  const byAddress = new Map<string, ImportLine>(lines.map((line) => [line.address, line]));
  const addresses = lines.map(({ address }) => address);
  return inChunks({ addresses, after: input.after }, (chunk) => {
    const wanted = chunk.flatMap((address) => byAddress.get(address) ?? []);
    return changeEntries(ctx, planOf(ctx, input, wanted));
  });
}

/** Lets entries live longer. What is no entry stays as it is. */
export async function extendMany(ctx: Context, { list, reason, life, ...given }: Many & { life: Life }) {
  if (typeof life === "object" && "forMs" in life) checkTtl(life.forMs);
  return inChunks(given, (addresses) => extendEntries(ctx, { list, addresses, life, reason }));
}

/** Takes entries off a list, and keys of foreign writers whose text is no address. */
export async function removeMany(ctx: Context, { list, reason, ...given }: Many): Promise<BulkResult> {
  return inChunks(
    given,
    (addresses) => removeEntries(ctx, { list, addresses, reason }),
    (texts) => removeStrays(ctx, { list, texts, reason }),
  );
}
