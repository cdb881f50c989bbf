import { countPending } from "../../enforce/lists/pending-ban.ts";
import { keys } from "../../redis/keys.ts";
import { type BanSealer, sealPendingBan } from "../lists/seal-ban.ts";

export interface SealedBans {
  readonly sealed: number;
  readonly left: number;
  /** Why pending bans were discarded, of the first few, and how many there were. */
  readonly discarded: { readonly count: number; readonly reasons: readonly string[] };
}

const pageSize = 200;
const mostReasons = 5;

/**
 * Records the bans that nodes have made, in their order, and makes them entries of the blocklist. Each leaves the
 * pending ones in the same step in which its record is written, so it is recorded once, however many try and whenever one
 * of them dies. What no node can have made is discarded.
 */
export async function sealPending(ctx: BanSealer, { withinMs = 10_000 } = {}): Promise<SealedBans> {
  const deadline = performance.now() + withinMs;
  const reasons: string[] = [];
  let [sealed, count] = [0, 0];
  for await (const [field, text] of readPending(ctx)) {
    if (performance.now() > deadline) break;
    const { isDone, refused } = await sealPendingBan(ctx, field, text);
    if (isDone) sealed++;
    if (refused === undefined) continue;
    count++;
    if (reasons.length < mostReasons) reasons.push(refused);
  }
  return { sealed, left: await countPending(ctx.redis), discarded: { count, reasons } };
}

async function* readPending({ redis }: BanSealer): AsyncGenerator<[field: string, text: string]> {
  const fields = (await redis.hkeys(keys.pendingBans())).sort((one, other) => orderOf(one) - orderOf(other));
  for (let from = 0; from < fields.length; from += pageSize) {
    const page = fields.slice(from, from + pageSize);
    const texts = await redis.hmget(keys.pendingBans(), ...page);
    for (const [i, field] of page.entries()) {
      const text = texts[i];
      if (text != null) yield [field, text];
    }
  }
}

/** The time of the ban in ms, or the number that an older node gave it: those come first. */
function orderOf(field: string): number {
  return Number(/(?<!\d)\d+$/.exec(field)?.[0] ?? 0);
}
