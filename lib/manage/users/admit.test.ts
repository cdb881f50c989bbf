import { describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { admitUser } from "./admit.ts";
import { inviteUser } from "./invite.ts";
import { removeUser } from "./remove.ts";
import { resetUser } from "./reset.ts";
import type { Role } from "./roles.ts";
import { setRole } from "./set-role.ts";
import { readClaims, type SsoAccount } from "./sso-claims.ts";
import { settle, storedUser } from "./vitest.users.ts";

const log = testLog();
const email = "ops@example.org";
const verified = {
  ...{ email: "Ops@Example.org", email_verified: true },
  ...{ iss: "https://sso.example.org/", sub: "4711" },
};

const identity = { iss: "https://sso.example.org", sub: "4711" };
const admit = (given: Partial<SsoAccount> = {}) =>
  admitUser(log.signed({ name: given.email ?? email }), { email, role: "staff", identity, ...given });

describe("readClaims", () => {
  const roleMap = new Map<string, Role>([
    ["sluice-admins", "admin"],
    ["/netops", "staff"],
    ["everyone", "viewer"],
  ]);
  const readRole = (claims: object, settings: Partial<Parameters<typeof readClaims>[1]> = {}) =>
    readClaims({ ...verified, ...claims }, { roleClaim: "role", roleMap: undefined, ...settings }).role;

  it("takes the role that a claim for Sluice alone names", () => {
    expect(readClaims({ ...verified, role: "staff" }, { roleClaim: "role", roleMap: undefined })).toEqual({
      ...{ email, role: "staff", identity },
    });
    expect(readRole({ role: " Admin " })).toBe("admin");
  });

  it.each([[["staff"]], [["admin", "staff"]], ["everyone, admin"], ["viewer staff"], [{ admin: true }], [7]])(
    "takes no role of %j without a map: such a claim is made for others, too",
    (role) => expect(() => readRole({ role })).toThrow("no role in Sluice"),
  );

  it("takes the highest role that the map gives, and knows nested and namespaced claims", () => {
    const groups = (value: unknown) => readRole({ groups: value }, { roleClaim: "groups", roleMap });
    expect(groups(["everyone", 7, null, "/netops"])).toBe("staff");
    expect(groups(["sluice-admins", "everyone"])).toBe("admin");
    expect(groups("/netops")).toBe("staff");
    const nested = { realm_access: { roles: ["/netops"] } };
    expect(readRole(nested, { roleClaim: "realm_access.roles", roleMap })).toBe("staff");
    const name = "https://example.org/role";
    expect(readRole({ [name]: "sluice-admins" }, { roleClaim: name, roleMap })).toBe("admin");
  });

  it.each([
    [["staff", "admin"]],
    ["admin"],
    ["SLUICE-ADMINS"],
    ["no sluice-admins"],
    ["sluice-admins,everyone"],
  ])("gives %j no role when the map does not name it, though it looks like one", (value) =>
    expect(() => readRole({ role: value }, { roleMap })).toThrow("no role in Sluice"),
  );

  it("refuses in words a missing email, an unverified one, and a missing account", () => {
    const refusal = (claims: object, roleClaim = "role") => {
      try {
        return readClaims({ ...identity, ...claims }, { roleClaim, roleMap });
      } catch (error) {
        return error;
      }
    };
    const role = "everyone";
    expect(refusal({ ...verified })).toMatchObject({ word: "sso-role", code: "not-allowed" });
    expect(refusal({ ...verified, role }, "__proto__.constructor")).toMatchObject({ word: "sso-role" });
    expect(refusal({ email: verified.email, role })).toMatchObject({ word: "sso-unverified" });
    expect(refusal({ ...verified, email_verified: false, role })).toMatchObject({ word: "sso-unverified" });
    expect(refusal({ email_verified: true, role })).toMatchObject({ word: "sso-email" });
    expect(refusal({ email: ["a@example.org"], email_verified: true })).toMatchObject({ word: "sso-email" });
    expect(refusal({ ...verified, role, sub: undefined })).toMatchObject({ word: "sso-subject" });
  });
});

describe("admitUser", () => {
  const ctx = () => log.signed({ name: email });
  const cli = () => log.signed({ name: "cli:root", via: "cli" });

  it("makes a user at the first sign-in, and writes nothing at the next", async () => {
    const made = await admit({ role: "support" });
    expect(made).toMatchObject({ role: "support", by: "sso" });
    expect(await storedUser(log.client, email)).toEqual(made);
    expect(await admit({ role: "support" })).toEqual(made);
    expect(await log.records()).toMatchObject([
      { action: "user.sso", actor: email, changes: [{ target: email }] },
    ]);
  });

  it("gives the role that the provider says now, and ends the sessions that began with another", async () => {
    const before = await admit({ role: "admin" });
    await admit({ email: "two@example.org", role: "admin" });
    const after = await admit({ role: "viewer" });
    expect(after).toMatchObject({ role: "viewer", version: before.version + 1 });
  });

  it("removes the password of the user it vouches for", async () => {
    await settle(ctx(), email, "staff");
    await admit({ role: "staff" });
    expect(await log.client.hexists("sluice:passwords", email)).toBe(0);
    expect(await storedUser(log.client, email)).toMatchObject({ by: "sso" });
    await inviteUser(ctx(), { email: "new@example.org", role: "viewer" });
    const admitted = await admit({ email: "new@example.org", role: "staff" });
    expect(admitted.linkUntil).toBeUndefined();
  });

  it("never lowers the last admin", async () => {
    await settle(ctx(), email, "admin");
    await expect(admit({ role: "staff" })).rejects.toMatchObject({
      code: "lockout",
    });
    expect(await storedUser(log.client, email)).toMatchObject({ role: "admin", by: "password" });
  });

  it("leaves the role to the provider, and counts its admins", async () => {
    await admit({ role: "admin" });
    await settle(cli(), "two@example.org", "admin");
    await expect(setRole(cli(), { email, role: "viewer" })).rejects.toMatchObject({ code: "not-allowed" });
    await removeUser(cli(), { email: "two@example.org" });
    await expect(removeUser(cli(), { email })).rejects.toMatchObject({ code: "lockout" });
  });

  it("binds the user to the provider's account, and refuses another one with the same address", async () => {
    expect(await admit()).toMatchObject({ identity });
    for (const other of [{ sub: "4712" }, { iss: "https://other.example.org" }])
      await expect(admit({ role: "admin", identity: { ...identity, ...other } })).rejects.toMatchObject({
        word: "sso-other-account",
      });
    expect(await storedUser(log.client, email)).toMatchObject({ role: "staff", identity });
    await resetUser(cli(), { email });
    await expect(admit({ identity: { ...identity, sub: "4712" } })).rejects.toThrow("Another account");
    expect(await admit()).toMatchObject({ by: "sso", identity });
  });

  it("binds a user of an earlier version at the next sign-in, and ends no session by that", async () => {
    const { identity: _, ...before } = await admit();
    await log.client.hset("sluice:users", email, JSON.stringify(before));
    expect(await admit()).toEqual({ ...before, identity });
    expect(await storedUser(log.client, email)).toEqual({ ...before, identity });
  });

  it("does not let a removed user come back, under no address, until an admin invites the user", async () => {
    await admit();
    await removeUser(cli(), { email });
    await expect(admit()).rejects.toMatchObject({ word: "sso-removed" });
    await expect(admit({ email: "alias@example.org" })).rejects.toMatchObject({ word: "sso-removed" });
    // The address was given to another person since.
    await expect(admit({ identity: { ...identity, sub: "4712" } })).rejects.toMatchObject({
      word: "sso-removed",
    });
    expect(await log.client.hlen("sluice:users")).toBe(0);
    await inviteUser(cli(), { email, role: "viewer" });
    expect(await admit({ identity: { ...identity, sub: "4712" } })).toMatchObject({ role: "staff" });
    expect(await log.client.exists("sluice:removed-users")).toBe(0);
  });

  it("remembers removed users with passwords where there is single sign-on, and only there", async () => {
    for (const hasSso of [false, true]) {
      await settle(cli(), email, "staff");
      await removeUser({ ...cli(), hasSso }, { email });
      expect(await log.client.hexists("sluice:removed-users", email)).toBe(Number(hasSso));
    }
  });

  it("does not count admins by single sign-on where it is not set up", async () => {
    await admit({ role: "admin" });
    await settle(cli(), "two@example.org", "admin");
    const without = { ...cli(), hasSso: false };
    const refused = { code: "lockout", message: expect.stringContaining("OIDC_ISSUER") };
    await expect(removeUser(without, { email: "two@example.org" })).rejects.toMatchObject(refused);
    await expect(setRole(without, { email: "two@example.org", role: "staff" })).rejects.toMatchObject(
      refused,
    );
    await settle(cli(), "three@example.org", "admin");
    await removeUser(without, { email: "two@example.org" });
  });
});
