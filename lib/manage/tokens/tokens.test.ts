import { expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { createToken, type TokenInput } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";
import { findToken, mostTokens, writeToken } from "./token.ts";
import { listTokens, TokenUses } from "./token-uses.ts";

const log = testLog();
const day = 86_400_000;
const create = (input: Partial<TokenInput> = {}) =>
  createToken(log.signed(), { name: "WAF exporter", scopes: ["read", "lists"], expiresInMs: day, ...input });
const redis = () => log.signed().redis;

it("creates a token, finds it by its secret alone, and revokes it at once", async () => {
  const { secret, token } = await create();
  expect(secret).toMatch(/^slc_[A-Za-z0-9_-]{43}$/);
  expect(await findToken(redis(), secret)).toEqual({ token, isExpired: false });
  for (const other of ["", "slc_", `${secret}x`, `${secret.slice(0, -1)}!`, secret.toUpperCase()])
    expect(await findToken(redis(), other)).toBeUndefined();
  await revokeToken(log.signed(), { name: token.name });
  expect(await findToken(redis(), secret)).toBeUndefined();
  expect(await log.records()).toMatchObject([
    { action: "token.create", change: null, changes: [{ target: "WAF exporter", before: null }] },
    { action: "token.revoke", change: null, changes: [{ target: "WAF exporter", after: null }] },
  ]);
  await log.expectSoundChain(2);
  await expect(revokeToken(log.signed(), { name: token.name })).rejects.toMatchObject({ code: "not-found" });
});

it("stores neither the secret nor its digest in a place that is shown", async () => {
  const { secret, token } = await create();
  const everything = JSON.stringify([
    await log.client.hgetall(keys.tokens()),
    await log.records(),
    await listTokens(redis()),
  ]);
  expect(everything).not.toContain(secret);
  const shown = JSON.stringify([await log.records(), await listTokens(redis())]);
  expect(shown).not.toContain(token.id);
  expect(shown).toContain(secret.slice(0, 8));
});

it("expires by Redis' clock", async () => {
  const { secret, token } = await create();
  const past = new Date(Date.now() - 60_000).toISOString();
  await log.client.hset(keys.tokens(), token.id, writeToken({ ...token, until: past }));
  expect(await findToken(redis(), secret)).toMatchObject({ isExpired: true });
  await log.client.hset(keys.tokens(), token.id, writeToken({ ...token, until: null }));
  expect(await findToken(redis(), secret)).toMatchObject({ isExpired: false });
});

it("gives no permission for what it cannot read", async () => {
  const { secret, token } = await create();
  const put = (text: string) => log.client.hset(keys.tokens(), token.id, text);
  await put(JSON.stringify({ ...JSON.parse(writeToken(token)), scopes: ["read", "users", "everything"] }));
  expect((await findToken(redis(), secret))?.token.scopes).toEqual(["read"]);
  for (const text of ["", "{}", "[]", writeToken(token).replace(/"until":"[^"]*"/, '"until":"soon"')]) {
    await put(text);
    expect(await findToken(redis(), secret), text).toBeUndefined();
  }
});

it.each([
  [{ name: "" }, "name"],
  [{ name: "a:b" }, "name"],
  [{ name: "x".repeat(41) }, "name"],
  [{ scopes: [] }, "scopes"],
  [{ scopes: ["lists-forever"] as const }, "scopes"],
  [{ app: "shop" }, "scopes"],
  [{ app: "My Shop", scopes: ["read"] as const }, "app"],
  [{ expiresInMs: 1 }, "expiresInMs"],
  [{ expiresInMs: Number.NaN }, "expiresInMs"],
  [{ expiresInMs: 11 * 365 * day }, "expiresInMs"],
])("refuses %j, and records nothing", async (input, field) => {
  await expect(create(input)).rejects.toMatchObject({
    code: "bad-input",
    fields: { [field]: expect.any(String) },
  });
  expect(await log.records()).toEqual([]);
});

it("has each name once, and a bounded number of tokens", async () => {
  await create();
  await expect(create({ name: "waf EXPORTER" })).rejects.toMatchObject({ code: "bad-input" });
  for (let i = 1; i < mostTokens; i++) await create({ name: `token ${i}` });
  await expect(create({ name: "one more" })).rejects.toMatchObject({ code: "bad-input" });
  await revokeToken(log.signed(), { name: "token 1" });
  await create({ name: "one more" });
  expect(await listTokens(redis())).toHaveLength(mostTokens);
});

it("knows the last use of each token, and writes it once a minute", async () => {
  let now = Date.parse("2026-03-01T12:00:00Z");
  const uses = new TokenUses(() => now);
  const { token } = await create();
  expect(await listTokens(redis())).toMatchObject([{ lastUse: null }]);
  await uses.note(redis(), token.id, undefined);
  now += 59_000;
  expect(uses.note(redis(), token.id, undefined)).toBeUndefined();
  now += 1_000;
  await uses.note(redis(), token.id, undefined);
  expect(await listTokens(redis())).toMatchObject([
    { lastUse: { at: "2026-03-01T12:01:00.000Z", address: null } },
  ]);
  await revokeToken(log.signed(), { name: token.name });
  expect(await log.client.hlen(keys.tokenUses())).toBe(0);
});
