import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { AuditRecord } from "../audit/record.ts";
import { readUser, requireEmail, versionForRole, writeUser } from "../users/user.ts";
import { everyUser, refuseOwn, requireAnotherAdmin, type UserContext } from "../users/user-lockout.ts";
import { requireUser, userSlot, userSlots } from "../users/user-slots.ts";
import { inTheWay, nothingLeft } from "./changed-since.ts";

/** Gives a user the earlier role and changes nothing else. The user's sessions end, as with any change of role. */
export async function undoRole(
  ctx: UserContext,
  record: AuditRecord,
  reason: string,
): Promise<{ change: null }> {
  const { target, before, after } = at(record.changes, 0);
  const email = requireEmail(target);
  const [was, left] = [readUser(before?.value)?.role, readUser(after?.value)?.role];
  if (!was || !left)
    throw new DomainError("bad-input", `Record ${record.n} does not say which role ${email} had.`);
  refuseOwn(ctx.actor, email, "You cannot change your own role. Another admin can.");
  const { decision } = await commit(ctx, {
    ...{ action: record.action, reason, slots: userSlots(email), hashes: everyUser },
    decide(seen) {
      const user = requireUser(seen, email);
      if (user.role !== left || user.by === "sso") return { user, writes: [] };
      if (left === "admin") requireAnotherAdmin(seen, email, ctx);
      const value = writeUser({ ...user, role: was, version: versionForRole(user) });
      return { user, writes: [{ slot: userSlot.user, to: { value, expiresAt: null } }] };
    },
  });
  if (decision.writes.length > 0) return { change: null };
  const { user } = decision;
  if (user.role === was) throw await nothingLeft(ctx.redis, record, [email]);
  if (user.role !== left) throw await inTheWay(ctx.redis, record, [email]);
  throw new DomainError(
    "not-allowed",
    `${email} signs in by single sign-on, which decides the role at each sign-in.`,
  );
}
