import { commit, type Decision } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { keys } from "../redis/keys.ts";
import { banner, countPending, entryValue, type PendingBan, parsePending } from "./pending.ts";

export interface SealedBans {
  readonly sealed: number;
  readonly left: number;
}

type Sealer = Pick<Signed, "redis" | "seal">;

const pageSize = 200;

/**
 * Puts the bans that nodes have made on record, in their order. Each leaves the pending ones in the same step in which its
 * record is written, so it is recorded once, however many try and whenever one of them dies.
 */
export async function sealPending(ctx: Sealer, { withinMs = 10_000 } = {}): Promise<SealedBans> {
  const deadline = performance.now() + withinMs;
  let sealed = 0;
  for await (const [change, text] of readPending(ctx)) {
    if (performance.now() > deadline) break;
    const ban = parsePending(text);
    if (ban && (await record(ctx, change, text, ban))) sealed++;
  }
  return { sealed, left: await countPending(ctx.redis) };
}

async function* readPending({ redis }: Sealer): AsyncGenerator<[change: number, text: string]> {
  const fields = (await redis.hkeys(keys.pendingBans())).filter((field) => /^[1-9]\d{0,14}$/.test(field));
  const changes = fields.map(Number).sort((one, other) => one - other);
  for (let from = 0; from < changes.length; from += pageSize) {
    const page = changes.slice(from, from + pageSize);
    const texts = await redis.hmget(keys.pendingBans(), ...page.map(String));
    for (const [i, change] of page.entries()) {
      const text = texts[i];
      if (text) yield [change, text];
    }
  }
}

async function record(ctx: Sealer, change: number, text: string, ban: PendingBan): Promise<boolean> {
  const { address: target, rule, reason, at, expiresAt } = ban;
  const after = { value: entryValue(ban), expiresAt: new Date(expiresAt).toISOString() };
  const made = { at, change, changes: [{ target, before: null, after }] };
  const slot = { key: keys.pendingBans(), field: String(change), isAside: true, target };
  const { decision } = await commit<Decision>(
    { ...ctx, actor: banner(rule) },
    {
      action: "blocklist.ban",
      reason,
      slots: [slot],
      // Gone: somebody else was faster.
      decide: ({ slots }) => ({ made, writes: slots[0]?.value === text ? [{ slot: 0, to: null }] : [] }),
    },
  );
  return decision.writes.length > 0;
}
