import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { findLink, linkSlot, readLink } from "./link.ts";
import { type Passwords, passwordProblem } from "./passwords.ts";
import { withoutPassword, writeUser } from "./user.ts";
import { userIn, userSlot, userSlots } from "./user-slots.ts";

/** The context of a user without a session: the link names the user. */
type LinkContext = Omit<Signed, "actor"> & { readonly actor: Omit<Signed["actor"], "name"> };

/** Uses up a one-time link and gives its user the password. */
export async function acceptLink(
  ctx: LinkContext,
  { word, password }: { readonly word: string; readonly password: string },
  passwords: Pick<Passwords, "hash">,
): Promise<{ email: string }> {
  const found = await findLink(ctx.redis, word);
  if (!found) throw usedUp();
  const { email, kind } = found;
  const problem = passwordProblem(password, email);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { password: problem });
  const value = await passwords.hash(password);
  await commit(
    { ...ctx, actor: { ...ctx.actor, name: email } },
    {
      action: kind === "invite" ? "user.welcome" : "user.password",
      reason: "by one-time link",
      slots: [...userSlots(email), linkSlot(word, email)],
      decide(seen) {
        const user = userIn(seen);
        if (!user || readLink(at(seen.slots, userSlot.beside).value)?.version !== user.version)
          throw usedUp();
        const next = writeUser({ ...withoutPassword(user), by: "password" });
        return {
          writes: [
            { slot: userSlot.user, to: { value: next, expiresAt: null } },
            { slot: userSlot.password, to: { value, expiresAt: null } },
            { slot: userSlot.beside, to: null },
          ],
        };
      },
    },
  );
  return { email };
}

function usedUp(): DomainError {
  return new DomainError("not-found", "This link was used before, or has expired. Ask an admin for another.");
}
