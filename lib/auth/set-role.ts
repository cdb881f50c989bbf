import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { everyUser, requireAnotherAdmin } from "./last-admin.ts";
import { refuseOwn } from "./own-account.ts";
import type { Role } from "./roles.ts";
import { requireEmail, versionForRole, writeUser } from "./user.ts";
import { at, requireUser, userSlots } from "./user-slots.ts";

/** Gives a user another role, and ends their sessions. */
export async function setRole(
  ctx: Signed,
  input: { readonly email: string; readonly role: Role },
): Promise<{ outcome: "changed" | "kept" }> {
  const email = requireEmail(input.email);
  refuseOwn(ctx.actor, email, "You cannot change your own role. Another admin can.");
  const { decision } = await commit(ctx, {
    action: "user.role",
    reason: "",
    slots: userSlots(email),
    hashes: everyUser,
    decide(seen) {
      const user = requireUser(seen, email);
      if (user.role === input.role) return { writes: [] };
      if (user.by === "sso") throw providerDecides(email);
      if (user.role === "admin") requireAnotherAdmin(seen, email);
      const value = writeUser({ ...user, role: input.role, version: versionForRole(user) });
      return { writes: [{ slot: at.user, to: { value, expiresAt: null } }] };
    },
  });
  return { outcome: decision.writes.length > 0 ? "changed" : "kept" };
}

function providerDecides(email: string): DomainError {
  return new DomainError(
    "not-allowed",
    `${email} signs in by single sign-on, which decides the role at each sign-in. Change it at the provider.`,
  );
}
