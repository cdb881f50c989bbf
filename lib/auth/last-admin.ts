import type { Snapshot } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import { keys } from "../redis/keys.ts";
import { readUser } from "./user.ts";

/** What `requireAnotherAdmin` looks at. */
export const everyUser = [keys.users(), keys.passwords()] as const;

/** Whoever could make admins must not be the last who can. An admin who cannot sign in yet counts for nothing. */
export function requireAnotherAdmin({ hashes: [users, passwords] }: Snapshot, email: string): void {
  for (const [other, text] of users ?? []) {
    const user = readUser(text);
    const canSignIn = user?.by === "sso" || passwords?.has(other);
    if (other !== email && user?.role === "admin" && canSignIn) return;
  }
  throw new DomainError(
    "locks-the-house",
    `${email} is the last admin who can sign in. Make somebody else an admin first.`,
  );
}
