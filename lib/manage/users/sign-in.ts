import { DomainError } from "../../errors.ts";
import { type Ip, parseIp } from "../../ip/parse.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { openSession } from "./sessions.ts";
import type { User } from "./user.ts";

/** The time and address of a user's last sign-in. */
export interface SignIn {
  /** ISO */
  readonly at: string;
  readonly by: User["by"];
  /** Null where it was not known; undefined of a sign-in that an earlier console recorded. */
  readonly address?: Ip | null;
  /** The address forwarded for another client, and is not among the trusted proxies. */
  readonly isForwarded?: true;
}

type Signing = Pick<User, "version" | "by"> & {
  readonly email: string;
  readonly isForwarded?: boolean | undefined;
};

/**
 * Begins a session for a user whose identity is proved, and records it. A log that cannot be continued must not prevent a
 * sign-in: staff need the console to see the problem.
 */
export async function signIn(
  ctx: Signed,
  { email, version, by, isForwarded = false }: Signing,
  log: (line: string) => void,
): Promise<string> {
  const id = await openSession(ctx.redis, { email, version });
  await recordSignIn(ctx, { email, by, isForwarded }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    log(`sluice: the sign-in of ${email} could not be recorded: ${error.message}`);
  });
  return id;
}

async function recordSignIn(
  ctx: Signed,
  { email, by, isForwarded }: Omit<Signing, "version">,
): Promise<void> {
  await commit(ctx, {
    action: "sign-in",
    reason: by === "sso" ? "by single sign-on" : "by password",
    slots: [{ key: keys.signIns(), field: email, target: email, isAside: true }],
    decide: ({ now }) => {
      const signIn: SignIn = {
        ...{ at: new Date(now).toISOString(), by, address: ctx.actor.address ?? null },
        ...(isForwarded && { isForwarded }),
      };
      return { writes: [{ slot: 0, to: { value: JSON.stringify(signIn), expiresAt: null } }] };
    },
  });
}

/** The last sign-in of one user. */
export async function readSignInOf(redis: Connection, email: string): Promise<SignIn | undefined> {
  const text = await redis.hget(keys.signIns(), email);
  return text === null ? undefined : readSignIn(text);
}

export async function readSignIns(redis: Connection): Promise<Map<string, SignIn>> {
  const found = new Map<string, SignIn>();
  for (const [email, text] of Object.entries(await redis.hgetall(keys.signIns()))) {
    const signIn = readSignIn(text);
    if (signIn) found.set(email, signIn);
  }
  return found;
}

function readSignIn(text: string): SignIn | undefined {
  const { at, by, address, isForwarded } = parseObject(text) ?? {};
  if (typeof at !== "string") return undefined;
  const parsed = typeof address === "string" ? parseIp(address) : undefined;
  const known = parsed?.ok ? { address: parsed.value } : address === null ? { address } : {};
  const through = isForwarded === true ? { isForwarded: true as const } : {};
  return { at, by: by === "sso" ? by : "password", ...known, ...through };
}
