import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { Role } from "./roles.ts";
import { requireEmail, versionForRole, writeUser } from "./user.ts";
import { everyUser, refuseOwn, requireAnotherAdmin, type UserContext } from "./user-lockout.ts";
import { requireUser, userSlot, userSlots } from "./user-slots.ts";

/** Gives a user another role, and ends their sessions. */
export async function setRole(
  ctx: UserContext,
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
      if (user.role === "admin") requireAnotherAdmin(seen, email, ctx);
      const value = writeUser({ ...user, role: input.role, version: versionForRole(user) });
      return { writes: [{ slot: userSlot.user, to: { value, expiresAt: null } }] };
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
