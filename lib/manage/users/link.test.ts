import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { acceptLink } from "./accept-link.ts";
import { inviteUser } from "./invite.ts";
import { findLink } from "./link.ts";
import { argon2id } from "./password.ts";
import { removeUser } from "./remove.ts";
import { resetUser } from "./reset.ts";
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

describe("inviteUser", () => {
  it("makes a user without a password, and a link that Redis knows by its digest alone", async () => {
    const { word, until } = await inviteUser(asRoot(), { email: " New@Example.org ", role: "staff" });
    const user = await storedUser(log.client, email);
    expect(user).toMatchObject({ role: "staff", by: "password", linkUntil: until });
    expect(await hashOf(email)).toBeNull();
    expect(await log.client.keys("sluice:link:*")).toEqual([`sluice:link:${digestOf(word)}`]);
    expect(await log.client.ttl(`sluice:link:${digestOf(word)}`)).toBeGreaterThan(7 * 86_400 - 5);
    expect(await lastRecord()).toMatchObject({
      ...{ actor: "root@example.org", action: "user.invite" },
      changes: [{ target: email, before: null, after: { value: expect.stringContaining('"staff"') } }],
    });
    expect(await allRecords()).not.toContain(word);
    expect(await allRecords()).not.toContain(digestOf(word));
    await log.expectSoundChain((await log.records()).length);
  });

  it("refuses who is there already, and what is no email, and writes nothing", async () => {
    const before = await log.records();
    const again = inviteUser(asRoot(), { email: "ROOT@example.org", role: "viewer" });
    await expect(again).rejects.toMatchObject({ code: "bad-input", fields: { email: expect.any(String) } });
    for (const bad of [
      "",
      "root",
      "a b@example.org",
      "a@b@c",
      "<b>@example.org",
      `${"x".repeat(65)}@example.org`,
    ])
      await expect(inviteUser(asRoot(), { email: bad, role: "viewer" })).rejects.toMatchObject({
        code: "bad-input",
      });
    expect(await log.records()).toEqual(before);
    expect((await storedUser(log.client, "root@example.org"))?.role).toBe("admin");
  });

  it("gives a user who comes back another version, so that no old session fits", async () => {
    await settle(cli(), email, "staff");
    const old = await storedUser(log.client, email);
    await removeUser(asRoot(), { email });
    await settle(cli(), email, "staff");
    const versions = Array.from({ length: 3 }, (_, i) => (old?.version ?? 0) + i);
    expect(versions).not.toContain((await storedUser(log.client, email))?.version);
  });
});

describe("acceptLink", () => {
  it("sets the password, once, and raises the version", async () => {
    const { word } = await inviteUser(asRoot(), { email, role: "support" });
    const invited = await storedUser(log.client, email);
    expect(await accept(word)).toEqual({ email });
    const user = await storedUser(log.client, email);
    expect(user).toMatchObject({ role: "support", by: "password", version: (invited?.version ?? 0) + 1 });
    expect(user?.linkUntil).toBeUndefined();
    const hash = await hashOf(email);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await argon2id.isRight(hash ?? "", goodPassword)).toBe(true);
    expect(await lastRecord()).toMatchObject({ actor: email, action: "user.welcome", via: "cli" });
    expect(await allRecords()).not.toContain("argon2id");
    await expect(accept(word, "another long password")).rejects.toMatchObject({ code: "not-found" });
    expect(await hashOf(email)).toBe(hash);
  });

  it("lets one of two at once in", async () => {
    const { word } = await inviteUser(asRoot(), { email, role: "staff" });
    const both = await Promise.allSettled([
      accept(word, "the first password"),
      accept(word, "the other password"),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const winner = both[0]?.status === "fulfilled" ? "the first password" : "the other password";
    expect(await argon2id.isRight((await hashOf(email)) ?? "", winner)).toBe(true);
  });

  it("refuses a link that has expired, a newer one's elder, a removed user's, and one made up", async () => {
    const expired = await inviteUser(asRoot(), { email, role: "staff" });
    await log.client.pexpire(`sluice:link:${digestOf(expired.word)}`, 1);
    await expect.poll(() => findLink(log.connect(), expired.word)).toBeUndefined();
    await expect(accept(expired.word)).rejects.toMatchObject({ code: "not-found" });
    const elder = await resetUser(asRoot(), { email });
    const newer = await resetUser(asRoot(), { email });
    await expect(accept(elder.word)).rejects.toMatchObject({ code: "not-found" });
    expect(await findLink(log.connect(), newer.word)).toMatchObject({ email, kind: "reset" });
    await removeUser(asRoot(), { email });
    await expect(accept(newer.word)).rejects.toMatchObject({ code: "not-found" });
    await inviteUser(asRoot(), { email, role: "admin" });
    await expect(accept(newer.word)).rejects.toMatchObject({ code: "not-found" });
    await expect(accept("made-up")).rejects.toMatchObject({ code: "not-found" });
    expect(await hashOf(email)).toBeNull();
  });

  it("refuses a weak password and keeps the link", async () => {
    const { word } = await inviteUser(asRoot(), { email, role: "staff" });
    for (const weak of ["", "eleven char", "aaaaaaaaaaaaaaaa", email, "x".repeat(201)])
      await expect(accept(word, weak)).rejects.toMatchObject({
        code: "bad-input",
        fields: { password: expect.any(String) },
      });
    expect(await accept(word)).toEqual({ email });
  });
});
