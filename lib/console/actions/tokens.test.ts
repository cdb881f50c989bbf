import { expect, it, vi } from "vitest";
import { roles } from "../../manage/users/roles.ts";
import { keys } from "../../redis/keys.ts";
import { theConsole } from "../console.ts";
import { getTokens } from "../stored-tokens.ts";
import { createToken, revokeToken } from "./tokens.ts";
import { request, testActions } from "./vitest.actions.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const input = { name: "ci", scopes: ["read" as const], expiresInMs: null };
const read = () =>
  getTokens(new Request("http://console.example.org/api/tokens"), { params: Promise.resolve({}) });

it.each(roles.filter((role) => role !== "admin"))("a %s reads, creates and revokes none", async (role) => {
  await console.signIn(role);
  for (const write of [() => createToken(input), () => revokeToken({ name: "ci" })])
    expect(await write()).toMatchObject({ ok: false, error: { code: "not-allowed" } });
  expect((await read()).status).toBe(403);
  expect(await theConsole().redis.exists(keys.tokens())).toBe(0);
  expect((await console.records()).map(({ action }) => action)).toEqual([
    "refused:token.create",
    "refused:token.revoke",
  ]);
});

it("shows an admin the secret once, and lists the token without it", async () => {
  const email = await console.signIn("admin");
  const created = await createToken(input);
  const secret = created.ok ? created.value.secret : "";
  expect(secret).toMatch(/^slc_/);
  const text = await (await read()).text();
  expect(JSON.parse(text).tokens).toMatchObject([{ name: "ci", by: email, until: null, lastUse: null }]);
  expect(text).not.toContain(secret);
  expect(await revokeToken({ name: "ci" })).toMatchObject({ ok: true });
  expect(JSON.parse(await (await read()).text())).toEqual({ tokens: [] });
});
