import { atHome } from "../redis/home.ts";
import { commit } from "./commit.ts";
import type { Signed } from "./record.ts";

export const refusalsHome = "refusals";
const minuteMs = 60_000;
const mostTallies = 1_000;

interface Refusal {
  readonly action: string;
  readonly reason: string;
}

interface Tally {
  /** When the last record was written. */
  readonly sinceMs: number;
  /** Until then no other is. */
  readonly untilMs: number;
  /** What came since, and no record tells. */
  count: number;
}

/** Puts on record that somebody tried what they may not do. Nothing else is written. */
export async function recordRefusal(ctx: Signed, { action, reason }: Refusal): Promise<void> {
  await commit(ctx, {
    action: `refused:${action}`,
    reason,
    slots: [],
    decide: () => ({ writes: [], isOnRecord: true }),
  });
}

/**
 * The same for who may be in a loop: the first of an actor and an action in a minute is put on record at once, the
 * others are counted, and told by the next record.
 */
export async function tallyRefusal(ctx: Signed, refusal: Refusal, now = Date.now()): Promise<void> {
  const tallies = atHome(refusalsHome, () => new Map<string, Tally>());
  const key = JSON.stringify([ctx.actor.name, refusal.action]);
  const before = tallies.get(key);
  if (before && now < before.untilMs) {
    before.count++;
    return;
  }
  const tally: Tally = { sinceMs: now, untilMs: now + minuteMs, count: 0 };
  put(tallies, key, tally);
  try {
    await recordRefusal(ctx, { ...refusal, reason: `${refusal.reason}${more(before)}` });
  } catch (error) {
    // The next one tries again, and tells these, too.
    const count = tally.count + (before?.count ?? 0) + 1;
    put(tallies, key, { sinceMs: before?.sinceMs ?? now, untilMs: now, count });
    throw error;
  }
}

function more(before: Tally | undefined): string {
  if (!before || before.count === 0) return "";
  return `, and ${before.count} more since ${new Date(before.sinceMs).toISOString()}`;
}

/** The newest last; the oldest makes room. */
function put(tallies: Map<string, Tally>, key: string, tally: Tally): void {
  tallies.delete(key);
  const [oldest] = tallies.keys();
  if (oldest !== undefined && tallies.size >= mostTallies) tallies.delete(oldest);
  tallies.set(key, tally);
}
