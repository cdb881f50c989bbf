import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { newUser } from "./invite.ts";
import { isRemoved } from "./removed-user.ts";
import { type SsoAccount, SsoRefusal } from "./sso-claims.ts";
import { isSameIdentity, type User, writeUser } from "./user.ts";
import { everyUser, requireAnotherAdmin } from "./user-lockout.ts";
import { userIn, userSlot, userSlots } from "./user-slots.ts";

/**
 * Makes a user of an account that the provider of single sign-on vouches for, or gives the user the role that the provider says. From
 * then on the provider alone lets the user in: a password would still work after the person has left. The first sign-in binds the user
 * to the provider's account, because the email address may be given to another person later.
 */
export async function admitUser(ctx: Signed, { email, role, identity }: SsoAccount): Promise<User> {
  const { decision } = await commit(ctx, {
    action: "user.sso",
    reason: "by single sign-on",
    slots: userSlots(email),
    hashes: [...everyUser, keys.removedUsers()],
    decide(seen) {
      const [before, removed] = [userIn(seen), seen.hashes.at(-1)];
      if (!before && isRemoved(removed, { email, identity })) throw new SsoRefusal("sso-removed");
      if (before?.identity && !isSameIdentity(before.identity, identity))
        throw new SsoRefusal("sso-other-account");
      const isSame = before?.by === "sso" && before.role === role;
      if (isSame && before.identity) return { user: before, writes: [] };
      // The last admin must keep the role, whatever role the provider gives.
      if (before?.role === "admin" && role !== "admin") requireAnotherAdmin(seen, email, { hasSso: true });
      // Binding alone ends no session.
      const user: User = before
        ? { role, version: before.version + (isSame ? 0 : 1), since: before.since, by: "sso", identity }
        : newUser(role, seen.now, { by: "sso", identity });
      const written = { slot: userSlot.user, to: { value: writeUser(user), expiresAt: null } };
      return { user, writes: [written, { slot: userSlot.password, to: null }] };
    },
  });
  return decision.user;
}
