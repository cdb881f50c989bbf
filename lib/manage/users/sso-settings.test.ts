import { expect, it } from "vitest";
import type { OidcSettings } from "../../env.ts";
import { readSso } from "./sso-settings.ts";

const oidc = {
  ...{ issuer: "https://sso.example.org", clientId: "sluice", clientSecret: "hush" },
  ...{ roleClaim: undefined, roleMap: undefined },
};
const read = (given: Partial<OidcSettings>) => readSso({ oidc: { ...oidc, ...given } });

it("needs no map for the claim that is for Sluice alone", () => {
  expect(readSso({ oidc: undefined })).toBeUndefined();
  expect(read({})).toEqual({ ...oidc, roleClaim: "role" });
  expect(read({ roleClaim: "role" })?.roleMap).toBeUndefined();
});

it("needs a map for any other claim, and says why", () => {
  expect(() => read({ roleClaim: "groups" })).toThrow(
    'OIDC_ROLE_CLAIM: "groups" needs OIDC_ROLE_MAP. Without it, a group that happens to have the name of a role would give that role.',
  );
});

it("reads a map", () => {
  const { roleMap } =
    read({ roleClaim: "groups", roleMap: " sluice-admins=admin, /net ops = staff,a=b=viewer, " }) ?? {};
  expect(roleMap).toEqual(
    new Map([
      ["sluice-admins", "admin"],
      ["/net ops", "staff"],
      ["a=b", "viewer"],
    ]),
  );
});

it.each([
  ["netops", 'OIDC_ROLE_MAP: "netops" is no pair of a value and a role.'],
  ["=admin", 'OIDC_ROLE_MAP: "=admin" is no pair'],
  ["x=admin, netops=stff", 'OIDC_ROLE_MAP: "netops=stff" names no role.'],
  ["netops=stff", "did you mean staff?"],
  ["netops=Admin", "names no role"],
  ["netops=staff, netops=admin", '"netops" has two roles, staff and admin.'],
  [",", "OIDC_ROLE_MAP: there is no pair in it."],
])("refuses the map %j", (roleMap, says) => {
  expect(() => read({ roleMap })).toThrow(says);
  expect(() => read({ roleMap })).toThrow(expect.objectContaining({ code: "not-configured" }));
});

it("wants the issuer over https, or on this machine", () => {
  for (const issuer of [
    "http://127.0.0.1:8080",
    "http://localhost",
    "http://[::1]:1",
    "https://10.0.0.1/realms/x",
  ])
    expect(read({ issuer })?.issuer).toBe(issuer);
  for (const issuer of ["http://sso.example.org", "http://10.0.0.1", "sso.example.org", "ftp://localhost"])
    expect(() => read({ issuer })).toThrow("OIDC_ISSUER: write the https address of the provider.");
});
