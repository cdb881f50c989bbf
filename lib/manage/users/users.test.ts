import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { acceptLink } from "./accept-link.ts";
import { inviteUser } from "./invite.ts";
import { argon2id } from "./password.ts";
import { removeUser } from "./remove.ts";
import { resetUser } from "./reset.ts";
import { findSession, openSession } from "./sessions.ts";
import { setRole } from "./set-role.ts";
import { listUsers } from "./users.ts";
import { goodPassword, settle, storedUser } from "./vitest.users.ts";

const log = testLog();
const cli = () => log.signed({ name: "cli:root", via: "cli" });
const asRoot = (email = "root@example.org") => log.signed({ name: email });
const email = "new@example.org";
const digestOf = (word: string) => createHash("sha256").update(word).digest("hex");
const hashOf = (whose: string) => log.client.hget("sluice:passwords", whose);
const lastRecord = async () => (await log.records()).at(-1);
const accept = (word: string, password = goodPassword) => acceptLink(cli(), { word, password }, argon2id);

/** Everything that any record says. */
const allRecords = async () => JSON.stringify(await log.records());

beforeEach(() => settle(cli(), "root@example.org", "admin"));

describe("setRole", () => {
  it("changes the role and ends the sessions at once", async () => {
    await settle(cli(), email, "admin");
    const redis = log.connect();
    const before = await storedUser(log.client, email);
    const id = await openSession(redis, { email, version: before?.version ?? 0 });
    expect(await findSession(redis, id, { isActivity: true })).toMatchObject({ email, role: "admin" });
    expect(await setRole(asRoot(), { email, role: "viewer" })).toEqual({ outcome: "changed" });
    expect(await findSession(redis, id, { isActivity: true })).toBeUndefined();
    expect(await storedUser(log.client, email)).toMatchObject({
      role: "viewer",
      version: (before?.version ?? 0) + 1,
    });
    const record = await lastRecord();
    expect(record).toMatchObject({ action: "user.role", changes: [{ target: email }] });
    expect(record?.changes[0]?.before?.value).toContain('"admin"');
    expect(record?.changes[0]?.after?.value).toContain('"viewer"');
  });

  it("leaves the link of who has no password yet as it is", async () => {
    const { word } = await inviteUser(asRoot(), { email, role: "viewer" });
    const before = await storedUser(log.client, email);
    await setRole(asRoot(), { email, role: "staff" });
    expect(await storedUser(log.client, email)).toEqual({ ...before, role: "staff" });
    expect(await accept(word)).toEqual({ email });
    expect(await storedUser(log.client, email)).toMatchObject({
      role: "staff",
      version: (before?.version ?? 0) + 1,
    });
  });

  it("writes nothing when the role stays", async () => {
    await settle(cli(), email, "staff");
    const { length } = await log.records();
    expect(await setRole(asRoot(), { email, role: "staff" })).toEqual({ outcome: "kept" });
    expect(await log.records()).toHaveLength(length);
  });

  it("refuses the last admin who can sign in, oneself, and who is not there", async () => {
    const { length } = await log.records();
    const root = "root@example.org";
    await expect(setRole(cli(), { email: root, role: "staff" })).rejects.toMatchObject({
      code: "lockout",
    });
    await inviteUser(cli(), { email, role: "admin" });
    // Invited, but without a password yet.
    await expect(setRole(cli(), { email: root, role: "staff" })).rejects.toMatchObject({
      code: "lockout",
    });
    await expect(setRole(asRoot(), { email: root, role: "staff" })).rejects.toThrow("your own role");
    await expect(setRole(cli(), { email: "no@example.org", role: "staff" })).rejects.toMatchObject({
      code: "not-found",
    });
    expect(await log.records()).toHaveLength(length + 1);
    expect((await storedUser(log.client, root))?.role).toBe("admin");
  });

  it("keeps one admin of two who lower each other at once", async () => {
    await settle(cli(), email, "admin");
    const both = await Promise.allSettled([
      setRole(asRoot(), { email, role: "viewer" }),
      setRole(asRoot(email), { email: "root@example.org", role: "viewer" }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const roles = (await listUsers(log.connect())).map(({ role }) => role);
    expect(roles.toSorted()).toEqual(["admin", "viewer"]);
  });
});

describe("resetUser", () => {
  it("takes the password, ends the sessions, and leaves a link for a day", async () => {
    await settle(cli(), email, "staff");
    const redis = log.connect();
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    const id = await openSession(redis, { email, version });
    const { word } = await resetUser(asRoot(), { email });
    expect(await hashOf(email)).toBeNull();
    expect(await findSession(redis, id, { isActivity: false })).toBeUndefined();
    const ttl = await log.client.ttl(`sluice:link:${digestOf(word)}`);
    expect(ttl).toBeGreaterThan(86_400 - 5);
    expect(ttl).toBeLessThanOrEqual(86_400);
    expect(await lastRecord()).toMatchObject({ action: "user.reset", changes: [{ target: email }] });
    await accept(word, "a new password");
    expect(await lastRecord()).toMatchObject({
      actor: email,
      action: "user.password",
      reason: "by one-time link",
    });
    expect(await allRecords()).not.toContain(word);
  });

  it("refuses oneself, but not the host, which lets the last admin in again", async () => {
    await expect(resetUser(asRoot(), { email: "root@example.org" })).rejects.toMatchObject({
      code: "lockout",
    });
    const { word } = await resetUser(cli(), { email: "root@example.org" });
    expect(await accept(word)).toEqual({ email: "root@example.org" });
    await expect(resetUser(cli(), { email: "no@example.org" })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("removeUser", () => {
  it("leaves nothing of the user but the record", async () => {
    await settle(cli(), email, "staff");
    const redis = log.connect();
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    const id = await openSession(redis, { email, version });
    await log.client.hset("sluice:sign-ins", email, '{"at":"2026-01-01T00:00:00.000Z"}');
    await removeUser(asRoot(), { email });
    expect(await findSession(redis, id, { isActivity: true })).toBeUndefined();
    for (const key of ["sluice:users", "sluice:passwords", "sluice:sign-ins"])
      expect(await log.client.hexists(key, email)).toBe(0);
    const record = await lastRecord();
    expect(record).toMatchObject({ action: "user.remove", changes: [{ target: email, after: null }] });
    expect(record?.changes).toHaveLength(1);
  });

  it("refuses the last admin, oneself, and who is not there", async () => {
    const root = "root@example.org";
    await settle(cli(), email, "staff");
    await expect(removeUser(cli(), { email: root })).rejects.toMatchObject({ code: "lockout" });
    await settle(cli(), "two@example.org", "admin");
    await expect(removeUser(asRoot(), { email: root })).rejects.toThrow("cannot remove yourself");
    await removeUser(cli(), { email: root });
    await expect(removeUser(cli(), { email: root })).rejects.toMatchObject({ code: "not-found" });
  });
});
