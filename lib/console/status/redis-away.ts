import { oncePerProcess } from "../../redis/once-per-process.ts";

interface LastSeen {
  answeredAt?: number;
  awaySince?: number | undefined;
}

/** An older answer says nothing about when Redis stopped. Pages ask every two seconds. */
const recentMs = 10_000;

const lastSeen = () => oncePerProcess("redis away", (): LastSeen => ({}));

/** Notes that the status was read. */
export function noteAnswer(now: number): void {
  Object.assign(lastSeen(), { answeredAt: now, awaySince: undefined });
}

/** Notes that Redis did not answer. Returns since when, as far as reads of this process have noticed. */
export function noteSilence(now: number): number {
  const seen = lastSeen();
  const { answeredAt = Number.NEGATIVE_INFINITY } = seen;
  seen.awaySince ??= now - answeredAt < recentMs ? answeredAt : now;
  return seen.awaySince;
}

/** Since when Redis does not answer. Undefined while it does. */
export function redisAwaySince(): number | undefined {
  return lastSeen().awaySince;
}
