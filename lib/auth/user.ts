import { DomainError } from "../errors.ts";
import { isRole, type Role } from "./roles.ts";

/** Someone who may sign in. Under the email in `sluice:users`; the password is kept apart, so that no record shows it. */
export interface User {
  readonly role: Role;
  /** Rises with each change of password or, once there is one, of role, and ends the sessions that began before. */
  readonly version: number;
  /** ISO */
  readonly since: string;
  /** Who vouches for them: a password, or the provider of single sign-on. */
  readonly by: "password" | "sso";
  /** ISO. There is no password until the one-time link is used, which it can be until then. */
  readonly linkUntil?: string;
}

/** For another role: it ends sessions, and only who has no password yet has none. Their link goes on working. */
export function versionForRole({ version, linkUntil }: User): number {
  return linkUntil === undefined ? version + 1 : version;
}

/** Nothing for what is no user. */
export function readUser(text: string | null | undefined): User | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { role, version, since, by, linkUntil } = (JSON.parse(text) ?? {}) as Partial<User>;
    if (!isRole(role) || typeof version !== "number" || !Number.isSafeInteger(version)) return undefined;
    return {
      ...{ role, version, since: typeof since === "string" ? since : "", by: by === "sso" ? by : "password" },
      ...(typeof linkUntil === "string" && { linkUntil }),
    };
  } catch {
    return undefined;
  }
}

export function writeUser({ role, version, since, by, linkUntil }: User): string {
  return JSON.stringify({ role, version, since, by, linkUntil });
}

/** Emails are told apart without regard to case. */
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
