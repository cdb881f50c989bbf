import { oncePerProcess } from "../../redis/once-per-process.ts";
import { commit } from "./commit.ts";
import type { Signed } from "./record.ts";

export const refusalsHome = "refusals";
const minuteMs = 60_000;
const mostTallies = 1_000;

interface RefusedAttempt {
  readonly action: string;
  readonly reason: string;
}

interface AttemptTally {
  /** When the last record was written. */
  readonly sinceMs: number;
  /** Until then no other record is written. */
  readonly untilMs: number;
  /** Attempts since then, which are in no record yet. */
  count: number;
}

/** Records an attempt that was refused because the actor has no permission. Nothing else is written. */
export async function recordRefusal(ctx: Signed, { action, reason }: RefusedAttempt): Promise<void> {
  await commit(ctx, {
    action: `refused:${action}`,
    reason,
    slots: [],
    decide: () => ({ writes: [], isOnRecord: true }),
  });
}

/**
 * The same for callers that may be in a loop. Of an actor and an action, the first attempt in a minute is recorded at once.
 * The others are counted, and the next record says how many.
 */
export async function tallyRefusal(ctx: Signed, refusal: RefusedAttempt, now = Date.now()): Promise<void> {
  const tallies = oncePerProcess(refusalsHome, () => new Map<string, AttemptTally>());
  const key = JSON.stringify([ctx.actor.name, refusal.action]);
  const before = tallies.get(key);
  if (before && now < before.untilMs) {
    before.count++;
    return;
  }
  const tally: AttemptTally = { sinceMs: now, untilMs: now + minuteMs, count: 0 };
  put(tallies, key, tally);
  try {
    await recordRefusal(ctx, { ...refusal, reason: `${refusal.reason}${more(before)}` });
  } catch (error) {
    // The next record tries again, and includes these.
    const count = tally.count + (before?.count ?? 0) + 1;
    put(tallies, key, { sinceMs: before?.sinceMs ?? now, untilMs: now, count });
    throw error;
  }
}

function more(before: AttemptTally | undefined): string {
  if (!before || before.count === 0) return "";
  return `, and ${before.count} more since ${new Date(before.sinceMs).toISOString()}`;
}

/** The newest last; the oldest makes room. */
function put(tallies: Map<string, AttemptTally>, key: string, tally: AttemptTally): void {
  tallies.delete(key);
  const [oldest] = tallies.keys();
  if (oldest !== undefined && tallies.size >= mostTallies) tallies.delete(oldest);
  tallies.set(key, tally);
}
