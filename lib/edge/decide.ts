import type { EdgePolicy } from "../policy/edge.ts";
import type { FingerprintKind } from "./fingerprint-tally.ts";
import type { Fingerprint, Over } from "./sightings.ts";

/** Somebody who is turned away at the edge. */
export interface Limited {
  readonly fingerprint: Fingerprint;
  /** Ms of Redis' clock. */
  readonly since: number;
  /** The last minute in which it came too often. */
  readonly lastOver: number;
  /** How often it came in its worst minute. */
  readonly count: number;
  readonly limit: number;
  /** Ms of Redis' clock: when it is let in again, if it does not come too often before. */
  readonly until: number;
  /** The dictionaries that have a place for it; none in shadow, off, or where others are worse. */
  readonly at?: readonly string[];
}

export interface Seen {
  readonly nowMs: number;
  readonly policy: EdgePolicy;
  readonly over: readonly Over[];
  /** Key → the minute in which somebody let it in again: what it did until then does not count. */
  readonly cleared: ReadonlyMap<string, number>;
  /** Nobody may turn it away: it is safelisted, or protected. */
  readonly isFree: (fingerprint: Fingerprint) => boolean;
  /** How many may be limited; of more, the worst. */
  readonly most: number;
}

const minuteMs = 60_000;

export const limitsOf = (policy: EdgePolicy): Record<FingerprintKind, number> => ({
  standard: policy.standardPerMinute,
  broad: policy.broadPerMinute,
});

/** Who is limited now, given who was, worst first. Pure, so that any process that takes over comes to the same. */
export function decide(before: ReadonlyMap<string, Limited>, seen: Seen): Map<string, Limited> {
  const { over, nowMs, most } = seen;
  const limits = limitsOf(seen.policy);
  const found = new Map<string, Limited>();
  for (const [key, limited] of before) {
    const limit = limits[limited.fingerprint.kind];
    if (limited.count > limit) found.set(key, { ...limited, limit, until: untilOf(limited.lastOver, seen) });
  }
  for (const one of over) {
    const { key } = one.fingerprint;
    found.set(key, merged(found.get(key), one, { limit: limits[one.fingerprint.kind], seen }));
  }
  const kept = [...found.values()].filter((limited) => limited.until > nowMs && isBound(limited, seen));
  return new Map(worstOf(kept, most, before).map((limited) => [limited.fingerprint.key, limited]));
}

/**
 * The worst of more than fit, worst first. Who has a place gives it up only to who is twice as bad: the edge spares it further
 * counts, and would otherwise change with every sweep.
 */
export function worstOf(
  limited: readonly Limited[],
  most: number,
  places: { has(key: string): boolean },
): readonly Limited[] {
  const sorted = limited.toSorted(worseFirst);
  if (sorted.length <= most) return sorted;
  const weight = (one: Limited) => (one.count / one.limit) * (places.has(one.fingerprint.key) ? 2 : 1);
  return sorted.toSorted((a, b) => weight(b) - weight(a)).slice(0, most);
}

/** By how far over its limit it went; then who was first. */
export function worseFirst(a: Limited, b: Limited): number {
  return (
    b.count / b.limit - a.count / a.limit ||
    a.since - b.since ||
    (a.fingerprint.key < b.fingerprint.key ? -1 : 1)
  );
}

function merged(
  before: Limited | undefined,
  { fingerprint, minute, count }: Over,
  { limit, seen }: { limit: number; seen: Seen },
): Limited {
  const lastOver = Math.max(before?.lastOver ?? 0, minute);
  return {
    fingerprint,
    since: before?.since ?? seen.nowMs,
    lastOver,
    count: Math.max(before?.count ?? 0, count),
    limit,
    until: untilOf(lastOver, seen),
  };
}

function untilOf(lastOver: number, { policy }: Seen): number {
  return (lastOver + 1 + policy.coolDownMinutes) * minuteMs;
}

function isBound({ fingerprint, lastOver }: Limited, { cleared, isFree }: Seen): boolean {
  return lastOver > (cleared.get(fingerprint.key) ?? Number.NEGATIVE_INFINITY) && !isFree(fingerprint);
}
