import type { Environment } from "../env.ts";
import { DomainError } from "../errors.ts";
import { type CountersConnection, connectCounters } from "../redis/connect.ts";
import { firstAnswer } from "../redis/first-answer.ts";
import { placeOf } from "../redis/target.ts";
import { bare, isForbidden } from "../redis/trouble.ts";
import type { Session } from "./session.ts";

/** Lends a connection to where usage is counted: the session's own when that is the same server. */
export async function withCounters<T>(
  { redis, url }: Session,
  { countersRedisUrl = url }: Environment,
  use: (counters: CountersConnection) => Promise<T>,
): Promise<T> {
  if (countersRedisUrl === url) return use(redis);
  const place = placeOf(countersRedisUrl, "COUNTERS_REDIS_URL");
  const counters = connectCounters(countersRedisUrl, "patiently", "sluice-cli");
  try {
    await firstAnswer(counters, counters.time()).catch((error: unknown) => {
      // A refusal is an answer, too; whether it matters is seen when it does.
      if (!isForbidden(error)) throw unreachable(error, place);
    });
    return await use(counters);
  } finally {
    counters.disconnect();
  }
}

function unreachable(cause: unknown, place: string): DomainError {
  const why = bare(cause instanceof Error ? cause.message : String(cause));
  const message = `The counters at ${place} are not reachable: ${why}. Do they run, and is COUNTERS_REDIS_URL right?`;
  return new DomainError("redis-unavailable", message, {}, { cause });
}
