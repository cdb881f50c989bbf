import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { Snapshot } from "../../redis/snapshot.ts";
import type { Actor, Signed } from "../audit/record.ts";
import { readUser } from "./user.ts";

/** The context of verbs that could take the last admin away. */
export interface UserContext extends Signed {
  /** Whether single sign-on is set up here: without it, its users cannot sign in. */
  readonly hasSso: boolean;
}

/** The hashes that `requireAnotherAdmin` reads. */
export const everyUser = [keys.users(), keys.passwords()] as const;

/** Refuses to take the last admin who can sign in: with a password, or by single sign-on where it is set up. */
export function requireAnotherAdmin(
  { hashes }: Snapshot,
  email: string,
  { hasSso }: Pick<UserContext, "hasSso">,
): void {
  const [users, passwords] = [at(hashes, 0), at(hashes, 1)];
  const others = [...users].filter(([other, text]) => other !== email && readUser(text)?.role === "admin");
  const isBySso = ([, text]: [string, string]) => readUser(text)?.by === "sso";
  if (others.some((other) => (isBySso(other) ? hasSso : passwords.has(other[0])))) return;
  const hint = others.some(isBySso)
    ? " Admins who use single sign-on do not count, because OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not all set here."
    : "";
  throw new DomainError(
    "lockout",
    `${email} is the last admin who can sign in. Make another user an admin first.${hint}`,
  );
}

/** Refuses users who would take their own rights away by a slip. The command line on the host acts under another name. */
export function refuseOwn({ name }: Actor, email: string, says: string): void {
  if (name === email) throw new DomainError("lockout", says);
}
