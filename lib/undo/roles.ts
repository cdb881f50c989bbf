import { commit } from "../audit/commit.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { everyUser, requireAnotherAdmin } from "../auth/last-admin.ts";
import { refuseOwn } from "../auth/own-account.ts";
import { readUser, requireEmail, versionForRole, writeUser } from "../auth/user.ts";
import { at, requireUser, userSlots } from "../auth/user-slots.ts";
import { DomainError } from "../errors.ts";
import { inTheWay, nothingLeft } from "./since.ts";

/** Gives a user the role they had; nothing else of them comes back, and their sessions end as with any change of role. */
export async function undoRole(ctx: Signed, record: AuditRecord, reason: string): Promise<{ change: null }> {
  const [change] = record.changes;
  const email = requireEmail(change?.target ?? "");
  const [was, left] = [readUser(change?.before?.value)?.role, readUser(change?.after?.value)?.role];
  if (!was || !left)
    throw new DomainError("bad-input", `Record ${record.n} does not tell which role ${email} had.`);
  refuseOwn(ctx.actor, email, "You cannot change your own role. Another admin can.");
  const { decision } = await commit(ctx, {
    ...{ action: record.action, reason, slots: userSlots(email), hashes: everyUser },
    decide(seen) {
      const user = requireUser(seen, email);
      if (user.role !== left || user.by === "sso") return { user, writes: [] };
      if (left === "admin") requireAnotherAdmin(seen, email);
      const value = writeUser({ ...user, role: was, version: versionForRole(user) });
      return { user, writes: [{ slot: at.user, to: { value, expiresAt: null } }] };
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
