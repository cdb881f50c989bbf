import { userInfo } from "node:os";
import type { ProtectedRange } from "../enforce/lists/protected.ts";
import { type Environment, requireRedisUrl } from "../env.ts";
import { DomainError } from "../errors.ts";
import { sealFrom } from "../manage/audit/seal.ts";
import { sealPending } from "../manage/bans/seal-pending.ts";
import type { ListContext } from "../manage/lists/change-entries.ts";
import { readProtection } from "../manage/lists/protection.ts";
import type { UserContext } from "../manage/users/user-lockout.ts";
import {
  type Connection,
  type CountersConnection,
  connectControl,
  connectCounters,
} from "../redis/connect.ts";
import { bare, isForbidden } from "../redis/error-kinds.ts";
import { firstAnswer } from "../redis/first-answer.ts";
import { redisNow } from "../redis/redis-clock.ts";
import { placeOf } from "../redis/target.ts";
import { type Applied, awaitApplied, longestWaitMs } from "./applied.ts";

/** Connection of one command, and what the environment sets for it. */
export interface CommandSession {
  readonly redis: Connection;
  readonly url: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** Time of Redis' clock in ms, by which entries expire. */
  now(): number;
}

export interface WritingSession extends CommandSession {
  readonly context: ListContext & UserContext;
  /** Waits a short time until every node has applied the change. */
  awaitApplied(change: number | null): Promise<Applied | null>;
}

const sealingWithinMs = 2_000;

export async function openSession(environment: Environment): Promise<CommandSession> {
  const url = requireRedisUrl(environment);
  const { protectedRanges } = readProtection(environment);
  const redis = connectControl(url, "patiently", "sluice-cli");
  const lead = await clockLead(redis, placeOf(url)).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });
  return { redis, url, protectedRanges, now: () => Date.now() + lead };
}

/** @param appliedWithinMs longest wait for the nodes after a change */
export async function openToWrite(
  environment: Environment,
  appliedWithinMs = longestWaitMs,
): Promise<WritingSession> {
  if (environment.secret === undefined) {
    const message =
      "NEXTAUTH_SECRET is not set. It seals each change in the audit log. Set it to the value that the console has, and try again.";
    throw new DomainError("not-configured", message, {
      NEXTAUTH_SECRET: "the secret that the console runs with",
    });
  }
  const seal = sealFrom(environment.secret);
  const session = await openSession(environment);
  const context = {
    redis: session.redis,
    protectedRanges: session.protectedRanges,
    seal,
    actor: { name: `cli:${systemUser()}`, via: "cli" },
    hasSso: environment.oidc !== undefined,
  };
  // Bans get their audit records first if time allows. If they cannot be sealed, the write itself reports why.
  await sealPending(context, { withinMs: sealingWithinMs }).catch(() => {});
  return {
    ...session,
    context,
    awaitApplied: (change) => awaitApplied(session.redis, change, appliedWithinMs),
  };
}

/** Lead of Redis' clock over this machine's, in ms. */
async function clockLead(redis: Connection, place: string): Promise<number> {
  try {
    return (await firstAnswer(redis, redisNow(redis))) - Date.now();
  } catch (error) {
    if (isForbidden(error)) return 0;
    const why = error instanceof Error ? error.message : String(error);
    throw new DomainError("redis-unavailable", unreachable(place, why), {}, { cause: error });
  }
}

function unreachable(place: string, why: string): string {
  if (/^(NOAUTH|WRONGPASS)/.test(why)) {
    return `Redis at ${place} refuses the sign-in. Put its user and password into REDIS_URL (or --redis).`;
  }
  return `Redis at ${place} is not reachable: ${bare(why)}. Check that it is running and that REDIS_URL (or --redis) is right.`;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user ID without a name.
    return "unknown";
  }
}

/** Calls `use` with a connection to the counters: the session's own if they are on the same server. */
export async function withCounters<T>(
  { redis, url }: CommandSession,
  { countersRedisUrl = url }: Environment,
  use: (counters: CountersConnection) => Promise<T>,
): Promise<T> {
  if (countersRedisUrl === url) return use(redis);
  const place = placeOf(countersRedisUrl, "COUNTERS_REDIS_URL");
  const counters = connectCounters(countersRedisUrl, "patiently", "sluice-cli");
  try {
    await firstAnswer(counters, counters.time()).catch((error: unknown) => {
      // A server that forbids TIME has answered. The commands that follow report what they may not do.
      if (!isForbidden(error)) throw countersUnreachable(error, place);
    });
    return await use(counters);
  } finally {
    counters.disconnect();
  }
}

function countersUnreachable(cause: unknown, place: string): DomainError {
  const why = bare(cause instanceof Error ? cause.message : String(cause));
  const message = `The counters at ${place} are not reachable: ${why}. Check that they are running and that COUNTERS_REDIS_URL is right.`;
  return new DomainError("redis-unavailable", message, {}, { cause });
}
