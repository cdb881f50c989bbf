import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { newUser } from "./invite.ts";
import { everyUser, requireAnotherAdmin } from "./last-admin.ts";
import type { Vouched } from "./sso-claims.ts";
import { type User, writeUser } from "./user.ts";
import { at, userIn, userSlots } from "./user-slots.ts";

/**
 * Makes a user of whom the provider of single sign-on vouches for, or gives them the role it says. From then on the
 * provider alone lets them in: a password would outlive their leaving.
 */
export async function admitUser(ctx: Signed, { email, role }: Vouched): Promise<User> {
  const { decision } = await commit(ctx, {
    action: "user.sso",
    reason: "by single sign-on",
    slots: userSlots(email),
    hashes: everyUser,
    decide(seen) {
      const before = userIn(seen);
      if (before?.by === "sso" && before.role === role) return { user: before, writes: [] };
      // Whom the provider does not hold for an admin must not be the last one there is.
      if (before?.role === "admin" && role !== "admin") requireAnotherAdmin(seen, email);
      const user: User = before
        ? { role, version: before.version + 1, since: before.since, by: "sso" }
        : newUser(role, seen.now, { by: "sso" });
      const written = { slot: at.user, to: { value: writeUser(user), expiresAt: null } };
      return { user, writes: [written, { slot: at.password, to: null }] };
    },
  });
  return decision.user;
}
