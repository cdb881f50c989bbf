import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { everyUser, requireAnotherAdmin } from "./last-admin.ts";
import { refuseOwn } from "./own-account.ts";
import { requireEmail } from "./user.ts";
import { at, requireUser, userSlots } from "./user-slots.ts";

/** Removes a user. Their sessions and links end with them. */
export async function removeUser(ctx: Signed, input: { readonly email: string }): Promise<void> {
  const email = requireEmail(input.email);
  refuseOwn(ctx.actor, email, "You cannot remove yourself. Another admin can.");
  await commit(ctx, {
    action: "user.remove",
    reason: "",
    slots: userSlots(email),
    hashes: everyUser,
    decide(seen) {
      if (requireUser(seen, email).role === "admin") requireAnotherAdmin(seen, email);
      return { writes: [at.user, at.password, at.signIn].map((slot) => ({ slot, to: null })) };
    },
  });
}
