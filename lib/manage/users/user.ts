import { DomainError } from "../../errors.ts";
import { isObject, parseObject } from "../../parse-object.ts";
import { isRole, type Role } from "./roles.ts";

/** An account of a provider of single sign-on. An email address may pass to another person, this never does. */
export interface Identity {
  readonly iss: string;
  readonly sub: string;
}

/** Where a first admin's password came from: others may have read it there. */
export type FirstPassword = "environment" | "log";

/** A user of the console, stored under the email in `sluice:users`. The password is stored apart, so that no record shows it. */
export interface User {
  readonly role: Role;
  /** Rises with each change of password or, once there is one, of role, and ends the sessions that began before. */
  readonly version: number;
  /** ISO */
  readonly since: string;
  /** How the user signs in: with a password, or by single sign-on. */
  readonly by: "password" | "sso";
  /** ISO. There is no password until the one-time link is used, which it can be until then. */
  readonly linkUntil?: string;
  /** The provider's account that signs in under this email. Set at the first single sign-on; only removing the user ends it. */
  readonly identity?: Identity;
  /** Set as long as a first admin has the password that it was made with. */
  readonly firstPassword?: FirstPassword;
}

/** The version for another role: it ends sessions. A user without a password has none, and keeps the link. */
export function versionForRole({ version, linkUntil }: User): number {
  return linkUntil === undefined ? version + 1 : version;
}

/** Undefined for text that is not a user. */
export function readUser(text: string | null | undefined): User | undefined {
  const { role, version, since, by, linkUntil, identity, firstPassword } = parseObject(text ?? "") ?? {};
  if (!isRole(role) || typeof version !== "number" || !Number.isSafeInteger(version)) return undefined;
  return {
    ...{ role, version, since: typeof since === "string" ? since : "", by: by === "sso" ? by : "password" },
    ...(typeof linkUntil === "string" && { linkUntil }),
    ...(isIdentity(identity) && { identity }),
    ...((firstPassword === "environment" || firstPassword === "log") && { firstPassword }),
  };
}

export function writeUser(user: User): string {
  const { role, version, since, by, linkUntil, identity, firstPassword } = user;
  return JSON.stringify({ role, version, since, by, linkUntil, identity, firstPassword });
}

/** The user after a change of password: with a new version, and without the facts about the old password. */
export function withoutPassword({ role, version, since, by, identity }: User): User {
  return { role, version: version + 1, since, by, ...(identity && { identity }) };
}

export function isIdentity(value: unknown): value is Identity {
  return isObject(value) && typeof value.iss === "string" && typeof value.sub === "string";
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.iss === other.iss && one.sub === other.sub;
}

/** An email in the form under which it is stored, in lower case. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return /^[^\s@\p{C}"<>]{1,64}@[a-z0-9.-]{1,190}$/u.test(email) ? email : undefined;
}

export function requireEmail(text: string): string {
  const email = normalEmail(text);
  if (email !== undefined) return email;
  const problem = "Write an email address, such as ops@example.org";
  throw new DomainError("bad-input", `${problem}.`, { email: problem });
}
