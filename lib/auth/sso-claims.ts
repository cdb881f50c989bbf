import { DomainError } from "../errors.ts";
import { isRole, type Role, roles } from "./roles.ts";
import { normalEmail } from "./user.ts";

/** What a provider of single sign-on says of somebody, as far as the console needs it. */
export interface Vouched {
  readonly email: string;
  readonly role: Role;
}

/** What keeps somebody out whom the provider lets in, by the word under which the sign-in page knows it. */
export const ssoRefusals = {
  "sso-email": "Your provider does not say which email address is yours.",
  "sso-unverified": "Your provider has not verified your email address.",
  "sso-role": "Your provider gives you no role here. Ask whoever looks after it.",
  "sso-last-admin":
    "You are the last admin, and your provider gives you another role. Make somebody else an admin first, or sign in with your password.",
} as const;
export type SsoWord = keyof typeof ssoRefusals;

/** Reads the claims of a provider; what does not let somebody in is told in a plain sentence. */
export function readClaims(claims: Readonly<Record<string, unknown>>, roleClaim: string): Vouched {
  const email = typeof claims.email === "string" ? normalEmail(claims.email) : undefined;
  if (email === undefined) throw new SsoRefusal("sso-email");
  // Some providers send the word.
  if (claims.email_verified !== true && claims.email_verified !== "true")
    throw new SsoRefusal("sso-unverified");
  const role = highestRole(claimNamed(claims, roleClaim));
  if (role) return { email, role };
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

/** Of a role, or of a list of groups, the highest that is one of ours. */
function highestRole(value: unknown): Role | undefined {
  const names = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,]+/) : [];
  const known = names.map((name) => String(name).toLowerCase()).filter(isRole);
  return roles.findLast((role) => known.includes(role));
}
