import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { linkEnd, linkSlot, type NewLink, newWord, writeLink } from "./link.ts";
import { removedSlot } from "./removed-user.ts";
import type { Role } from "./roles.ts";
import { requireEmail, type User, writeUser } from "./user.ts";
import { userIn, userSlot, userSlots } from "./user-slots.ts";

/** Makes a user who chooses a password by a one-time link. */
export async function inviteUser(
  ctx: Signed,
  input: { readonly email: string; readonly role: Role },
): Promise<NewLink> {
  const email = requireEmail(input.email);
  const word = newWord();
  const { decision } = await commit(ctx, {
    action: "user.invite",
    reason: "",
    slots: [...userSlots(email), linkSlot(word, email), removedSlot(email)],
    decide(seen) {
      const there = userIn(seen);
      if (there) throw alreadyThere(email, there);
      const until = new Date(linkEnd("invite", seen.now)).toISOString();
      const user = newUser(input.role, seen.now, { by: "password", linkUntil: until });
      return {
        until,
        writes: [
          { slot: userSlot.user, to: { value: writeUser(user), expiresAt: null } },
          { slot: userSlot.password, to: null },
          { slot: userSlot.signIn, to: null },
          {
            slot: userSlot.beside,
            to: writeLink({ email, kind: "invite", version: user.version }, seen.now),
          },
          { slot: userSlot.beside + 1, to: null },
        ],
      };
    },
  });
  return { email, word, until: decision.until };
}

/** Versions begin with the clock: a session of a removed user must not fit a later user with the same email. */
export function newUser(
  role: Role,
  now: number,
  rest: Pick<User, "by" | "linkUntil" | "identity" | "firstPassword">,
): User {
  return { role, version: now, since: new Date(now).toISOString(), ...rest };
}

function alreadyThere(email: string, { role }: User): DomainError {
  const problem = `${email} is a user already, with the role ${role}`;
  return new DomainError("bad-input", `${problem}. Change the role, or reset the password.`, {
    email: problem,
  });
}
