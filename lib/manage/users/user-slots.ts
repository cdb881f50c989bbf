import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { Slot, Snapshot } from "../../redis/snapshot.ts";
import { readUser, type User } from "./user.ts";

/** The places of a user: the public part first, then the parts that no record may show. */
export function userSlots(email: string): [user: Slot, password: Slot, signIn: Slot] {
  return [
    { key: keys.users(), field: email, target: email },
    { key: keys.passwords(), field: email, target: email, isAside: true },
    { key: keys.signIns(), field: email, target: email, isAside: true },
  ];
}

/** The places of `userSlots`, and of the slot that a verb writes beside them. */
export const userSlot = { user: 0, password: 1, signIn: 2, beside: 3 } as const;

/** The user that was seen in the first slot. */
export function userIn({ slots }: Snapshot): User | undefined {
  const holding = at(slots, userSlot.user);
  return holding.kind === "string" ? readUser(holding.value) : undefined;
}

export function requireUser(seen: Snapshot, email: string): User {
  const user = userIn(seen);
  if (user) return user;
  throw new DomainError("not-found", `There is no user ${email}.`);
}
