import type { Environment, OidcSettings } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { isThisMachine } from "../../ip/this-machine.ts";
import { nearest } from "../../nearest.ts";
import { isRole, type Role, roles } from "./roles.ts";

/** Value of the role claim → role. */
export type RoleMap = ReadonlyMap<string, Role>;

/** Single sign-on, as the environment sets it up. */
export interface SsoSettings extends Pick<OidcSettings, "issuer" | "clientId" | "clientSecret"> {
  readonly roleClaim: string;
  /** Undefined: the claim is for Sluice alone, and names the role itself. */
  readonly roleMap: RoleMap | undefined;
}

/** The one claim that needs no map. */
const usualClaim = "role";
const example = `OIDC_ROLE_MAP="sluice-admins=admin, netops=staff"`;

/** Undefined without single sign-on. Throws an error that names the variable: a wrong setting must not give a role. */
export function readSso({ oidc }: Pick<Environment, "oidc">): SsoSettings | undefined {
  if (oidc === undefined) return undefined;
  const { issuer, clientId, clientSecret, roleClaim = usualClaim, roleMap } = oidc;
  requireSafeIssuer(issuer);
  if (roleMap === undefined && roleClaim !== usualClaim) {
    const why = "Without it, a group that happens to have the name of a role would give that role.";
    throw wrong("OIDC_ROLE_CLAIM", `"${roleClaim}" needs OIDC_ROLE_MAP. ${why} For example: ${example}`);
  }
  return {
    issuer,
    clientId,
    clientSecret,
    roleClaim,
    roleMap: roleMap === undefined ? undefined : readRoleMap(roleMap),
  };
}

function requireSafeIssuer(issuer: string): void {
  const { protocol, hostname } = URL.canParse(issuer) ? new URL(issuer) : { protocol: "", hostname: "" };
  if (protocol === "https:" || (protocol === "http:" && isThisMachine(hostname))) return;
  const why =
    "Over http, anyone on the way could sign in as anyone; only a provider on this machine may use it";
  throw wrong("OIDC_ISSUER", `write the https address of the provider. ${why}`);
}

function readRoleMap(text: string): RoleMap {
  const map = new Map<string, Role>();
  for (const pair of text.split(",").map((part) => part.trim())) {
    if (pair === "") continue;
    const at = pair.lastIndexOf("=");
    const [value, role] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
    if (value === "")
      throw wrong("OIDC_ROLE_MAP", `"${pair}" is no pair of a value and a role. For example: ${example}`);
    if (!isRole(role)) throw wrong("OIDC_ROLE_MAP", `"${pair}" names no role. ${sayRoles(role)}`);
    const other = map.get(value);
    if (other !== undefined && other !== role)
      throw wrong("OIDC_ROLE_MAP", `"${value}" has two roles, ${other} and ${role}. Leave one out`);
    map.set(value, role);
  }
  if (map.size === 0) throw wrong("OIDC_ROLE_MAP", `there is no pair in it. For example: ${example}`);
  return map;
}

function sayRoles(role: string): string {
  const meant = nearest(role, roles);
  return `The roles are ${roles.join(", ")}${meant ? `; did you mean ${meant}?` : ""}`;
}

function wrong(variable: string, problem: string): DomainError {
  return new DomainError("not-configured", `${variable}: ${problem.replace(/([^.?"])$/, "$1.")}`, {
    [variable]: problem,
  });
}
