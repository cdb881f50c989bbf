import { expect, it } from "vitest";
import { inviteUser } from "../../lib/auth/invite.ts";
import { removeUser } from "../../lib/auth/remove.ts";
import { storedUser } from "../../lib/auth/vitest.users.ts";
import { address, testAuth } from "./vitest.auth.ts";
import { Browser } from "./vitest.console.ts";

const test = testAuth();
const { now } = test;
const email = "ops@example.org";

/** From the button to wherever the now.browser ends up. */
async function signInBySso(change: (back: URLSearchParams) => void = () => {}): Promise<string> {
  const start = await now.browser.post("/api/auth/signin/oidc", { callbackUrl: "/blocklist" });
  const there = new URL(test.placeOf(start));
  expect(there.origin).toBe(test.provider.issuer);
  const back = test.provider.consent(there);
  change(back);
  return test.placeOf(await now.browser.get(`/api/auth/callback/oidc?${back}`));
}
const refused = "/api/auth/error?error=OAuthCallback";
async function expectNobody() {
  expect(await now.browser.session()).toEqual({});
  expect(await test.openSessions()).toEqual([]);
  expect(await storedUser(test.log.client, email)).toBeUndefined();
}

it("asks with PKCE, state and nonce, makes the user, and comes back", async () => {
  const start = await now.browser.post("/api/auth/signin/oidc", {});
  const asked = new URL(test.placeOf(start)).searchParams;
  expect(asked.get("code_challenge_method")).toBe("S256");
  for (const name of ["code_challenge", "state", "nonce"])
    expect(asked.get(name)?.length).toBeGreaterThan(20);
  expect(await signInBySso()).toBe("/blocklist");
  expect(await now.browser.session()).toMatchObject({ user: { email, role: "staff" } });
  expect(await storedUser(test.log.client, email)).toMatchObject({ by: "sso", role: "staff" });
  const [made, signedIn] = (await test.log.records()).slice(-2);
  expect(made).toMatchObject({ action: "user.sso", actor: email, address });
  expect(signedIn).toMatchObject({ action: "sign-in", reason: "by single sign-on" });
  await test.log.expectSoundChain((await test.log.records()).length);
});

it("takes the highest role of a list, and another one the next time", async () => {
  test.provider.conduct.claims.role = ["everyone", "viewer", "support"];
  await signInBySso();
  expect(await now.browser.session()).toMatchObject({ user: { role: "support" } });
  test.provider.conduct.claims.role = "viewer";
  const other = now.browser;
  now.browser = new Browser(test.url);
  await signInBySso();
  expect(await now.browser.session()).toMatchObject({ user: { role: "viewer" } });
  expect(await other.session()).toEqual({});
});

it("asks for what the token leaves out, and believes it of the same person alone", async () => {
  test.provider.conduct.claims = {};
  test.provider.conduct.userinfo = { sub: "somebody", email, email_verified: true, role: "admin" };
  expect(await signInBySso()).toBe("/blocklist");
  expect(await now.browser.session()).toMatchObject({ user: { email, role: "admin" } });
  await now.browser.post("/api/auth/signout", {});
  await removeUser(test.cli(), { email });
  test.provider.conduct.userinfo.sub = "somebody else";
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
});

it.each([
  ["a wrong nonce", { nonce: "another" }],
  ["no nonce", { nonce: undefined }],
  ["a wrong issuer", { iss: "https://example.com" }],
  ["a token for another client", { aud: "another" }],
  ["a token that has expired", { iat: 1_700_000_000, exp: 1_700_000_300 }],
])("lets nobody in with %s", async (_, claims) => {
  Object.assign(test.provider.conduct.claims, claims);
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
  expect(now.said).toEqual([expect.stringMatching(/^sluice: signing in: OAUTH_CALLBACK_ERROR: /)]);
});

it("lets nobody in by a token that another key has signed", async () => {
  test.provider.conduct.isSignedByAnother = true;
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
});

it("lets nobody in with another's state, without one, or twice by one code", async () => {
  expect(await signInBySso((back) => back.set("state", "another"))).toBe(refused);
  expect(await signInBySso((back) => back.delete("state"))).toBe(refused);
  const there = new URL(test.placeOf(await now.browser.post("/api/auth/signin/oidc", {})));
  const back = test.provider.consent(there);
  const stranger = new Browser(test.url);
  expect(test.placeOf(await stranger.get(`/api/auth/callback/oidc?${back}`))).toContain(refused);
  await expectNobody();
  const kept = new Map(now.browser.cookies);
  expect(test.placeOf(await now.browser.get(`/api/auth/callback/oidc?${back}`))).not.toContain("error");
  for (const [name, value] of kept) now.browser.cookies.set(name, value);
  expect(test.placeOf(await now.browser.get(`/api/auth/callback/oidc?${back}`))).toContain(refused);
});

it.each([
  ["sso-unverified", { email_verified: false }],
  ["sso-unverified", { email_verified: undefined }],
  ["sso-role", { role: "owner" }],
  ["sso-role", { role: undefined }],
  ["sso-email", { email: undefined }],
])("refuses with %s, and puts it on record", async (word, claims) => {
  Object.assign(test.provider.conduct.claims, claims);
  expect(await signInBySso()).toBe(`/signin?error=${word}`);
  await expectNobody();
  expect(await test.lastRecord()).toMatchObject({ action: "refused:sign-in", address });
});

it("does not lower the last admin", async () => {
  test.provider.conduct.claims.email = "root@example.org";
  expect(await signInBySso()).toBe("/signin?error=sso-last-admin");
  expect(await storedUser(test.log.client, "root@example.org")).toMatchObject({
    role: "admin",
    by: "password",
  });
});

it("takes over who was invited, so that the link is void", async () => {
  await inviteUser(test.cli(), { email, role: "admin" });
  await signInBySso();
  expect(await storedUser(test.log.client, email)).toMatchObject({ by: "sso", role: "staff" });
});

it("is not there when it is not configured", async () => {
  now.more = { oidc: undefined };
  const providers = await (await now.browser.get("/api/auth/providers")).json();
  expect(Object.keys(providers)).toEqual(["credentials"]);
});
