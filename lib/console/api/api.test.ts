import { describe, expect, it, vi } from "vitest";
import { revokeToken } from "../../manage/tokens/revoke-token.ts";
import type { ApiToken } from "../../manage/tokens/token.ts";
import { idOf, readToken, writeToken } from "../../manage/tokens/token.ts";
import { keys } from "../../redis/keys.ts";
import { operations } from "./operations.ts";
import { once as storedOnce } from "./stored-answers.ts";
import { testApi } from "./vitest.api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

const api = testApi();
const problem = (status: number, code: string) => ({
  status,
  body: { type: "about:blank", status, code, title: expect.any(String), detail: expect.any(String) },
});
const block = { reason: "SEC-2291", expiresIn: "24h" };
const put = (secret: string | undefined, address = "203.0.113.77", rest: object = {}) =>
  api.call("PUT", `/blocklist/${address}`, { secret, body: block, ...rest });
const entries = () => api.log.client.keys("*list:*");

describe("a token", () => {
  it("is needed, and a wrong one is none", async () => {
    const none = await put(undefined);
    expect(none).toMatchObject(problem(401, "signed-out"));
    expect(none.headers.get("www-authenticate")).toContain("Bearer");
    expect(none.headers.get("content-type")).toBe("application/problem+json");
    expect(await put(`slc_${"x".repeat(43)}`)).toMatchObject(problem(401, "signed-out"));
    expect(await entries()).toEqual([]);
  });

  it("writes as itself: the audit log names it, its address and the source", async () => {
    const secret = await api.token(["lists"], { name: "WAF exporter" });
    expect(await put(secret)).toMatchObject({
      status: 201,
      body: { list: "blocklist", change: 1, record: 2, dryRun: false, outcomes: [{ outcome: "added" }] },
    });
    expect(await api.records()).toMatchObject([
      {
        actor: "token:WAF exporter",
        via: "api",
        address: "203.0.113.200",
        action: "blocklist.add",
        reason: "SEC-2291",
      },
    ]);
  });

  it("is refused once it has expired or is revoked, and nothing is written", async () => {
    const expired = await api.token(["lists"], { name: "old" });
    const text = await api.log.client.hget(keys.tokens(), idOf(expired));
    const token = readToken(idOf(expired), text);
    if (!token) throw new Error("the token is not stored");
    const until = new Date(Date.now() - 60_000).toISOString();
    await api.log.client.hset(keys.tokens(), token.id, writeToken({ ...token, until }));
    const revoked = await api.token(["lists"], { name: "gone" });
    await revokeToken(api.log.signed(), { name: "gone" });
    expect((await put(expired)).body.detail).toContain("expired");
    expect((await put(revoked)).body.detail).toContain("revoked");
    for (const secret of [expired, revoked])
      expect(await put(secret)).toMatchObject(problem(401, "signed-out"));
    expect(await entries()).toEqual([]);
  });

  it("without the scope is refused, on record, and nothing is written", async () => {
    const secret = await api.token(["read"]);
    expect(await put(secret, "203.0.113.77?dryRun=true")).toMatchObject(problem(403, "not-allowed"));
    expect(await put(secret)).toMatchObject(problem(403, "not-allowed"));
    expect(await entries()).toEqual([]);
    // The second within a minute is only counted.
    expect(await api.records()).toMatchObject([
      { actor: "token:ci", via: "api", action: "refused:lists.add" },
    ]);
  });

  it("needs one scope more for entries that last longer than staff may choose", async () => {
    const secret = await api.token(["lists"]);
    for (const expiresIn of ["never", "91d"])
      expect(await put(secret, "203.0.113.1", { body: { expiresIn } })).toMatchObject(
        problem(403, "not-allowed"),
      );
    expect(await entries()).toEqual([]);
    const forever = await api.token(["lists", "lists-forever"], { name: "forever" });
    expect(await put(forever, "203.0.113.1", { body: { expiresIn: "never" } })).toMatchObject({
      status: 201,
    });
  });

  it("for one app is refused whatever concerns all apps", async () => {
    const secret = await api.token(["read", "policy"], { app: "shop" });
    expect(await api.call("GET", "/blocklist", { secret })).toMatchObject(problem(403, "not-allowed"));
    expect(await api.call("GET", "/audit", { secret })).toMatchObject(problem(403, "not-allowed"));
    expect(await api.call("GET", "/token", { secret })).toMatchObject({ status: 200, body: { app: "shop" } });
  });

  it("that is wrong too often has to wait, and a valid one from there is not", async () => {
    const wrong = `slc_${"x".repeat(43)}`;
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await put(wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const waiting = await put(wrong);
    expect(Number(waiting.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await put(await api.token(["lists"]))).status).toBe(201);
    expect((await put(wrong, "203.0.113.8", { address: "198.51.100.9" })).status).toBe(401);
    await api.parts.refused.flush();
    const refused = (await api.records()).filter(({ action }) => action === "refused:token");
    expect(refused.map(({ via, reason }) => [via, reason])).toEqual([
      ["api", "1 attempt for no known token"],
      ["api", "1 attempt for no known token"],
      ["api", "7 more for no known token"],
    ]);
    expect(JSON.stringify(refused)).not.toContain("slc_");
  });

  it("has limits of its own, and answers say what is left", async () => {
    const secret = await api.token(["lists"], { name: "busy" });
    const first = await put(secret);
    expect(first.headers.get("ratelimit")).toContain("r=49");
    for (let i = 0; i < 49; i++) await put(secret);
    const last = await put(secret, "203.0.113.5");
    expect(last).toMatchObject(problem(429, "too-busy"));
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await entries()).toEqual(["blocklist:203.0.113.77"]);
    expect((await put(await api.token(["lists"], { name: "calm" }), "203.0.113.5")).status).toBe(201);
  });
});

