import { beforeEach, describe, expect, it } from "vitest";
import { removeUser } from "../../manage/users/remove.ts";
import { setRole } from "../../manage/users/set-role.ts";
import { goodPassword, settle } from "../../manage/users/vitest.users.ts";
import { address, testAuth } from "./vitest.auth.ts";
import { Browser } from "./vitest.console.ts";

const test = testAuth();
const { now } = test;
const email = "ops@example.org";

describe("by password", () => {
  beforeEach(() => settle(test.cli(), email, "staff"));

  it("signs in, holds nothing but the session's id in the cookie, and is on record", async () => {
    const answer = await now.browser.signIn(email, goodPassword);
    expect([answer.status, test.placeOf(answer)]).toEqual([302, `/`]);
    expect(await now.browser.session()).toMatchObject({ user: { email, role: "staff" } });
    expect(await test.openSessions()).toHaveLength(1);
    expect(await test.lastRecord()).toMatchObject({
      action: "sign-in",
      actor: email,
      address,
      reason: "by password",
    });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("sluice.session="));
    expect(cookie).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  });

  it("denies a wrong password and a user who does not exist, with the same answer", async () => {
    const [wrong, unknown] = [
      await now.browser.signIn(email, "not the password"),
      await now.browser.signIn("no@example.org", goodPassword),
    ];
    expect(test.placeOf(wrong)).toContain("error=CredentialsSignin");
    expect([unknown.status, test.placeOf(unknown)]).toEqual([wrong.status, test.placeOf(wrong)]);
    expect(await now.browser.session()).toEqual({});
    expect(await test.openSessions()).toEqual([]);
  });

  it("says how long to wait once attempts are used up", async () => {
    for (let i = 0; i < 5; i++) await now.browser.signIn(email, "not the password");
    expect(test.placeOf(await now.browser.signIn(email, goodPassword))).toBe(
      `/api/auth/error?error=throttled-60`,
    );
    test.at.pass(60);
    expect(test.placeOf(await now.browser.signIn(email, goodPassword))).toBe(`/`);
  });

  it("does nothing without the csrf token of this browser", async () => {
    const answer = await now.browser.signIn(email, goodPassword, { csrfToken: "f".repeat(64) });
    expect(test.placeOf(answer)).toContain("csrf=true");
    expect(await test.openSessions()).toEqual([]);
  });

  it("ends at once when the role is lowered or the user removed", async () => {
    await now.browser.signIn(email, goodPassword);
    await setRole(test.cli(), { email, role: "viewer" });
    expect(await now.browser.session()).toEqual({});
    expect(now.browser.cookies.has("sluice.session")).toBe(false);
    await now.browser.signIn(email, goodPassword);
    expect(await now.browser.session()).toMatchObject({ user: { role: "viewer" } });
    await removeUser(test.cli(), { email });
    expect(await now.browser.session()).toEqual({});
    expect(now.said).toEqual([]);
  });

  it("closes the session in Redis when a user signs out, and takes no old cookie back", async () => {
    await now.browser.signIn(email, goodPassword);
    const stolen = now.browser.cookies.get("sluice.session") ?? "";
    await now.browser.post("/api/auth/signout", {});
    expect(now.browser.cookies.has("sluice.session")).toBe(false);
    expect(await test.openSessions()).toEqual([]);
    now.browser.cookies.set("sluice.session", stolen);
    expect(await now.browser.session()).toEqual({});
  });

  it("logs in one line, and only there, that a session stays when Redis takes no changes at sign-out", async () => {
    await now.browser.signIn(email, goodPassword);
    const stop = await test.log.client.call("ACL", "SETUSER", "default", "-del");
    expect(stop).toBe("OK");
    try {
      const answer = await now.browser.post("/api/auth/signout", {});
      expect(answer.status).toBe(302);
    } finally {
      await test.log.client.call("ACL", "SETUSER", "default", "+del");
    }
    expect(now.browser.cookies.has("sluice.session")).toBe(false);
    expect(now.said).toEqual([
      expect.stringMatching(
        /^sluice: a session was not closed when its user signed out\. It ends 30 min after its last activity\. ReplyError: NOPERM/,
      ),
    ]);
  });

  it("puts a new session in the place of the one that the now.browser had", async () => {
    await now.browser.signIn(email, goodPassword);
    const [before = ""] = await test.openSessions();
    now.more = { before: before.replace("sluice:session:", "") };
    await now.browser.signIn(email, goodPassword);
    const after = await test.openSessions();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
  });

  it("comes back to a page of the console, and to nowhere else", async () => {
    const backTo = async (callbackUrl: string) =>
      test.placeOf(await now.browser.signIn(email, goodPassword, { callbackUrl }));
    expect(await backTo("/blocklist?q=9")).toBe("/blocklist?q=9");
    for (const foreign of ["https://example.com/", "//example.com", "/\\example.com", "javascript:alert(1)"])
      expect([foreign, await backTo(foreign)]).toEqual([foreign, "/"]);
  });

  it("says no more than that it cannot now, when Redis is full", async () => {
    await test.log.client.config("SET", "maxmemory", "1");
    try {
      expect(test.placeOf(await now.browser.signIn(email, goodPassword))).toContain("error=unavailable");
    } finally {
      await test.log.client.config("SET", "maxmemory", "0");
    }
    expect(now.said).toEqual([expect.stringMatching(/^sluice: signing in: ReplyError: OOM/)]);
  });
});

describe("cookies", () => {
  it("have plain names over http, and are __Host- and secure over https", async () => {
    const names = async () => {
      const answer = await now.browser.post("/api/auth/signin/oidc", {});
      const lines = [
        ...answer.headers.getSetCookie(),
        ...(await now.browser.get("/api/auth/csrf")).headers.getSetCookie(),
      ];
      expect(
        lines.every((line) => /; Path=\/;/.test(line) && /HttpOnly/.test(line) && /SameSite=Lax/.test(line)),
      ).toBe(true);
      expect(lines.every((line) => !/Domain=/.test(line))).toBe(true);
      return {
        names: [...now.browser.cookies.keys()].toSorted(),
        isSecure: lines.every((line) => /Secure/.test(line)),
      };
    };
    const plain = ["callback-url", "csrf", "nonce", "pkce", "state"].map((name) => `sluice.${name}`);
    expect(await names()).toEqual({ names: plain, isSecure: false });
    now.more = { isHttps: true };
    now.browser = new Browser(test.url);
    expect(await names()).toEqual({ names: plain.map((name) => `__Host-${name}`), isSecure: true });
  });
});
