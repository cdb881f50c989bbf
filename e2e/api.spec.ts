import type { APIRequestContext, APIResponse } from "@playwright/test";
import { createToken } from "@/lib/manage/tokens/create-token.ts";
import { revokeToken } from "@/lib/manage/tokens/revoke-token.ts";
import type { TokenScope } from "@/lib/manage/tokens/scopes.ts";
import { idOf, readToken, writeToken } from "@/lib/manage/tokens/token.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expect, type Sluice, test } from "./fixtures/console-test.ts";

/** What a program knows of the API: its document, and a token. */
interface Program {
  readonly request: APIRequestContext;
  readonly url: string;
  readonly secret: string;
}

interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Documented {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
}

/** Sends an operation by its name. The status of the answer must be one that the document has. */
async function call(program: Program, operationId: string, given: Call = {}): Promise<APIResponse> {
  const { request, url, secret } = program;
  const document = await (await request.get(`${url}/api/v1/openapi.json`)).json();
  const paths: Readonly<Record<string, Readonly<Record<string, Documented>>>> = document.paths;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, documented] of Object.entries(methods)) {
      if (documented.operationId !== operationId) continue;
      const { params = {}, query = {}, body, headers = {} } = given;
      const named = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
      const answer = await request.fetch(`${url}${document.servers[0].url}${named}`, {
        ...{ method: method.toUpperCase(), params: query, failOnStatusCode: false },
        headers: { authorization: `Bearer ${secret}`, ...headers },
        ...(body && { data: body }),
      });
      expect(Object.keys(documented.responses), `${operationId} ${await answer.text()}`).toContain(
        String(answer.status()),
      );
      return answer;
    }
  throw new Error(`the document has no ${operationId}`);
}

let tokens = 0;

async function programOf(
  sluice: Sluice,
  request: APIRequestContext,
  scopes: readonly TokenScope[],
): Promise<Program> {
  const name = `e2e ${++tokens}`;
  const { secret } = await createToken(sluice.as("admin"), { name, scopes, expiresInMs: 3_600_000 });
  return { request, url: sluice.url, secret };
}

test.afterEach(async ({ sluice }) => {
  const { client } = sluice.redis;
  const own = await client.keys("*list:*");
  await client.del(keys.tokens(), keys.tokenUses(), "customer:e2e:tier_redis", ...own);
});

test("staff's job: an address is blocked on every node, found, and unblocked", async ({
  sluice,
  shop,
  request,
}) => {
  const program = await programOf(sluice, request, ["read", "lists"]);
  const address = "203.0.113.131";
  const params = { address };
  expect(await shop.status(address)).toBe(200);
  const preview = await call(program, "putBlocklistEntry", { params, query: { dryRun: "true" }, body: {} });
  expect(await preview.json()).toMatchObject({ dryRun: true, change: null });
  const put = await call(program, "putBlocklistEntry", {
    params,
    body: { expiresIn: "1h", reason: "SEC-2291" },
  });
  expect(put.status()).toBe(201);
  const { change } = await put.json();
  await expect(async () => {
    const progress = await (await call(program, "getChange", { params: { change: String(change) } })).json();
    expect(progress).toMatchObject({ lagging: [], appliedOn: progress.nodes });
  }).toPass();
  expect(await shop.status(address)).toBe(403);
  const explained = await call(program, "explain", { body: { ip: address } });
  expect(await explained.json()).toMatchObject({ outcome: "blocked" });
  await expect(async () => {
    const found = await (await call(program, "searchBlocklist", { query: { search: address } })).json();
    expect(found.entries).toMatchObject([{ address, reason: "SEC-2291", via: "api" }]);
  }).toPass();
  const audit = await (await call(program, "listAudit", { query: { target: address } })).json();
  expect(audit.records).toMatchObject([{ via: "api", reason: "SEC-2291" }]);
  expect((await call(program, "deleteBlocklistEntry", { params })).status()).toBe(200);
  await expect.poll(() => shop.status(address)).toBe(200);
});

