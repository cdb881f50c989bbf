import { at } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Signed } from "../audit/record.ts";
import type { Passwords } from "./passwords.ts";
import type { RefusedSignIns } from "./refused-sign-ins.ts";
import type { Attempts, SignInLimits, SignInOrigin } from "./sign-in-limits.ts";
import { normalEmail, readUser, type User } from "./user.ts";

/** What checking a password takes. */
export interface PasswordContext extends Omit<Signed, "actor"> {
  readonly passwords: Passwords;
  readonly limits: SignInLimits;
  readonly refused: RefusedSignIns;
}

export interface SignInCredentials extends SignInOrigin {
  readonly email: string;
  readonly password: string;
}

export type PasswordResult =
  | { readonly outcome: "right"; readonly email: string; readonly user: User }
  | { readonly outcome: "wrong"; readonly attempts: Attempts }
  /** The password was not checked. */
  | { readonly outcome: "throttled"; readonly attempts: Attempts };

/** Checks a password. The result and the time are the same for users that do not exist. */
export async function checkPassword(
  ctx: PasswordContext,
  { email, password, ...origin }: SignInCredentials,
): Promise<PasswordResult> {
  const normal = normalEmail(email);
  const account = normal ?? "";
  const attempt = await ctx.limits.attempt({ ...origin, account }, async () => {
    const { user, hash } = await readCredentials(ctx.redis, account);
    const isRight = await ctx.passwords.isRight(hash, password);
    return isRight && user && normal ? { email: normal, user } : undefined;
  });
  if ("done" in attempt) return { outcome: "right", ...attempt.done };
  // Only users are named on record: what was typed in the wrong field might be a password.
  const isUser = (await ctx.redis.hexists(keys.users(), account)) === 1;
  await ctx.refused.note({ address: origin.address, account: isUser ? account : undefined });
  if (isUser && attempt.beginsSlowdown) await ctx.refused.noteSlowdown(account);
  return { outcome: attempt.isTried ? "wrong" : "throttled", attempts: attempt.failed };
}

async function readCredentials(redis: Connection, email: string) {
  // The user first: a password change in between raises the version, which ends the new session at once.
  const replies = await redis.pipeline().hget(keys.users(), email).hget(keys.passwords(), email).exec();
  const [[failure, user], [another, hash]] = [at(replies ?? [], 0), at(replies ?? [], 1)];
  if (failure ?? another) throw failure ?? another;
  return {
    user: typeof user === "string" ? readUser(user) : undefined,
    hash: typeof hash === "string" ? hash : undefined,
  };
}