describe("a request that is not understood", () => {
  it.each([
    ["PUT", "/blocklist/nonsense", {}, 400, "address"],
    ["PUT", "/blocklist/203.0.113.1", { expiresIn: "soon" }, 400, "expiresIn"],
    ["PUT", "/blocklist/203.0.113.1", { reasn: "typo" }, 400, "reasn"],
    ["PUT", "/blocklist/203.0.113.1", { reason: 5 }, 400, "reason"],
    ["PUT", "/blocklist/203.0.113.1?dryRun=perhaps", {}, 400, "dryRun"],
    ["PUT", "/blocklist/203.0.113.1?dryRn=true", {}, 400, "dryRn"],
    ["PUT", "/blocklist/203.0.113.1", "{", 400, "body"],
    ["POST", "/blocklist", { addresses: [] }, 400, "addresses"],
  ])("%s %s %j names the field", async (method, path, body, status, field) => {
    const secret = await api.token(["lists"]);
    const { body: found, ...reply } = await api.call(method, path, { secret, body });
    expect([reply.status, found.errors[0].field]).toEqual([status, field]);
    expect(await entries()).toEqual([]);
  });

  it("has a status for each kind of mistake", async () => {
    const secret = await api.token(["lists", "read", "policy"]);
    expect(await api.call("GET", "/nothing", { secret })).toMatchObject(problem(404, "not-found"));
    const wrongMethod = await api.call("PATCH", "/policy", { secret });
    expect(wrongMethod).toMatchObject(problem(405, "bad-input"));
    expect(wrongMethod.headers.get("allow")).toBe("GET, PUT");
    const text = { secret, body: "a=b", headers: { "content-type": "text/plain" } };
    expect(await api.call("PUT", "/blocklist/203.0.113.1", text)).toMatchObject(problem(415, "bad-input"));
    expect(await api.call("PUT", "/policy", { secret, body: { policy: {} } })).toMatchObject(
      problem(428, "bad-input"),
    );
  });
});

describe("a dry run", () => {
  it("answers what would happen, with all checks, and writes nothing", async () => {
    const secret = await api.token(["lists"]);
    const before = await api.log.client.keys("*");
    const dry = (address: string) => put(secret, `${address}?dryRun=true`);
    expect(await dry("203.0.113.77")).toMatchObject({
      status: 200,
      body: { change: null, record: null, dryRun: true, outcomes: [{ outcome: "added" }] },
    });
    expect(await dry("192.0.2.7")).toMatchObject(problem(409, "lockout"));
    const after = (await api.log.client.keys("*")).filter((key) => key !== keys.tokenUses());
    expect(after.sort()).toEqual(before.sort());
  });
});

