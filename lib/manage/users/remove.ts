import { commit } from "../audit/commit.ts";
import { removedSlot, writeRemoved } from "./removed-user.ts";
import { requireEmail } from "./user.ts";
import { everyUser, refuseOwn, requireAnotherAdmin, type UserContext } from "./user-lockout.ts";
import { requireUser, userSlot, userSlots } from "./user-slots.ts";

/**
 * Removes a user. The user's sessions and links end. Single sign-on does not make the user again: it needs an invitation. Without
 * single sign-on nothing is remembered, so that users with passwords can be removed to come by single sign-on later.
 */
export async function removeUser(ctx: UserContext, input: { readonly email: string }): Promise<void> {
  const email = requireEmail(input.email);
  refuseOwn(ctx.actor, email, "You cannot remove yourself. Another admin can.");
  await commit(ctx, {
    action: "user.remove",
    reason: "",
    slots: [...userSlots(email), removedSlot(email)],
    hashes: everyUser,
    decide(seen) {
      const { role, by, identity } = requireUser(seen, email);
      if (role === "admin") requireAnotherAdmin(seen, email, ctx);
      const removed = writeRemoved({ at: new Date(seen.now).toISOString(), identity });
      const isRemembered = ctx.hasSso || by === "sso" || identity !== undefined;
      return {
        writes: [
          ...[userSlot.user, userSlot.password, userSlot.signIn].map((slot) => ({ slot, to: null })),
          ...(isRemembered ? [{ slot: userSlot.beside, to: { value: removed, expiresAt: null } }] : []),
        ],
      };
    },
  });
}
