import { randomBytes } from "node:crypto";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Holding, Slot } from "../../redis/snapshot.ts";
import type { SlotWrite } from "../audit/commit.ts";
import type { Role } from "./roles.ts";
import { readUser, type User } from "./user.ts";

export const idleMs = 30 * 60_000;
export const longestMs = 8 * 3_600_000;

/** A session of a signed-in user. */
export interface UserSession {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
}

interface StoredSession {
  readonly email: string;
  /** The user's version when the session began: another one ends it. */
  readonly version: number;
  readonly startedAt: number;
  readonly lastActivity: number;
}

export async function openSession(
  redis: Connection,
  { email, version }: { readonly email: string; readonly version: number },
  now = Date.now(),
): Promise<string> {
  const id = randomBytes(24).toString("base64url");
  const held: StoredSession = { email, version, startedAt: now, lastActivity: now };
  await redis
    .pipeline()
    .set(keys.session(id), JSON.stringify(held), "PX", idleMs)
    .zremrangebyscore(keys.sessions(), "-inf", now)
    .zadd(keys.sessions(), now + longestMs, id)
    .exec()
    .then(refuseFailed);
  return id;
}

/**
 * The session as of now: a user who was removed, or whose role or password has changed, has none.
 * @param isActivity false for polling, which does not prolong a session
 */
export async function findSession(
  redis: Connection,
  id: string,
  { isActivity, now = Date.now() }: { readonly isActivity: boolean; readonly now?: number },
): Promise<UserSession | undefined> {
  const held = readHeld(await redis.get(keys.session(id)));
  if (!held) return undefined;
  const user = readUser(await redis.hget(keys.users(), held.email));
  // A Redis that takes no writes now (full, read-only) must not keep users from reading.
  if (!user || !isInForce(held, user, now)) {
    await closeSession(redis, id).catch(() => {});
    return undefined;
  }
  if (isActivity) await touch(redis, id, held, now).catch(() => {});
  return { id, email: held.email, role: user.role };
}

export async function closeSession(redis: Connection, id: string): Promise<void> {
  await redis.pipeline().del(keys.session(id)).zrem(keys.sessions(), id).exec().then(refuseFailed);
}

/** The place of a session, for a change that ends it. */
export function sessionSlot(id: string, email: string): Slot {
  return { key: keys.session(id), target: email, isAside: true };
}

/** The same session for a new version of its user: users who change their own password stay signed in. */
export function carriedSession({ kind, value, expiresAt }: Holding, version: number): SlotWrite["to"] {
  const held = kind === "string" ? readHeld(value) : undefined;
  return held ? { value: JSON.stringify({ ...held, version }), expiresAt } : null;
}

/** How many sessions each user has open. */
export async function countSessions(
  redis: Connection,
  users: ReadonlyMap<string, User>,
  now = Date.now(),
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const ids = await redis.zrangebyscore(keys.sessions(), now, "+inf");
  const texts = ids.length > 0 ? await redis.mget(ids.map(keys.session)) : [];
  for (const held of texts.map(readHeld)) {
    const user = held && users.get(held.email);
    if (user && isInForce(held, user, now)) counts.set(held.email, (counts.get(held.email) ?? 0) + 1);
  }
  return counts;
}

function isInForce({ version, startedAt, lastActivity }: StoredSession, user: User, now: number): boolean {
  return user.version === version && now - lastActivity < idleMs && now - startedAt < longestMs;
}

async function touch(redis: Connection, id: string, held: StoredSession, now: number): Promise<void> {
  const leftMs = Math.min(idleMs, held.startedAt + longestMs - now);
  // XX: a session that was ended in between stays ended.
  await redis.set(keys.session(id), JSON.stringify({ ...held, lastActivity: now }), "PX", leftMs, "XX");
}

function refuseFailed(replies: [Error | null, unknown][] | null): void {
  for (const [error] of replies ?? []) if (error) throw error;
}

function readHeld(text: string | null): StoredSession | undefined {
  const { email, version, startedAt, lastActivity } = parseObject(text ?? "") ?? {};
  if (typeof email !== "string" || typeof version !== "number") return undefined;
  if (typeof startedAt !== "number" || typeof lastActivity !== "number") return undefined;
  return { email, version, startedAt, lastActivity };
}
