import type { Signed } from "../audit/record.ts";
import type { Ip } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { Passwords } from "./passwords.ts";
import type { RefusedSignIns } from "./refused-sign-ins.ts";
import type { Attempts, SignInLimits } from "./sign-in-limits.ts";
import { normalEmail, readUser, type User } from "./user.ts";

/** What stands between a password and the console. */
export interface Door extends Omit<Signed, "actor"> {
  readonly passwords: Passwords;
  readonly limits: SignInLimits;
  readonly refused: RefusedSignIns;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: Ip | undefined;
}

export type Checked =
  | { readonly outcome: "right"; readonly email: string; readonly user: User }
  | { readonly outcome: "wrong"; readonly attempts: Attempts }
  /** Not even looked at. */
  | { readonly outcome: "throttled"; readonly attempts: Attempts };

/** Checks a password. Users that do not exist are told and take as those that do. */
export async function checkPassword(door: Door, { email, password, address }: Credentials): Promise<Checked> {
  const normal = normalEmail(email);
  const account = normal ?? "";
  const attempt = await door.limits.attempt({ address, account }, async () => {
    const { user, hash } = await readCredentials(door.redis, account);
    const isRight = await door.passwords.isRight(hash, password);
    return isRight && user && normal ? { email: normal, user } : undefined;
  });
  if ("done" in attempt) return { outcome: "right", ...attempt.done };
  // Only users are named on record: what was typed in the wrong field might be a password.
  const isUser = (await door.redis.hexists(keys.users(), account)) === 1;
  await door.refused.note({ address, account: isUser ? account : undefined });
  return { outcome: attempt.isTried ? "wrong" : "throttled", attempts: attempt.failed };
}

async function readCredentials(redis: Connection, email: string) {
  // The user first: whoever changes the password in between raises the version, and that session ends at once.
  const replies = await redis.pipeline().hget(keys.users(), email).hget(keys.passwords(), email).exec();
  const [[failure, user] = [null, null], [another, hash] = [null, null]] = replies ?? [];
  if (failure ?? another) throw failure ?? another;
  return {
    user: typeof user === "string" ? readUser(user) : undefined,
    hash: typeof hash === "string" ? hash : undefined,
  };
}
