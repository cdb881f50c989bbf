import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { checkPassword, type Door } from "./door.ts";
import { passwordProblem } from "./passwords.ts";
import { carriedSession, sessionSlot } from "./sessions.ts";
import { writeUser } from "./user.ts";
import { at, requireUser, userSlots } from "./user-slots.ts";
import { sayWait } from "./wait.ts";

interface Input {
  /** The session that asks. It goes on; the others of this user end. */
  readonly sessionId: string;
  readonly current: string;
  readonly password: string;
}

/** Lets somebody who is signed in, and knows their password, choose another. */
export async function changeOwnPassword(ctx: Signed, door: Door, input: Input): Promise<void> {
  const { name: email, address } = ctx.actor;
  const problem = passwordProblem(input.password, email);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { password: problem });
  const { version } = await requireCurrent(door, { email, password: input.current, address });
  const value = await door.passwords.hash(input.password);
  await commit(ctx, {
    action: "user.password",
    reason: "by the user",
    slots: [...userSlots(email), sessionSlot(input.sessionId, email)],
    decide(seen) {
      const [, , , session] = seen.slots;
      const user = requireUser(seen, email);
      if (user.version !== version)
        throw new DomainError("changed-meanwhile", "This account was changed meanwhile. Sign in again.");
      return {
        writes: [
          { slot: at.user, to: { value: writeUser({ ...user, version: version + 1 }), expiresAt: null } },
          { slot: at.password, to: { value, expiresAt: null } },
          ...(session ? [{ slot: at.beside, to: carriedSession(session, version + 1) }] : []),
        ],
      };
    },
  });
}

async function requireCurrent(door: Door, credentials: Parameters<typeof checkPassword>[1]) {
  const checked = await checkPassword(door, credentials);
  if (checked.outcome === "right") return checked.user;
  const { left, waitMs } = checked.attempts;
  const isOver = checked.outcome === "throttled" || left === 0;
  const then = isOver ? `Try again in ${sayWait(waitMs)}.` : `${left} attempts are left.`;
  const says = checked.outcome === "throttled" ? "Too many wrong passwords." : "This is not your password.";
  throw new DomainError("not-allowed", `${says} ${then}`, { current: `${says} ${then}` });
}
