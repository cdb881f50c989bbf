import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { findLink, linkSlot, readLink } from "./link.ts";
import { type Passwords, passwordProblem } from "./passwords.ts";
import { writeUser } from "./user.ts";
import { at, userIn, userSlots } from "./user-slots.ts";

/** Somebody who has no session yet: the link says who they are. */
type Stranger = Omit<Signed, "actor"> & { readonly actor: Omit<Signed["actor"], "name"> };

/** Uses up a one-time link and gives its user the password. */
export async function acceptLink(
  ctx: Stranger,
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
        if (!user || readLink(seen.slots[at.beside]?.value)?.version !== user.version) throw usedUp();
        const { linkUntil: _, ...rest } = user;
        const next = writeUser({ ...rest, by: "password", version: user.version + 1 });
        return {
          writes: [
            { slot: at.user, to: { value: next, expiresAt: null } },
            { slot: at.password, to: { value, expiresAt: null } },
            { slot: at.beside, to: null },
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
