import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../../env.ts";
import { DomainError, errorLine } from "../../errors.ts";
import { controlConnection } from "../../redis/connections.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { sealFrom } from "../audit/seal.ts";
import type { FirstAdminWatch, SeenAdmin } from "./first-admin-watch.ts";
import { newUser } from "./invite.ts";
import { type Passwords, passwordProblem } from "./passwords.ts";
import { normalEmail, writeUser } from "./user.ts";
import { userSlot, userSlots } from "./user-slots.ts";

type PasswordHasher = Pick<Passwords, "hash">;
type FirstAdminSettings = Pick<Environment, "adminEmail" | "adminPassword">;

export interface FirstAdmin {
  readonly email: string;
  /** The generated password, if none was given. */
  readonly generated: string | undefined;
  /** There were users, and Redis lost all of them. */
  readonly isAgain: boolean;
}

const usualEmail = "admin@localhost";
const retryMs = 2_000;
const waitMs = 3_000;

/**
 * Makes the first admin if there is no user. Of several processes that start at once, one does.
 * @param seen what this process remembers of an earlier first admin: a password of the environment that was changed since does not
 * come back
 */
export async function makeFirstAdmin(
  ctx: Omit<Signed, "actor">,
  { adminEmail, adminPassword }: FirstAdminSettings,
  passwords: PasswordHasher,
  seen?: SeenAdmin,
): Promise<FirstAdmin | undefined> {
  if ((await ctx.redis.hlen(keys.users())) > 0) return undefined;
  const email = firstAdminEmail({ adminEmail });
  const isChanged = seen !== undefined && !seen.hasPasswordOfEnvironment;
  const given = isChanged ? undefined : adminPassword;
  const fresh = newPassword();
  const generated = given === undefined ? fresh : undefined;
  const value = await passwords.hash(given ?? fresh);
  const firstPassword = generated === undefined ? "environment" : "log";
  const { decision } = await commit(
    { ...ctx, actor: { name: "sluice", via: "start" } },
    {
      action: "user.first-admin",
      reason: seen ? "Redis lost all users" : "there was no user",
      slots: userSlots(email),
      hashes: [keys.users()],
      decide({ now, hashes: [users] }) {
        if (users && users.size > 0) return { writes: [] };
        const user = writeUser(newUser("admin", now, { by: "password", firstPassword }));
        return {
          writes: [
            { slot: userSlot.user, to: { value: user, expiresAt: null } },
            { slot: userSlot.password, to: { value, expiresAt: null } },
          ],
        };
      },
    },
  );
  return decision.writes.length > 0 ? { email, generated, isAgain: seen !== undefined } : undefined;
}

export function firstAdminEmail({ adminEmail }: Pick<FirstAdminSettings, "adminEmail">): string {
  const email = adminEmail === undefined ? usualEmail : normalEmail(adminEmail);
  if (email === undefined) throw new DomainError("bad-input", "SLUICE_ADMIN_EMAIL is not an email address.");
  return email;
}

/**
 * Makes the first admin at the start of a console, and says so in one line, which `npm run up` puts into its greeting. Waits a
 * moment for it, and keeps trying in the background while Redis is away.
 * @param watch remembers for the next time, when Redis has lost all users
 */
export async function welcomeFirstAdmin(
  env: Environment,
  passwords: PasswordHasher,
  print: (line: string) => void = console.warn,
  watch?: FirstAdminWatch,
): Promise<void> {
  const { redisUrl, secret } = env;
  if (redisUrl === undefined || secret === undefined) return;
  const ctx = { redis: controlConnection(redisUrl), seal: sealFrom(secret) };
  const isFirstTime = watch?.takeTurn();
  const make = async () => {
    // Before: another call of this process may be making the admin now, and says so itself.
    await watch?.look();
    const isStillFirst = watch?.seen?.hasFirstPassword;
    return { isStillFirst, made: await makeFirstAdmin(ctx, env, passwords, watch?.seen) };
  };
  const done = untilAnswered(make).then(
    async ({ isStillFirst, made }) => {
      if (made) print(sayFirstAdmin(made, env));
      else if (isStillFirst && isFirstTime) print(sayStillFirst(env));
      await watch?.look();
    },
    (error: unknown) => print(`sluice: no first admin was made: ${saidBy(error)}`),
  );
  await Promise.race([done, pause(waitMs, undefined, { ref: false })]);
}

async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      await pause(retryMs, undefined, { ref: false });
    }
  }
}

function sayFirstAdmin({ email, generated, isAgain }: FirstAdmin, { adminPassword }: Environment): string {
  const again = isAgain ? "Redis lost all users; " : "";
  if (generated !== undefined) {
    const isOther = adminPassword !== undefined;
    const why = isOther ? "SLUICE_ADMIN_PASSWORD does not count, because it was changed before; " : "";
    return `sluice: first admin ${email}, password ${generated} (${again}${why}shown this once; change it under Settings, Account)`;
  }
  const problem = passwordProblem(adminPassword ?? "", email);
  const advice =
    problem === undefined
      ? "change it under Settings, Account"
      : `${problem}: choose a better one under Settings, Account`;
  return `sluice: first admin ${email}, with the password of SLUICE_ADMIN_PASSWORD (${again}${advice})`;
}

/** Worded differently from a new password, which `npm run up` looks for. */
function sayStillFirst(env: Environment): string {
  return `sluice: the password of ${firstAdminEmail(env)} is still the first one, which others may have read. Change it under Settings, Account.`;
}

const saidBy = (error: unknown): string => (error instanceof DomainError ? error.message : errorLine(error));

/** About a hundred bits, in letters that are not mistaken for others. */
function newPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
