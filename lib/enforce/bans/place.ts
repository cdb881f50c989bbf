import { DomainError } from "../../errors.ts";
import { coverings, format } from "../../ip/block.ts";
import { blockOf } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { defineScript } from "../../redis/script.ts";
import { refusal } from "../lists/lockout.ts";
import { type Ban, entryValue } from "../lists/pending-ban.ts";
import { type ProtectedRange, protector } from "../lists/protected.ts";
import type { Denials } from "./denials.ts";

/** What has to be fixed before bans work again, in words. An outage of Redis is logged elsewhere, once. */
export function troubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isForPeople =
    error instanceof DomainError || /^(NOPERM|WRONGTYPE|OOM|MISCONF|ERR)\b/.test(error.message);
  return isForPeople ? error.message.replace(/(?<!\.)\.+$/, "") : undefined;
}

export interface Placing {
  readonly control: Connection;
  readonly app: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** For so long after a ban the same address is not banned again: nodes may not know of the ban yet. */
  readonly graceMs: number;
}

type BanOutcome = "banned" | "standing" | "safelisted" | "full";

/** Bans without an audit record take memory. At this many no more are made, because each needs its record. */
export const mostPending = 100_000;
const mostAtOnce = 128;

interface BanAttempt {
  readonly ban: Ban;
  readonly terms: Denials["ban"];
  readonly graceMs: number;
}

const script = defineScript({
  lua: lua.ban,
  keys: ({ ban: { address } }: BanAttempt) => [
    keys.entry("blocklist", address),
    keys.ban(address),
    keys.banHistory(address),
    keys.pendingBans(),
    ...coverings(blockOf(address)).map((cover) => keys.entry("safelist", cover)),
  ],
  args: ({ ban, terms, graceMs }) => [
    ...[entryValue(ban), JSON.stringify(ban), ban.address, ban.rule],
    ...[terms.forSeconds * 1_000, terms.capSeconds * 1_000, graceMs, mostPending, keys.changes()],
  ],
  reply: (outcome: BanOutcome) => outcome,
});

/** Bans the clients that have reached their rule's measure, unless lockout protection forbids it. Returns whose denials are spent. */
export async function placeBans(
  { control, app, protectedRanges, graceMs }: Placing,
  reached: readonly Denials[],
): Promise<{ spent: Denials[]; isFull: boolean; failure: unknown }> {
  const protect = protector(protectedRanges);
  const wanted = reached.filter(
    ({ target }) => !refusal("blocklist", format(target), { protector: protect, isConfirmed: false }),
  );
  const placed = { spent: [] as Denials[], isFull: false, failure: undefined as unknown };
  if (wanted.length === 0) return placed;
  const at = await now(control);
  for (let from = 0; from < wanted.length; from += mostAtOnce) {
    const some = wanted.slice(from, from + mostAtOnce);
    const outcomes = await Promise.allSettled(
      some.map((denials) =>
        script.run(control, { ban: banFor(denials, app, at), terms: denials.ban, graceMs }),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === "rejected") placed.failure = outcome.reason;
      else if (outcome.value === "full") placed.isFull = true;
      else if (outcome.value !== "safelisted") placed.spent.push(...some.slice(i, i + 1));
    }
  }
  return placed;
}

async function now(control: Connection): Promise<string> {
  return new Date(await redisNow(control)).toISOString();
}

function banFor({ rule, ban, target, times }: Denials, app: string, at: string): Ban {
  const where = app.replace(/\p{Cc}/gu, " ").slice(0, 100);
  const reason = `${times} denials of ${rule} within ${ban.withinSeconds} s at app ${where}`;
  return { address: format(target), rule, reason, at };
}
