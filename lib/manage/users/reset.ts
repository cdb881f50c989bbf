import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { linkEnd, linkSlot, type NewLink, newWord, writeLink } from "./link.ts";
import { requireEmail, type User, withoutPassword, writeUser } from "./user.ts";
import { refuseOwn } from "./user-lockout.ts";
import { requireUser, userSlot, userSlots } from "./user-slots.ts";

/** Takes a user's password away, ends their sessions, and makes a one-time link to choose another. */
export async function resetUser(ctx: Signed, input: { readonly email: string }): Promise<NewLink> {
  const email = requireEmail(input.email);
  refuseOwn(ctx.actor, email, "You cannot reset yourself. Change your own password under Settings, Account.");
  const word = newWord();
  const { decision } = await commit(ctx, {
    action: "user.reset",
    reason: "",
    slots: [...userSlots(email), linkSlot(word, email)],
    decide(seen) {
      const before = requireUser(seen, email);
      const until = new Date(linkEnd("reset", seen.now)).toISOString();
      const user: User = { ...withoutPassword(before), by: "password", linkUntil: until };
      return {
        until,
        writes: [
          { slot: userSlot.user, to: { value: writeUser(user), expiresAt: null } },
          { slot: userSlot.password, to: null },
          { slot: userSlot.beside, to: writeLink({ email, kind: "reset", version: user.version }, seen.now) },
        ],
      };
    },
  });
  return { email, word, until: decision.until };
}
