import type { DomainError, ErrorCode } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** Why the check gives no verdict: the caller's token, the app it names, its question, or the console's own settings. */
export const refusalReasons = ["token", "app", "question", "settings"] as const;
type RefusalReason = (typeof refusalReasons)[number];

const reasons: Partial<Record<ErrorCode, RefusalReason>> = {
  "not-allowed": "token",
  "not-found": "app",
  "bad-input": "question",
};

const logEveryMs = 60_000;

interface Refusals {
  readonly total: number;
  readonly sinceLogged: number;
  readonly loggedAt: number;
}

const none: Refusals = { total: 0, sinceLogged: 0, loggedAt: Number.NEGATIVE_INFINITY };

const refusals = () => oncePerProcess("check refusals", () => new Map<RefusalReason, Refusals>());

/**
 * Counts a request of a proxy that got no verdict, and logs at most one line a minute for each reason: what is wrong lasts, and
 * anyone can send a wrong token.
 */
export function countRefusal(
  error: DomainError,
  log: (line: string) => void = console.warn,
  now = performance.now(),
): void {
  const reason = reasons[error.code] ?? "settings";
  const before = refusals().get(reason) ?? none;
  const [total, sinceLogged] = [before.total + 1, before.sinceLogged + 1];
  const isDue = now - before.loggedAt >= logEveryMs;
  refusals().set(
    reason,
    isDue ? { total, sinceLogged: 0, loggedAt: now } : { ...before, total, sinceLogged },
  );
  if (isDue) {
    const count = sinceLogged === 1 ? "a request" : `${sinceLogged} requests`;
    log(`sluice: /api/check gave no verdict on ${count}: ${error.message}`);
  }
}

/** How many requests got no verdict since the process started, by reason. */
export function refusalCounts(): ReadonlyMap<RefusalReason, number> {
  return new Map(refusalReasons.map((reason) => [reason, refusals().get(reason)?.total ?? 0]));
}
