import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { openSession } from "./sessions.ts";
import type { User } from "./user.ts";

/** When and from where somebody signed in last. */
export interface SignIn {
  /** ISO */
  readonly at: string;
  readonly by: User["by"];
}

/**
 * Begins a session for somebody who has proved who they are, and puts it on record. A log that cannot be continued
 * must not keep anybody out: it takes somebody inside to see that.
 */
export async function signIn(
  ctx: Signed,
  { email, version, by }: Pick<User, "version" | "by"> & { readonly email: string },
  log: (line: string) => void,
): Promise<string> {
  const id = await openSession(ctx.redis, { email, version });
  await recordSignIn(ctx, email, by).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    log(`sluice: the sign-in of ${email} could not be put on record: ${error.message}`);
  });
  return id;
}

async function recordSignIn(ctx: Signed, email: string, by: User["by"]): Promise<void> {
  await commit(ctx, {
    action: "sign-in",
    reason: by === "sso" ? "by single sign-on" : "by password",
    slots: [{ key: keys.signIns(), field: email, target: email, isAside: true }],
    decide: ({ now }) => {
      const signIn: SignIn = { at: new Date(now).toISOString(), by };
      return { writes: [{ slot: 0, to: { value: JSON.stringify(signIn), expiresAt: null } }] };
    },
  });
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
  try {
    const { at, by } = (JSON.parse(text) ?? {}) as Partial<SignIn>;
    return typeof at === "string" ? { at, by: by === "sso" ? by : "password" } : undefined;
  } catch {
    return undefined;
  }
}
