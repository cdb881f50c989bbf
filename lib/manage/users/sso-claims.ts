import { DomainError } from "../../errors.ts";
import { isRole, type Role, roles } from "./roles.ts";
import type { SsoSettings } from "./sso-settings.ts";
import { type Identity, normalEmail } from "./user.ts";

/** An account as a provider of single sign-on describes it. */
export interface SsoAccount {
  readonly email: string;
  readonly role: Role;
  readonly identity: Identity;
}

/** Why a sign-in that the provider allows is refused, by the word under which the sign-in page knows it. */
export const ssoRefusals = {
  "sso-email": "Your provider does not say which email address is yours.",
  "sso-unverified": "Your provider has not verified your email address.",
  "sso-subject": "Your provider does not say which account is yours: the claims iss and sub are missing.",
  "sso-role": "Your provider gives you no role in Sluice. Ask an admin of your provider.",
  "sso-other-account":
    "Another account of your provider has used this email address here. Ask an admin of Sluice to remove that user and to invite you.",
  "sso-removed": "An admin has removed this user. To sign in again, ask an admin of Sluice to invite you.",
  "sso-last-admin":
    "You are the last admin, and your provider gives you another role. Make another user an admin first, or sign in with your password.",
} as const;
export type SsoWord = keyof typeof ssoRefusals;

/** Reads the claims of a provider. Throws an `SsoRefusal` if they do not let a user in. */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  settings: Pick<SsoSettings, "roleClaim" | "roleMap">,
): SsoAccount {
  const email = typeof claims.email === "string" ? normalEmail(claims.email) : undefined;
  if (email === undefined) throw new SsoRefusal("sso-email");
  // Some providers send the word.
  if (claims.email_verified !== true && claims.email_verified !== "true")
    throw new SsoRefusal("sso-unverified");
  const { iss, sub } = claims;
  if (typeof iss !== "string" || typeof sub !== "string" || sub === "") throw new SsoRefusal("sso-subject");
  const role = roleIn(claimNamed(claims, settings.roleClaim), settings);
  if (role) return { email, role, identity: { iss: iss.replace(/\/$/, ""), sub } };
  throw new SsoRefusal("sso-role");
}

export class SsoRefusal extends DomainError {
  readonly word: SsoWord;

  constructor(word: SsoWord) {
    super("not-allowed", ssoRefusals[word]);
    this.word = word;
  }
}

/** A claim's own name, with dots too (a namespace), or a path into nested ones: `realm_access.roles`. */
function claimNamed(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => memberOf(value, part), claims);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/**
 * Without a map one text that is a role, because a claim with several values is made for others, too: "staff" may be a group of
 * all employees. With a map the highest role that a value gives.
 */
function roleIn(value: unknown, { roleMap }: Pick<SsoSettings, "roleMap">): Role | undefined {
  if (!roleMap) {
    const name = typeof value === "string" ? value.trim().toLowerCase() : undefined;
    return isRole(name) ? name : undefined;
  }
  const given = (Array.isArray(value) ? value : [value]).map((name) => roleMap.get(name));
  return roles.findLast((role) => given.includes(role));
}