test("support's job: a customer moves to another tier, and its usage is read", async ({
  sluice,
  request,
}) => {
  const program = await programOf(sluice, request, ["read", "customers"]);
  const { policy } = await (await call(program, "getPolicy")).json();
  const [tier = ""] = Object.keys(policy.tiers);
  const params = { id: "e2e" };
  const before = await call(program, "getCustomer", { params });
  const headers = { "if-match": before.headers().etag ?? "" };
  const moved = await call(program, "putCustomerTier", { params, headers, body: { tier, reason: "signed" } });
  expect(await moved.json()).toMatchObject({ outcome: "set", tier: { name: tier } });
  const stale = await call(program, "putCustomerTier", { params, headers, body: { tier: null } });
  expect([stale.status(), (await stale.json()).code]).toEqual([412, "changed-since"]);
  expect(await (await call(program, "getCustomerUsage", { params })).json()).toMatchObject({ id: "e2e" });
});

test("a developer's job: a policy is checked, deployed and rolled back", async ({ sluice, request }) => {
  const program = await programOf(sluice, request, ["read", "policy"]);
  const read = await call(program, "getPolicy");
  const [{ policy, version }, etag] = [await read.json(), read.headers().etag ?? ""];
  const rule = {
    name: "e2e/api",
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 900, periodSeconds: 60 }],
    mode: "shadow",
  };
  const next = { ...policy, rules: [...policy.rules, rule] };
  const checked = await (await call(program, "checkPolicy", { body: { policy: next } })).json();
  expect(checked).toMatchObject({ isValid: true, version });
  const headers = { "if-match": etag, "idempotency-key": "deploy-7" };
  const saved = await call(program, "putPolicy", { headers, body: { policy: next, reason: "deploy 7" } });
  expect(await saved.json()).toMatchObject({ version: version + 1, difference: checked.difference });
  const again = await call(program, "putPolicy", { headers, body: { policy: next, reason: "deploy 7" } });
  expect([again.status(), again.headers()["idempotency-replayed"]]).toEqual([200, "true"]);
  const stale = await call(program, "putPolicy", { headers: { "if-match": etag }, body: { policy } });
  expect(stale.status()).toBe(412);
  const back = await call(program, "rollBackPolicy", {
    ...{ headers: { "if-match": saved.headers().etag ?? "" }, body: { version, reason: "over" } },
  });
  expect(await back.json()).toMatchObject({ version: version + 2, before: version + 1 });
});

test("a wrong scope, a revoked token, no token and lockout protection: the right answer, and nothing written", async ({
  sluice,
  request,
}) => {
  const reader = await programOf(sluice, request, ["read"]);
  const body = { addresses: ["203.0.113.132"] };
  const writer = await programOf(sluice, request, ["lists"]);
  expect((await call(reader, "addBlocklistEntries", { body })).status()).toBe(403);
  for (const address of ["127.0.0.1", "198.0.0.0/8", "198.18.0.0/20"])
    expect((await call(writer, "addBlocklistEntries", { body: { addresses: [address] } })).status()).toBe(
      409,
    );
  expect((await call({ ...writer, secret: "slc_nothing" }, "getToken")).status()).toBe(401);
  await revokeToken(sluice.as("admin"), { name: `e2e ${tokens}` });
  const revoked = await call(writer, "addBlocklistEntries", { body });
  expect(revoked.status()).toBe(401);
  expect(revoked.headers()["content-type"]).toContain("application/problem+json");
  expect(await sluice.redis.client.keys("blocklist:*")).toEqual([]);
});

