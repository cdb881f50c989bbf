import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { checkPassword, type PasswordContext } from "./check-password.ts";
import { passwordProblem } from "./passwords.ts";
import { carriedSession, sessionSlot } from "./sessions.ts";
import { withoutPassword, writeUser } from "./user.ts";
import { requireUser, userSlot, userSlots } from "./user-slots.ts";
import { sayWait } from "./wait.ts";

interface PasswordChange {
  /** The session of the request. It continues; the user's other sessions end. */
  readonly sessionId: string;
  readonly current: string;
  readonly password: string;
}

/** Changes the password of a signed-in user who knows the current one. */
export async function changeOwnPassword(
  ctx: Signed,
  passwordContext: PasswordContext,
  input: PasswordChange,
): Promise<void> {
  const { name: email, address } = ctx.actor;
  const problem = passwordProblem(input.password, email);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { password: problem });
  const { version } = await requireCurrent(passwordContext, { email, password: input.current, address });
  const value = await passwordContext.passwords.hash(input.password);
  await commit(ctx, {
    action: "user.password",
    reason: "by the user",
    slots: [...userSlots(email), sessionSlot(input.sessionId, email)],
    decide(seen) {
      const [, , , session] = seen.slots;
      const user = requireUser(seen, email);
      if (user.version !== version)
        throw new DomainError(
          "changed-since",
          "This account has changed since you signed in. Sign in again.",
        );
      return {
        writes: [
          { slot: userSlot.user, to: { value: writeUser(withoutPassword(user)), expiresAt: null } },
          { slot: userSlot.password, to: { value, expiresAt: null } },
          ...(session ? [{ slot: userSlot.beside, to: carriedSession(session, version + 1) }] : []),
        ],
      };
    },
  });
}

async function requireCurrent(
  passwordContext: PasswordContext,
  credentials: Parameters<typeof checkPassword>[1],
) {
  const checked = await checkPassword(passwordContext, credentials);
  if (checked.outcome === "right") return checked.user;
  const { left, waitMs } = checked.attempts;
  const isOver = checked.outcome === "throttled" || left === 0;
  const rest = Number.isFinite(left) ? `${left} attempts are left.` : "Try again.";
  const then = isOver ? `Try again in ${sayWait(waitMs)}.` : rest;
  const says = checked.outcome === "throttled" ? "Too many wrong passwords." : "This is not your password.";
  throw new DomainError("not-allowed", `${says} ${then}`, { current: `${says} ${then}` });
}
