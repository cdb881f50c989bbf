import type { FingerprintKind } from "../../enforce/edge/fingerprint-tally.ts";
import type { Fingerprint, Over } from "../../enforce/edge/sightings.ts";
import type { EdgePolicy } from "../../enforce/policy/edge-rules.ts";

/** A client that the edge denies. */
export interface Limited {
  readonly fingerprint: Fingerprint;
  /** Ms of Redis' clock. */
  readonly since: number;
  /** The last minute in which it exceeded the limit. */
  readonly lastOver: number;
  /** Requests in its worst minute. */
  readonly count: number;
  readonly limit: number;
  /** Ms of Redis' clock: the end, unless it exceeds the limit again before. */
  readonly until: number;
  /** Dictionaries that have a place for it. None in shadow, off, or if others are worse. */
  readonly at?: readonly string[];
}

export interface DecisionInputs {
  readonly nowMs: number;
  readonly policy: EdgePolicy;
  readonly over: readonly Over[];
  /** Key → the minute of its clearing. Requests until then do not count. */
  readonly cleared: ReadonlyMap<string, number>;
  /** Whether it may not be denied: it is safelisted, or in a protected range. */
  readonly isExempt: (fingerprint: Fingerprint) => boolean;
  /** The number of clients that may be limited. Of more, the worst are. */
  readonly most: number;
}

const minuteMs = 60_000;

export const limitsOf = (policy: EdgePolicy): Record<FingerprintKind, number> => ({
  standard: policy.standardPerMinute,
  broad: policy.broadPerMinute,
});

/** Clients that are limited now, worst first. Pure, so that another process decides the same when it takes over. */
export function decide(before: ReadonlyMap<string, Limited>, inputs: DecisionInputs): Map<string, Limited> {
  const { over, nowMs, most } = inputs;
  const limits = limitsOf(inputs.policy);
  const found = new Map<string, Limited>();
  for (const [key, limited] of before) {
    const limit = limits[limited.fingerprint.kind];
    if (limited.count > limit)
      found.set(key, { ...limited, limit, until: untilOf(limited.lastOver, inputs) });
  }
  for (const one of over) {
    const { key } = one.fingerprint;
    found.set(key, merged(found.get(key), one, { limit: limits[one.fingerprint.kind], inputs }));
  }
  const kept = [...found.values()].filter((limited) => limited.until > nowMs && isBound(limited, inputs));
  return new Map(worstOf(kept, most, before).map((limited) => [limited.fingerprint.key, limited]));
}

/**
 * The worst of more clients than fit, worst first. A client keeps its place unless another is twice as bad. Otherwise places
 * would change with every pass, because the count of a client that the edge denies no longer grows.
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

/** Sorts by how far over the limit, then by time. */
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
  { limit, inputs }: { limit: number; inputs: DecisionInputs },
): Limited {
  const lastOver = Math.max(before?.lastOver ?? 0, minute);
  return {
    fingerprint,
    since: before?.since ?? inputs.nowMs,
    lastOver,
    count: Math.max(before?.count ?? 0, count),
    limit,
    until: untilOf(lastOver, inputs),
  };
}

function untilOf(lastOver: number, { policy }: DecisionInputs): number {
  return (lastOver + 1 + policy.coolDownMinutes) * minuteMs;
}

function isBound({ fingerprint, lastOver }: Limited, { cleared, isExempt }: DecisionInputs): boolean {
  return lastOver > (cleared.get(fingerprint.key) ?? Number.NEGATIVE_INFINITY) && !isExempt(fingerprint);
}