test("an expired token, a key of another request, and each rule of lockout protection: the right answer, and nothing written", async ({
  sluice,
  request,
}) => {
  const { client } = sluice.redis;
  const writer = await programOf(sluice, request, ["read", "lists"]);
  const put = (given: Call) => call(writer, "putBlocklistEntry", { body: {}, ...given });
  const headers = { "idempotency-key": "e2e-1" };
  const first = await put({ params: { address: "203.0.113.133" }, headers });
  expect(first.status()).toBe(201);
  const replayed = await put({ params: { address: "203.0.113.133" }, headers });
  expect([replayed.status(), await replayed.json()]).toEqual([201, await first.json()]);
  expect(replayed.headers()["idempotency-replayed"]).toBe("true");
  const other = await put({ params: { address: "203.0.113.134" }, headers });
  expect(other.status()).toBe(422);
  await call(writer, "putSafelistEntry", { params: { address: "203.0.113.135" }, body: {} });
  await client.hset(keys.neverBlock(), "203.0.113.136/30", "{}");
  const before = await client.xlen(keys.audit());
  const refusals = [
    ["127.0.0.1", "lockout"],
    ["203.0.113.135", "lockout"],
    ["203.0.113.137", "lockout"],
    ["203.0.0.0/15", "lockout"],
    ["198.18.0.0/20", "needs-confirmation"],
  ] as const;
  for (const [address, code] of refusals) {
    const refused = await put({ params: { address } });
    expect([address, refused.status(), (await refused.json()).code]).toEqual([address, 409, code]);
  }
  await client.hdel(keys.neverBlock(), "203.0.113.136/30");
  const id = idOf(writer.secret);
  const token = readToken(id, await client.hget(keys.tokens(), id));
  if (!token) throw new Error("the token is not stored");
  await client.hset(keys.tokens(), id, writeToken({ ...token, until: new Date(0).toISOString() }));
  const expired = await put({ params: { address: "203.0.113.134" } });
  expect([expired.status(), (await expired.json()).code]).toEqual([401, "signed-out"]);
  expect((await client.keys("blocklist:*")).sort()).toEqual(["blocklist:203.0.113.133"]);
  expect(await client.xlen(keys.audit())).toBe(before);
});

test("every documented operation exists, and no other path or method does", async ({ sluice, request }) => {
  const program = await programOf(sluice, request, ["read"]);
  const { paths, servers } = await (await request.get(`${sluice.url}/api/v1/openapi.json`)).json();
  const send = (path: string, method: string) =>
    request.fetch(`${sluice.url}${servers[0].url}${path.replace(/\{\w+\}/g, "0")}`, {
      ...{ method, failOnStatusCode: false, data: {} },
      headers: { authorization: `Bearer ${program.secret}` },
    });
  const methods = ["get", "put", "post", "delete"];
  for (const [path, documented] of Object.entries<Record<string, Documented>>(paths))
    for (const method of methods) {
      const status = (await send(path, method.toUpperCase())).status();
      if (method in documented) expect([path, method, status]).not.toEqual([path, method, 405]);
      else expect([path, method, status]).toEqual([path, method, 405]);
    }
  const unknown = await send("/nothing", "GET");
  expect([unknown.status(), (await unknown.json()).detail]).toEqual([
    404,
    expect.stringContaining("There is no"),
  ]);
});

test("a long policy is taken from a token, and refused without one", async ({ sluice, request }) => {
  const program = await programOf(sluice, request, ["read", "policy"]);
  const rules = Array.from({ length: 60 }, (_, i) => ({
    ...{ name: `e2e/${i}`, client: "ip", algorithm: "fixed", levels: [{ limit: 900, periodSeconds: 60 }] },
    match: { only: Array.from({ length: 10 }, (_, j) => `/a-long-path-of-rule-${i}/with-many-letters/${j}`) },
  }));
  const policy = { mode: "enforce", rules, tiers: {} };
  expect(JSON.stringify(policy).length).toBeGreaterThan(16_000);
  expect((await call(program, "checkPolicy", { body: { policy } })).status()).toBe(200);
  const stranger = await request.post(`${sluice.url}/api/v1/policy/check`, {
    ...{
      data: { policy },
      headers: { authorization: `Bearer slc_${"x".repeat(43)}` },
      failOnStatusCode: false,
    },
  });
  expect(stranger.status()).toBe(413);
});

test("every role reads the reference, which has every operation", async ({ signedIn, sluice }) => {
  const page = await signedIn("viewer");
  await page.goto("/settings");
  await page.getByRole("link", { name: "API", exact: true }).click();
  await expect(page.getByRole("heading", { name: "API", level: 1 })).toBeVisible();
  const { paths } = await (await page.request.get(`${sluice.url}/api/v1/openapi.json`)).json();
  const ids = Object.values<Record<string, Documented>>(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId } of ids) await expect(page.locator(`#${operationId}`)).toBeAttached();
  await page
    .getByRole("navigation", { name: "Operations" })
    .getByRole("link", { name: "PUT /policy" })
    .click();
  await expect(page.getByRole("region", { name: "PUT /policy" })).toBeInViewport();
});
