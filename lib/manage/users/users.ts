import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { countSessions } from "./sessions.ts";
import { readSignIns, type SignIn } from "./sign-in.ts";
import { readUser, type User } from "./user.ts";

/** A user as pages show it. */
export interface KnownUser extends Omit<User, "version" | "identity" | "firstPassword"> {
  readonly email: string;
  /** Whether there is a way in: a password, or single sign-on. */
  readonly canSignIn: boolean;
  readonly lastSignIn: SignIn | null;
  readonly sessions: number;
}

/** All users, by email. Fields that are not a user are left out. */
export async function listUsers(redis: Connection, now = Date.now()): Promise<KnownUser[]> {
  const users = new Map<string, User>();
  for (const [email, text] of Object.entries(await redis.hgetall(keys.users()))) {
    const user = readUser(text);
    if (user) users.set(email, user);
  }
  const [withPassword, signIns, sessions] = await Promise.all([
    redis.hkeys(keys.passwords()),
    readSignIns(redis),
    countSessions(redis, users, now),
  ]);
  return [...users]
    .map(([email, { version: _, identity: __, firstPassword: ___, ...user }]) => ({
      ...{ email, ...user, sessions: sessions.get(email) ?? 0, lastSignIn: signIns.get(email) ?? null },
      canSignIn: user.by === "sso" || withPassword.includes(email),
    }))
    .sort((a, b) => (a.email < b.email ? -1 : 1));
}

export async function findUser(redis: Connection, email: string): Promise<User | undefined> {
  return readUser(await redis.hget(keys.users(), email));
}
