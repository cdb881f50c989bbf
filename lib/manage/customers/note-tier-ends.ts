import { parseCustomerId } from "../../enforce/customers/id.ts";
import { readTierEnd } from "../../enforce/customers/tier.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { Signed } from "../audit/record.ts";
import { changeCustomer } from "./change-customer.ts";
import { ownTierOf } from "./read.ts";
import { writesForGood } from "./set-tier.ts";

/** Before Redis 7, ends are read some ms off. */
const settledMs = 1_000;
/** Customers of one pass. */
const mostTogether = 100;

/**
 * Puts the tiers that follow those that have ended into their keys, for the audit log and for programs that read the key alone.
 * Nodes do not wait for it. Returns how many customers went back.
 */
export async function noteTierEnds(ctx: Signed): Promise<number> {
  const fields = await ctx.redis.hkeys(keys.tierEnds());
  if (fields.length === 0) return 0;
  const settled = (await redisNow(ctx.redis)) - settledMs;
  const due = fields.filter((field) => !(endOf(field).atMs > settled)).slice(0, mostTogether);
  let noted = 0;
  for (const field of due) {
    const { id } = endOf(field);
    if (id !== undefined && (await noteEnd(ctx, id))) noted++;
    await ctx.redis.hdel(keys.tierEnds(), field);
  }
  return noted;
}

/** The field of a tier that ends: `<customer> <ms>`. */
function endOf(field: string): { readonly id: CustomerId | undefined; readonly atMs: number } {
  const [name = "", atMs] = field.split(" ");
  const id = parseCustomerId(name);
  return { id: id.ok ? id.value : undefined, atMs: Number(atMs) };
}

/** False where another end, or another tier, has taken its place. */
async function noteEnd(ctx: Signed, id: CustomerId): Promise<boolean> {
  const { change } = await changeCustomer(ctx, {
    id,
    action: "customer.tier-ended",
    reason: "its time is over",
    decide(seen) {
      const own = ownTierOf({ ...seen, end: seen.tierEnd });
      const follows = readTierEnd(seen.tierEnd.value);
      const hasEnded =
        own !== undefined && follows?.back === own.name && own.endsAt === Number.POSITIVE_INFINITY;
      return { writes: hasEnded && seen.tier.expiresAt !== null ? writesForGood(seen, own.name) : [] };
    },
  });
  return change !== null;
}
