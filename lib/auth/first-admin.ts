import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { sealFrom } from "../audit/seal.ts";
import type { Environment } from "../env.ts";
import { DomainError } from "../errors.ts";
import { keys } from "../redis/keys.ts";
import { controlConnection } from "../redis/roles.ts";
import { newUser } from "./invite.ts";
import { type Passwords, passwordProblem } from "./passwords.ts";
import { normalEmail, writeUser } from "./user.ts";
import { at, userSlots } from "./user-slots.ts";

type Hash = Pick<Passwords, "hash">;
type Settings = Pick<Environment, "adminEmail" | "adminPassword">;

export interface FirstAdmin {
  readonly email: string;
  /** Only what was made up here: nobody else knows it. */
  readonly generated: string | undefined;
}

const usualEmail = "admin@localhost";
const retryMs = 2_000;
const waitMs = 3_000;

/** Makes the first admin if there is no user. Of several processes that start at once, one does. */
export async function makeFirstAdmin(
  ctx: Omit<Signed, "actor">,
  { adminEmail, adminPassword }: Settings,
  passwords: Hash,
): Promise<FirstAdmin | undefined> {
  if ((await ctx.redis.hlen(keys.users())) > 0) return undefined;
  const email = adminEmail === undefined ? usualEmail : normalEmail(adminEmail);
  if (email === undefined) throw new DomainError("bad-input", "SLUICE_ADMIN_EMAIL is no email address.");
  const generated = adminPassword === undefined ? newPassword() : undefined;
  const value = await passwords.hash(adminPassword ?? generated ?? "");
  const { decision } = await commit(
    { ...ctx, actor: { name: "sluice", via: "start" } },
    {
      action: "user.first-admin",
      reason: "there was no user",
      slots: userSlots(email),
      hashes: [keys.users()],
      decide({ now, hashes: [users] }) {
        if (users && users.size > 0) return { writes: [] };
        const user = writeUser(newUser("admin", now, { by: "password" }));
        return {
          writes: [
            { slot: at.user, to: { value: user, expiresAt: null } },
            { slot: at.password, to: { value, expiresAt: null } },
          ],
        };
      },
    },
  );
  return decision.writes.length > 0 ? { email, generated } : undefined;
}

/**
 * Sees to it at the start of a console, and says so in one line, which `npm run up` puts into its greeting. Waits a
 * moment for it, and goes on trying behind the console's back while Redis is away.
 */
export async function welcomeFirstAdmin(
  env: Environment,
  passwords: Hash,
  print: (line: string) => void = console.warn,
): Promise<void> {
  const { redisUrl, secret } = env;
  if (redisUrl === undefined || secret === undefined) return;
  const ctx = { redis: controlConnection(redisUrl), seal: sealFrom(secret) };
  const done = untilAnswered(() => makeFirstAdmin(ctx, env, passwords)).then(
    (made) => made && print(sayFirstAdmin(made, env)),
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

function sayFirstAdmin({ email, generated }: FirstAdmin, { adminPassword = "" }: Environment): string {
  if (generated !== undefined)
    return `sluice: first admin ${email}, password ${generated} (shown this once; change it under Settings, Account)`;
  const problem = passwordProblem(adminPassword, email);
  const advice = problem === undefined ? "" : ` (${problem}: choose a better one under Settings, Account)`;
  return `sluice: first admin ${email}, with the password of SLUICE_ADMIN_PASSWORD${advice}`;
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** About a hundred bits, in letters that nobody mistakes for others. */
function newPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
