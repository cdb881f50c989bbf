import { describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { admitUser } from "./admit.ts";
import { inviteUser } from "./invite.ts";
import { removeUser } from "./remove.ts";
import { setRole } from "./set-role.ts";
import { readClaims } from "./sso-claims.ts";
import { settle, storedUser } from "./vitest.users.ts";

const log = testLog();
const email = "ops@example.org";
const verified = { email: "Ops@Example.org", email_verified: true };

describe("readClaims", () => {
  it("takes a role, or the highest of a list, and knows nested and namespaced claims", () => {
    const roleOf = (claims: object, name = "role") => readClaims({ ...verified, ...claims }, name).role;
    expect(readClaims({ ...verified, role: "staff" }, "role")).toEqual({ email, role: "staff" });
    expect(roleOf({ role: ["everyone", "viewer", "Support", "staff"] })).toBe("support");
    expect(roleOf({ role: ["staff", "admin"] })).toBe("admin");
    expect(roleOf({ groups: ["viewer", 7, null] }, "groups")).toBe("viewer");
    expect(roleOf({ realm_access: { roles: ["staff"] } }, "realm_access.roles")).toBe("staff");
    expect(roleOf({ "https://example.org/role": "admin" }, "https://example.org/role")).toBe("admin");
  });

  it("refuses in words whoever has no role, no email or an unverified one", () => {
    const refusal = (claims: object, name = "role") => {
      try {
        return readClaims(claims as Record<string, unknown>, name);
      } catch (error) {
        return error;
      }
    };
    expect(refusal({ ...verified })).toMatchObject({ word: "sso-role", code: "not-allowed" });
    expect(refusal({ ...verified, role: ["owner"] })).toMatchObject({ word: "sso-role" });
    expect(refusal({ ...verified, role: { admin: true } })).toMatchObject({ word: "sso-role" });
    expect(refusal({ ...verified, role: "staff" }, "__proto__.constructor")).toMatchObject({
      word: "sso-role",
    });
    expect(refusal({ email: verified.email, role: "staff" })).toMatchObject({ word: "sso-unverified" });
    expect(refusal({ ...verified, email_verified: false, role: "staff" })).toMatchObject({
      word: "sso-unverified",
    });
    expect(refusal({ email_verified: true, role: "staff" })).toMatchObject({ word: "sso-email" });
    expect(refusal({ email: ["a@example.org"], email_verified: true })).toMatchObject({ word: "sso-email" });
  });
});

describe("admitUser", () => {
  const ctx = () => log.signed({ name: email });

  it("makes a user at the first sign-in, and writes nothing at the next", async () => {
    const made = await admitUser(ctx(), { email, role: "support" });
    expect(made).toMatchObject({ role: "support", by: "sso" });
    expect(await storedUser(log.client, email)).toEqual(made);
    expect(await admitUser(ctx(), { email, role: "support" })).toEqual(made);
    expect(await log.records()).toMatchObject([
      { action: "user.sso", actor: email, changes: [{ target: email }] },
    ]);
  });

  it("gives the role that the provider says now, and ends the sessions that began with another", async () => {
    const before = await admitUser(ctx(), { email, role: "admin" });
    await admitUser(ctx(), { email: "two@example.org", role: "admin" });
    const after = await admitUser(ctx(), { email, role: "viewer" });
    expect(after).toMatchObject({ role: "viewer", version: before.version + 1 });
  });

  it("takes the password of whom it vouches for", async () => {
    await settle(ctx(), email, "staff");
    await admitUser(ctx(), { email, role: "staff" });
    expect(await log.client.hexists("sluice:passwords", email)).toBe(0);
    expect(await storedUser(log.client, email)).toMatchObject({ by: "sso" });
    await inviteUser(ctx(), { email: "new@example.org", role: "viewer" });
    const admitted = await admitUser(ctx(), { email: "new@example.org", role: "staff" });
    expect(admitted.linkUntil).toBeUndefined();
  });

  it("never lowers the last admin", async () => {
    await settle(ctx(), email, "admin");
    await expect(admitUser(ctx(), { email, role: "staff" })).rejects.toMatchObject({
      code: "locks-the-house",
    });
    expect(await storedUser(log.client, email)).toMatchObject({ role: "admin", by: "password" });
  });

  it("leaves the role to the provider, and counts its admins", async () => {
    const cli = log.signed({ name: "cli:root", via: "cli" });
    await admitUser(ctx(), { email, role: "admin" });
    await settle(cli, "two@example.org", "admin");
    await expect(setRole(cli, { email, role: "viewer" })).rejects.toMatchObject({ code: "not-allowed" });
    await removeUser(cli, { email: "two@example.org" });
    await expect(removeUser(cli, { email })).rejects.toMatchObject({ code: "locks-the-house" });
  });
});
