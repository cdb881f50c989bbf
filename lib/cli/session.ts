import { userInfo } from "node:os";
import { sealFrom } from "../audit/seal.ts";
import { sealPending } from "../bans/seal-pending.ts";
import { type Environment, requireRedisUrl } from "../env.ts";
import { DomainError } from "../errors.ts";
import { parseTrust } from "../ip/client-address.ts";
import { type Cidr, type Ip, parseAddress } from "../ip/parse.ts";
import type { Context } from "../lists/context.ts";
import { type ProtectedRange, protectedRanges } from "../lists/protected.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { firstAnswer } from "../redis/first-answer.ts";
import { placeOf } from "../redis/target.ts";
import { bare, isForbidden } from "../redis/trouble.ts";

/** One command's connection, and what the environment says about it. */
export interface Session {
  readonly redis: Connection;
  readonly url: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** Redis' clock in ms, by which entries end. */
  now(): number;
}

export interface WritingSession extends Session {
  readonly context: Context;
}

const sealingWithinMs = 2_000;

export async function openSession(environment: Environment): Promise<Session> {
  const url = requireRedisUrl(environment);
  const ranges = readProtected(environment);
  const redis = connectControl(url, "patiently", "sluice-cli");
  const lead = await clockLead(redis, placeOf(url)).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });
  return { redis, url, protectedRanges: ranges, now: () => Date.now() + lead };
}

export async function openToWrite(environment: Environment): Promise<WritingSession> {
  if (environment.secret === undefined) {
    const message =
      "NEXTAUTH_SECRET is not set. Each change is sealed in the audit log with it: use the console's own, then try again.";
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
  };
  // Bans come first on record, if time allows; why they cannot be sealed, the write itself will say.
  await sealPending(context, { withinMs: sealingWithinMs }).catch(() => {});
  return { ...session, context };
}

/** How many ms Redis' clock is ahead. */
async function clockLead(redis: Connection, place: string): Promise<number> {
  try {
    const [seconds = 0, micros = 0] = await firstAnswer(redis, redis.time());
    return Number(seconds) * 1_000 + Number(micros) / 1_000 - Date.now();
  } catch (error) {
    if (isForbidden(error)) return 0;
    const why = error instanceof Error ? error.message : String(error);
    throw new DomainError("redis-unavailable", unreachable(place, why), {}, { cause: error });
  }
}

function unreachable(place: string, why: string): string {
  if (/^(NOAUTH|WRONGPASS)/.test(why)) {
    return `Redis at ${place} refuses the sign-in: put its user and password into REDIS_URL (or --redis).`;
  }
  return `Redis at ${place} is not reachable: ${bare(why)}. Is it running, and is REDIS_URL (or --redis) right?`;
}

function readProtected({ trustedProxies, neverBlock }: Environment): readonly ProtectedRange[] {
  const trust = parseTrust(trustedProxies);
  if (!trust.ok) throw badSetting("SLUICE_TRUSTED_PROXIES", trust.reason);
  const texts = (neverBlock ?? "").split(/[\s,]+/).filter(Boolean);
  return protectedRanges({
    trustedProxies: trust.value.ranges.ranges,
    neverBlock: texts.map(readNeverBlock),
  });
}

function readNeverBlock(text: string): Ip | Cidr {
  const range = parseAddress(text);
  if (!range.ok) throw badSetting("SLUICE_NEVER_BLOCK", range.reason);
  return range.value;
}

function badSetting(name: string, reason: string): DomainError {
  return new DomainError("bad-input", `${name}: ${reason}.`, { [name]: reason });
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no user has.
    return "unknown";
  }
}
