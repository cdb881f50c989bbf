import { expect, it } from "vitest";
import { inviteUser } from "../../manage/users/invite.ts";
import { removeUser } from "../../manage/users/remove.ts";
import type { SsoSettings } from "../../manage/users/sso-settings.ts";
import { storedUser } from "../../manage/users/vitest.users.ts";
import type { AuthParts } from "./auth.ts";
import { address, testAuth } from "./vitest.auth.ts";
import { Browser } from "./vitest.console.ts";
import { client } from "./vitest.oidc.ts";

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

const oidc = (given: Partial<SsoSettings>): AuthParts["oidc"] => ({
  ...{ issuer: test.provider.issuer, clientId: client.id, clientSecret: client.secret },
  ...{ roleClaim: "role", roleMap: undefined, ...given },
});

it("takes the highest role that the map gives, and another one the next time", async () => {
  const roleMap = new Map([
    ["viewer", "viewer"],
    ["helpdesk", "support"],
  ] as const);
  now.more = { oidc: oidc({ roleMap }) };
  test.provider.conduct.claims.role = ["staff", "viewer", "helpdesk"];
  await signInBySso();
  expect(await now.browser.session()).toMatchObject({ user: { role: "support" } });
  test.provider.conduct.claims.role = "viewer";
  const other = now.browser;
  now.browser = new Browser(test.url);
  await signInBySso();
  expect(await now.browser.session()).toMatchObject({ user: { role: "viewer" } });
  expect(await other.session()).toEqual({});
});

it("gives a company's group no role that happens to have its name", async () => {
  test.provider.conduct.claims = { ...test.provider.conduct.claims, role: ["admin", "staff"] };
  expect(await signInBySso()).toBe("/signin?error=sso-role");
  now.more = { oidc: oidc({ roleClaim: "groups", roleMap: new Map([["netops", "staff"]]) }) };
  Object.assign(test.provider.conduct.claims, { groups: ["staff", "admin"], role: undefined });
  expect(await signInBySso()).toBe("/signin?error=sso-role");
  await expectNobody();
});

it("refuses another account with the address of a user, and tells admins", async () => {
  await signInBySso();
  await now.browser.post("/api/auth/signout", {});
  Object.assign(test.provider.conduct.claims, { sub: "another user", role: "admin" });
  expect(await signInBySso()).toBe("/signin?error=sso-other-account");
  expect(await now.browser.session()).toEqual({});
  expect(await storedUser(test.log.client, email)).toMatchObject({ role: "staff" });
  expect(await test.lastRecord()).toMatchObject({
    action: "refused:sign-in",
    reason: `1 attempt for ${email}: another account of the provider has this address now. To let it in, remove the user and invite the address`,
  });
});

it("lets a removed user in only after an invitation", async () => {
  await signInBySso();
  await removeUser(test.cli(), { email });
  now.browser = new Browser(test.url);
  expect(await signInBySso()).toBe("/signin?error=sso-removed");
  expect(await now.browser.session()).toEqual({});
  expect(await storedUser(test.log.client, email)).toBeUndefined();
  expect(await test.lastRecord()).toMatchObject({ reason: expect.stringContaining("invite the address") });
  await inviteUser(test.cli(), { email, role: "viewer" });
  expect(await signInBySso()).toBe("/blocklist");
});

it("never joins the address of one answer with the verdict of the other", async () => {
  const { conduct } = test.provider;
  conduct.claims = { role: "staff", email: "boss@example.org" };
  conduct.userinfo = { sub: "somebody", email, email_verified: true };
  expect(await signInBySso()).toBe("/blocklist");
  expect(await now.browser.session()).toMatchObject({ user: { email } });
  expect(await storedUser(test.log.client, "boss@example.org")).toBeUndefined();
  now.browser = new Browser(test.url);
  conduct.userinfo = { sub: "somebody", email_verified: true };
  expect(await signInBySso()).toBe("/signin?error=sso-email");
});

it("takes the address of the answer that has a verdict on it, also where only that one tells the role", async () => {
  const { conduct } = test.provider;
  conduct.claims = { email: "boss@example.org" };
  conduct.userinfo = { sub: "somebody", email, email_verified: true, role: "staff" };
  expect(await signInBySso()).toBe("/blocklist");
  expect(await now.browser.session()).toMatchObject({ user: { email, role: "staff" } });
  expect(await storedUser(test.log.client, "boss@example.org")).toBeUndefined();
});

it("asks for what the token leaves out, and believes it of the same person alone", async () => {
  test.provider.conduct.claims = {};
  test.provider.conduct.userinfo = { sub: "somebody", email, email_verified: true, role: "admin" };
  expect(await signInBySso()).toBe("/blocklist");
  expect(await now.browser.session()).toMatchObject({ user: { email, role: "admin" } });
  await now.browser.post("/api/auth/signout", {});
  await removeUser(test.cli(), { email });
  test.provider.conduct.userinfo.sub = "another user";
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
});

it.each([
  ["a wrong nonce", { nonce: "another" }],
  ["no nonce", { nonce: undefined }],
  ["a wrong issuer", { iss: "https://example.com" }],
  ["a token for another client", { aud: "another" }],
  ["a token that has expired", { iat: 1_700_000_000, exp: 1_700_000_300 }],
])("lets no user in with %s", async (_, claims) => {
  Object.assign(test.provider.conduct.claims, claims);
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
  expect(now.said).toEqual([expect.stringMatching(/^sluice: signing in: OAUTH_CALLBACK_ERROR: /)]);
});

it("lets no user in by a token that another key has signed", async () => {
  test.provider.conduct.isSignedByAnother = true;
  expect(await signInBySso()).toBe(refused);
  await expectNobody();
});

it("lets no user in with another's state, without one, or twice by one code", async () => {
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