describe("an idempotency key", () => {
  const once = (secret: string, key: string, body: object = block, address = "203.0.113.77") =>
    put(secret, address, { body, headers: { "idempotency-key": key } });

  it("repeats the first answer and writes nothing more", async () => {
    const secret = await api.token(["lists"]);
    const first = await once(secret, "a");
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
    await api.log.client.del("blocklist:203.0.113.77");
    const again = await once(secret, "a");
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.body).toEqual(first.body);
    expect(await entries()).toEqual([]);
    expect(await api.records()).toHaveLength(1);
  });

  it("is refused for another request, and belongs to one token", async () => {
    const secret = await api.token(["lists"]);
    await once(secret, "a");
    expect(await once(secret, "a", { expiresIn: "1h" })).toMatchObject(problem(422, "bad-input"));
    expect(await once(secret, "a", block, "203.0.113.5")).toMatchObject(problem(422, "bad-input"));
    expect(await once(secret, "a b")).toMatchObject(problem(400, "bad-input"));
    expect(await entries()).toEqual(["blocklist:203.0.113.77"]);
    const other = await api.token(["lists"], { name: "other" });
    expect((await once(other, "a", block, "203.0.113.5")).status).toBe(201);
  });

  it("writes once when the same request arrives many times at once", async () => {
    const secret = await api.token(["lists"]);
    const replies = await Promise.all(Array.from({ length: 10 }, () => once(secret, "a")));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    expect(
      replies.filter(({ status, headers }) => status === 201 && !headers.has("idempotency-replayed")),
    ).toHaveLength(1);
    expect(await api.records()).toHaveLength(1);
  });

  it("of a request that may have been written is not used again", async () => {
    const redis = api.log.signed().redis;
    const token = { id: "a token" } as ApiToken;
    let writes = 0;
    const write = () =>
      storedOnce(redis, { token, key: "a", request: "PUT" }, () => {
        writes++;
        throw new Error("Connection is closed.");
      });
    await expect(write()).rejects.toThrow("Connection is closed.");
    await expect(write()).rejects.toMatchObject({ answer: { status: 409, isUnknown: true } });
    expect(writes).toBe(1);
  });

  it("of a refused request can be used again", async () => {
    const secret = await api.token(["lists"]);
    expect((await once(secret, "a", block, "192.0.2.7")).status).toBe(409);
    expect((await once(secret, "a", block, "203.0.113.5")).status).toBe(201);
  });

  it("is kept for the latest requests of a token only", async () => {
    const secret = await api.token(["lists"]);
    const index = keys.apiAnswers(idOf(secret));
    const filler = Array.from({ length: 1_000 }, (_, i) => [i, `old${i}`]).flat();
    await api.log.client.zadd(index, ...filler.map(String));
    await api.log.client.set(keys.apiAnswer(idOf(secret), "old0"), "{}");
    await once(secret, "a");
    expect(await api.log.client.zcard(index)).toBe(1_000);
    expect(await api.log.client.exists(keys.apiAnswer(idOf(secret), "old0"))).toBe(0);
    expect((await once(secret, "a")).headers.get("idempotency-replayed")).toBe("true");
  });
});

it("names no internals while Redis does not answer", async () => {
  const secret = await api.token(["read"]);
  const { redis } = api.parts.console;
  const hget = vi.spyOn(redis, "hget").mockRejectedValueOnce(new Error("connect ECONNREFUSED 10.0.0.7:6379"));
  const log = vi.spyOn(globalThis.console, "error").mockImplementation(() => {});
  const reply = await api.call("GET", "/policy", { secret });
  expect(reply.status).toBeGreaterThanOrEqual(500);
  expect(JSON.stringify(reply.body)).not.toContain("10.0.0.7");
  hget.mockRestore();
  log.mockRestore();
});

it("every operation has its own path, method and name", () => {
  const ids = operations.map(({ id }) => id);
  const routes = operations.map(({ method, path }) => `${method} ${path}`);
  expect([new Set(ids).size, new Set(routes).size]).toEqual([ids.length, routes.length]);
});
