import { describe, expect, it, vi } from "vitest";
import { hitterText } from "../../enforce/stats/fields.ts";
import type { TokenScope } from "../../manage/tokens/scopes.ts";
import { keys } from "../../redis/keys.ts";
import { theCatalogue } from "../catalogue.ts";
import { testApi } from "./vitest.api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

const api = testApi();
/** The console follows the lists with a copy of its own. */
const patience = { timeout: 30_000 };
const all: readonly TokenScope[] = ["read", "lists", "customers", "ease-off", "enforce", "policy"];
const rule = (name: string, apps?: readonly string[]) => ({
  ...{ name, client: "ip", algorithm: "fixed", levels: [{ limit: 10, periodSeconds: 60 }] },
  ...(apps && { match: { apps } }),
});
const ban = { after: 1, withinSeconds: 60, forSeconds: 60, capSeconds: 60 };
const policyOf = (...rules: object[]) => ({
  mode: "enforce",
  rules,
  tiers: { pro: { levels: [{ limit: 100, periodSeconds: 60 }] } },
});

describe("policy", () => {
  const put = (secret: string, policy: object, ifMatch: string, path = "/policy") =>
    api.call("PUT", path, { secret, body: { policy, reason: "deploy" }, headers: { "if-match": ifMatch } });

  it("is published from the version that was read, and the next version is its ETag", async () => {
    const secret = await api.token(all);
    const { headers } = await api.call("GET", "/policy", { secret });
    expect(headers.get("etag")).toBe('"0"');
    const saved = await put(secret, policyOf(rule("login")), headers.get("etag") ?? "");
    expect(saved).toMatchObject({ status: 200, body: { version: 1, before: 0, change: 1, dryRun: false } });
    expect(saved.headers.get("etag")).toBe('"1"');
    expect((await api.call("GET", "/policy", { secret })).body.policy.rules).toMatchObject([
      { name: "login" },
    ]);
    expect((await put(secret, policyOf(rule("login")), "*")).body).toMatchObject({
      version: 1,
      change: null,
    });
  });

  it("is not published over a newer version, and nothing is written", async () => {
    const secret = await api.token(all);
    await put(secret, policyOf(rule("a")), '"0"');
    const stale = await put(secret, policyOf(rule("b")), '"0"');
    expect(stale).toMatchObject({ status: 412, body: { code: "changed-since" } });
    expect(stale.body.detail).toContain("token:ci saved version 1");
    expect((await put(secret, policyOf(rule("b")), '"0"', "/policy?dryRun=true")).status).toBe(412);
    expect((await put(secret, policyOf(rule("b")), "7")).status).toBe(400);
    expect(await api.records()).toHaveLength(1);
  });

  it("is refused with every problem by its place", async () => {
    const secret = await api.token(all);
    const bad = policyOf({ ...rule("a"), levels: [{ limit: -1, periodSeconds: 60 }] }, rule("a"));
    const { status, body } = await put(secret, bad, "*");
    expect([status, body.errors[0].field]).toEqual([400, "rules[0].levels[0].limit"]);
    const checked = await api.call("POST", "/policy/check", { secret, body: { policy: bad } });
    const places = checked.body.problems.map(({ path }: { path: string }) => path);
    expect([checked.body.isValid, places]).toEqual([false, ["rules[0].levels[0].limit", "rules[1].name"]]);
    expect(await api.records()).toEqual([]);
  });

  it("shows what would change, in a dry run and in a check", async () => {
    const secret = await api.token(all);
    const dry = await put(secret, policyOf(rule("login")), "*", "/policy?dryRun=true");
    expect(dry.body).toMatchObject({ version: 1, before: 0, change: null, dryRun: true });
    const checked = await api.call("POST", "/policy/check", {
      secret,
      body: { policy: policyOf(rule("login")) },
    });
    expect(checked.body).toMatchObject({ isValid: true, version: 0, difference: dry.body.difference });
    expect(dry.body.difference.length).toBeGreaterThan(0);
    expect(await api.log.client.exists(keys.policy())).toBe(0);
  });

  it("rolls back, and lists its versions", async () => {
    const secret = await api.token(all);
    await put(secret, policyOf(rule("a")), "*");
    await put(secret, policyOf(rule("b")), "*");
    const back = await api.call("POST", "/policy/roll-back", {
      ...{ secret, body: { version: 1 }, headers: { "if-match": '"2"' } },
    });
    expect(back.body).toMatchObject({ version: 3, before: 2, change: 3 });
    const { body } = await api.call("GET", "/policy/versions", { secret });
    expect(body.versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    expect((await api.call("GET", "/policy/versions/1", { secret })).body.policy.rules).toMatchObject([
      { name: "a" },
    ]);
    expect((await api.call("GET", "/policy/versions/9", { secret })).status).toBe(404);
    const missing = { secret, body: { version: 99 }, headers: { "if-match": "*" } };
    expect((await api.call("POST", "/policy/roll-back", missing)).status).toBe(404);
  });

  it("lets a token for one app change the rules of this app alone", async () => {
    const admin = await api.token(all);
    const others = [rule("everywhere"), rule("both", ["shop", "site"]), rule("site/login", ["site"])];
    await put(admin, policyOf(...others), "*");
    const secret = await api.token(["read", "policy"], { name: "shop", app: "shop" });
    const own = rule("shop/login", ["shop"]);
    expect(await put(secret, policyOf(others[0] ?? {}, own, ...others.slice(1)), "*")).toMatchObject({
      status: 200,
    });
    for (const wrong of [
      policyOf(...others.slice(1), own),
      policyOf(...others, rule("more")),
      policyOf(...others, rule("site/more", ["site"])),
      { ...policyOf(...others, own), mode: "off" },
      { ...policyOf(...others, own), tiers: {} },
      policyOf(...others, own, { ...rule("shop/ban", ["shop"]), ban }),
    ])
      expect(await put(secret, wrong, "*")).toMatchObject({ status: 403, body: { code: "not-allowed" } });
    const back = { secret, body: { version: 0 }, headers: { "if-match": "*" } };
    expect((await api.call("POST", "/policy/roll-back", back)).status).toBe(403);
    const forced = { policy: policyOf(...others), reason: "deploy", evenWithOldNodes: true };
    const body = { secret, body: forced, headers: { "if-match": "*" } };
    expect((await api.call("PUT", "/policy", body)).status).toBe(403);
    expect(await api.records()).toHaveLength(2);
  });

  it("changes the mode only with the scope for that mode", async () => {
    const off = { ...policyOf(rule("login")), mode: "off" };
    const publishes = await api.token(["policy"], { name: "publishes" });
    const eases = await api.token(["policy", "ease-off"], { name: "eases" });
    expect(await put(publishes, off, "*")).toMatchObject({ status: 403, body: { code: "not-allowed" } });
    expect((await put(eases, off, "*")).status).toBe(200);
    expect((await put(publishes, off, "*")).status).toBe(200);
    expect((await put(eases, policyOf(rule("login")), "*")).status).toBe(403);
    const back = { body: { version: 0 }, headers: { "if-match": "*" } };
    expect((await api.call("POST", "/policy/roll-back", { ...back, secret: eases })).status).toBe(403);
    expect((await put(await api.token(all), policyOf(rule("login")), "*")).status).toBe(200);
  });
});

describe("mode", () => {
  const put = (secret: string, mode: string, query = "") =>
    api.call("PUT", `/mode${query}`, { secret, body: { mode, reason: "attack" } });

  it("is eased with one scope, and enforced with another", async () => {
    const eases = await api.token(["read", "ease-off"], { name: "eases" });
    const enforces = await api.token(["ease-off", "enforce"], { name: "enforces" });
    expect((await put(eases, "shadow", "?dryRun=true")).body).toMatchObject({ change: null, dryRun: true });
    expect((await put(eases, "shadow")).body).toMatchObject({ mode: "shadow", version: 1, change: 1 });
    expect((await api.call("GET", "/mode", { secret: eases })).body).toEqual({
      ...{ mode: "shadow", version: 1, until: null },
    });
    expect((await put(eases, "enforce")).status).toBe(403);
    expect((await put(enforces, "enforce")).status).toBe(200);
    expect((await put(await api.token(["policy"], { name: "policy" }), "off")).status).toBe(403);
    expect((await put(eases, "on")).status).toBe(400);
  });
});

describe("entries", () => {
  it("are read as soon as they are written, and are absent only where Redis has none", async () => {
    const secret = await api.token(["read", "lists"]);
    const get = () => api.call("GET", "/blocklist/203.0.113.7", { secret });
    const entry = vi.spyOn(theCatalogue(), "entry");
    // The console's copy does not have it yet.
    entry.mockReturnValueOnce(undefined);
    expect((await api.call("PUT", "/blocklist/203.0.113.7", { secret, body: {} })).status).toBe(201);
    const statuses: number[] = [];
    await vi.waitFor(async () => {
      const reply = await get();
      statuses.push(reply.status);
      expect(reply).toMatchObject({ status: 200, body: { address: "203.0.113.7", via: "api" } });
    }, patience);
    expect(statuses).not.toContain(404);
    entry.mockReturnValue(undefined);
    expect(await get()).toMatchObject({ status: 503, body: { code: "redis-unavailable" } });
    await api.log.client.del("blocklist:203.0.113.7");
    expect((await get()).status).toBe(404);
    entry.mockRestore();
  });

  const list = (secret: string, query = "") => api.call("GET", `/blocklist${query}`, { secret });
  const addresses = (reply: { body: { entries: { address: string }[] } }) =>
    reply.body.entries.map(({ address }) => address);

  it("are put, read, searched and deleted, also ranges with their slash", async () => {
    const secret = await api.token(all);
    for (const path of ["203.0.113.0/28", "2001:db8::%2F48", "198.51.100.7"])
      expect((await api.call("PUT", `/blocklist/${path}`, { secret, body: { reason: "x" } })).status).toBe(
        201,
      );
    await vi.waitFor(async () => expect(addresses(await list(secret))).toHaveLength(3), patience);
    expect(addresses(await list(secret, "?search=203.0.113.9"))).toEqual(["203.0.113.0/28"]);
    const one = await api.call("GET", "/blocklist/203.0.113.0/28", { secret });
    expect(one.body).toMatchObject({ address: "203.0.113.0/28", reason: "x", by: "token:ci", via: "api" });
    expect((await api.call("GET", "/blocklist/203.0.113.9", { secret })).status).toBe(404);
    const gone = await api.call("DELETE", "/blocklist/203.0.113.0%2F28?reason=mistake", { secret });
    expect(gone.body).toMatchObject({ outcomes: [{ outcome: "removed", coveredBy: [] }] });
    expect((await api.call("DELETE", "/blocklist/203.0.113.0/28", { secret })).status).toBe(404);
  });

  it("are read in pages, none twice", async () => {
    const secret = await api.token(all);
    const wanted = Array.from({ length: 7 }, (_, i) => `203.0.113.${i + 1}`);
    await api.call("POST", "/blocklist", { secret, body: { addresses: wanted } });
    await vi.waitFor(async () => expect(addresses(await list(secret))).toHaveLength(7), patience);
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await list(
        secret,
        `?limit=3${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      found.push(...addresses(page));
      cursor = page.body.next;
    }
    expect(found).toEqual(wanted);
  });

  it("have tags, which are added, put, changed and searched", async () => {
    const secret = await api.token(all);
    const body = { addresses: ["203.0.113.9", "203.0.113.10"], tags: ["Bot", "asn:64500"] };
    await api.call("POST", "/blocklist", { secret, body });
    await api.call("PUT", "/blocklist/203.0.113.10", { secret, body: { expiresIn: "2w", tags: ["new"] } });
    const again = { expiresIn: "3w", reason: "keeps its tags" };
    await api.call("PUT", "/blocklist/203.0.113.10", { secret, body: again });
    const change = { addresses: [...body.addresses, "203.0.113.11"], add: ["crowd"], remove: ["bot"] };
    const tagged = await api.call("POST", "/blocklist/tag", { secret, body: change });
    expect(tagged.body.outcomes).toEqual([
      { address: "203.0.113.9", outcome: "tagged", tags: ["asn:64500", "crowd"] },
      { address: "203.0.113.10", outcome: "tagged", tags: ["crowd", "new"] },
      { address: "203.0.113.11", outcome: "absent" },
    ]);
    await vi.waitFor(
      async () => expect(addresses(await list(secret, "?tag=crowd&search=203.0.113.9"))).toHaveLength(1),
      patience,
    );
    const found = await list(secret, "?tag=new");
    expect(found.body.entries).toMatchObject([{ reason: "keeps its tags", tags: ["crowd", "new"] }]);
    const bad = await api.call("POST", "/blocklist/tag", { secret, body: { ...change, add: ["no tag"] } });
    expect([bad.status, bad.body.errors[0].field]).toEqual([400, "add[0]"]);
    const reader = await api.token(["read"], { name: "reader" });
    expect((await api.call("POST", "/blocklist/tag", { secret: reader, body: change })).status).toBe(403);
  });

  it("have the end that is put, also an earlier one", async () => {
    const secret = await api.token(all);
    const put = (expiresIn: string) =>
      api.call("PUT", "/blocklist/203.0.113.9", { secret, body: { expiresIn } });
    expect((await put("24h")).body.outcomes).toMatchObject([{ outcome: "added" }]);
    const shorter = await put("1h");
    expect([shorter.status, shorter.body.outcomes[0].outcome]).toEqual([200, "shortened"]);
    expect(await api.log.client.ttl("blocklist:203.0.113.9")).toBeLessThanOrEqual(3_600);
  });

  it.each([
    ["the own address", "203.0.113.200", {}, "lockout"],
    ["a range around it", "203.0.113.0/24", {}, "lockout"],
    ["loopback", "127.0.0.1", {}, "lockout"],
    ["a protected range", "192.0.2.9", {}, "lockout"],
    ["a range wider than /16", "198.0.0.0/8", { confirmWide: true }, "lockout"],
    ["a wide range that is not confirmed", "198.18.0.0/20", {}, "needs-confirmation"],
  ])("refuse %s, and nothing is written", async (_, address, rest, code) => {
    const secret = await api.token(all);
    const one = await api.call("PUT", `/blocklist/${address}`, { secret, body: rest });
    expect([one.status, one.body.code]).toEqual([409, code]);
    const many = await api.call("POST", "/blocklist", {
      secret,
      body: { addresses: ["203.0.113.9", address] },
    });
    expect([many.status, many.body.code]).toEqual([409, code]);
    expect(await api.log.client.keys("*list:*")).toEqual([]);
    expect(await api.records()).toEqual([]);
  });

  it("on the safelist cannot be blocked", async () => {
    const secret = await api.token(all);
    await api.call("PUT", "/safelist/203.0.113.9", { secret, body: {} });
    const { status, body } = await api.call("PUT", "/blocklist/203.0.113.9", { secret, body: {} });
    expect([status, body.code]).toEqual([409, "lockout"]);
  });

  it("are written in part where the caller accepts that, as one change", async () => {
    const secret = await api.token(all);
    const body = {
      addresses: ["203.0.113.9", "192.0.2.9", "198.18.0.0/20"],
      confirmed: ["198.18.0.0/20"],
      partial: true,
    };
    const { status, body: found } = await api.call("POST", "/blocklist", { secret, body });
    expect([status, found.change]).toEqual([200, 1]);
    expect(found.outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "added",
      "refused",
      "added",
    ]);
    const removed = await api.call("POST", "/blocklist/remove", {
      ...{ secret, body: { addresses: ["203.0.113.9", "198.51.100.1"], reason: "over" } },
    });
    expect(removed.body.outcomes).toMatchObject([{ outcome: "removed" }, { outcome: "absent" }]);
    expect(await api.records()).toHaveLength(2);
  });
});

describe("customers", () => {
  const get = (secret: string) => api.call("GET", "/customers/acme", { secret });
  const levels = [{ limit: 5, periodSeconds: 60 }];
  const putPolicy = (secret: string) =>
    api.call("PUT", "/policy", {
      secret,
      body: { policy: policyOf(rule("a")) },
      headers: { "if-match": "*" },
    });

  it("get a tier and limits, from the version that was read", async () => {
    const secret = await api.token(all);
    await putPolicy(secret);
    const etag = (await get(secret)).headers.get("etag") ?? "";
    const tier = (given: string | null, ifMatch: string) =>
      api.call("PUT", "/customers/acme/tier", {
        secret,
        body: { tier: given },
        headers: { "if-match": ifMatch },
      });
    const first = await tier("pro", etag);
    expect(first.body).toMatchObject({ outcome: "set", tier: { name: "pro" }, from: "tier", change: 2 });
    expect(await tier(null, etag)).toMatchObject({ status: 412, body: { code: "changed-since" } });
    expect((await tier("gold", "*")).status).toBe(400);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const ending = (given: object) =>
      api.call("PUT", "/customers/beta/tier", { secret, body: { reason: "an event", ...given } });
    expect((await ending({ tier: "pro", until })).body.tier).toMatchObject({ name: "pro", expiresAt: until });
    expect((await ending({ tier: null, until })).status).toBe(400);
    const own = await api.call("PUT", "/customers/acme/limits", {
      ...{
        secret,
        body: { levels, expiresIn: "1h" },
        headers: { "if-match": first.headers.get("etag") ?? "" },
      },
    });
    expect(own.body).toMatchObject({ outcome: "set", override: { levels }, levels, from: "override" });
    expect((await get(secret)).headers.get("etag")).toBe(own.headers.get("etag"));
    const gone = await api.call("DELETE", "/customers/acme/limits?reason=over", { secret });
    expect(gone.body).toMatchObject({ outcome: "removed", override: null, from: "tier" });
    expect((await api.call("DELETE", "/customers/acme/limits", { secret })).status).toBe(404);
    const listed = await api.call("GET", "/customers?search=ac", { secret });
    expect(listed.body).toMatchObject({ customers: [{ id: "acme" }], next: null });
  });

  it("keep what they have in a dry run", async () => {
    const secret = await api.token(all);
    await putPolicy(secret);
    const dry = (method: string, path: string, body?: object) =>
      api.call(method, `/customers/acme/${path}?dryRun=true`, { secret, body });
    expect((await dry("PUT", "tier", { tier: "pro" })).body).toMatchObject({ outcome: "set", change: null });
    expect((await dry("PUT", "limits", { levels })).body).toMatchObject({ outcome: "set", change: null });
    expect((await dry("POST", "reset", {})).body).toMatchObject({ deleted: 0, change: null });
    expect((await dry("DELETE", "limits")).status).toBe(404);
    expect(await api.log.client.keys("*customer:*")).toEqual([]);
    expect(await api.records()).toHaveLength(1);
  });

  it("are suspended and resumed", async () => {
    const secret = await api.token(all);
    const path = "/customers/acme/suspension";
    const dry = await api.call("PUT", `${path}?dryRun=true`, { secret, body: { reason: "scraping" } });
    expect(dry.body).toMatchObject({ outcome: "set", suspension: null, change: null });
    const put = await api.call("PUT", path, { secret, body: { reason: "scraping", expiresIn: "24h" } });
    expect(put.body).toMatchObject({ outcome: "set", suspension: { reason: "scraping", by: "token:ci" } });
    expect((await get(secret)).body.suspension).toEqual(put.body.suspension);
    expect((await api.call("DELETE", path, { secret })).body).toMatchObject({ suspension: null });
    expect((await api.call("DELETE", path, { secret })).status).toBe(404);
  });

  it("have their usage read without a charge, and counters reset", async () => {
    const secret = await api.token(all);
    const policy = policyOf({ ...rule("tiers"), client: "customer", levels: "tier" });
    await api.call("PUT", "/policy", { secret, body: { policy }, headers: { "if-match": "*" } });
    await api.call("PUT", "/customers/acme/limits", { secret, body: { levels } });
    for (let i = 0; i < 2; i++) {
      const { body } = await api.call("GET", "/customers/acme/usage", { secret });
      expect(body.levels).toMatchObject([{ rule: "tiers", limit: 5, used: 0, remaining: 5, isOver: false }]);
    }
    const reset = await api.call("POST", "/customers/acme/reset", { secret, body: { reason: "retry loop" } });
    expect(reset.body).toMatchObject({ id: "acme", deleted: 0, change: expect.any(Number) });
  });

  it("are not named by any text", async () => {
    const secret = await api.token(all);
    expect((await api.call("GET", "/customers/a%2Fb", { secret })).status).toBe(400);
    expect((await api.call("PUT", "/customers/a:b/tier", { secret, body: { tier: null } })).status).toBe(400);
    expect((await api.call("GET", "/customers?cursor=x", { secret })).status).toBe(400);
  });
});

describe("what is read", () => {
  it("explains rules by what a request is, and the counts of a value", async () => {
    const secret = await api.token(all);
    const deny = (name: string, match: object) => ({ name, action: "deny", match });
    const requestRules = [
      deny("agents", { userAgents: ["scanner"] }),
      deny("headers", { headers: [{ name: "x-api-version", is: ["1"] }] }),
      deny("countries", { countries: ["DE"] }),
      deny("bots", { verifiedBot: true }),
    ];
    const keyed = { ...rule("keyed"), client: { header: "x-api-key" } };
    const headers = { "if-match": "*" };
    const policy = { ...policyOf(keyed), requestRules };
    const put = await api.call("PUT", "/policy", { secret, body: { policy }, headers });
    expect(put.status).toBe(200);
    const says = async (given: object) =>
      (await api.call("POST", "/explain", { secret, body: { ip: "203.0.113.9", ...given } })).body.says;
    expect(await says({})).toContain("passes");
    expect(await says({ userAgent: "Scanner/2.0" })).toContain("by rule agents.");
    expect(await says({ headers: { "X-Api-Version": "1" } })).toContain("by rule headers.");
    expect(await says({ headers: { "User-Agent": "Scanner/2.0" }, value: "k" })).toContain("by rule agents.");
    expect(await says({ country: "de" })).toContain("by rule countries.");
    expect(await says({ verifiedBot: true })).toContain("by rule bots.");
    const wrong = { ip: "203.0.113.9", country: "Germany" };
    expect((await api.call("POST", "/explain", { secret, body: wrong })).status).toBe(400);
    const found = await api.call("POST", "/explain/value", { secret, body: { value: "sk_live_1" } });
    expect(found.body.rules).toMatchObject([{ rule: "keyed", used: 0, limit: 10 }]);
  });

  it("explains a verdict, with the entry that decides", async () => {
    const secret = await api.token(all);
    await api.call("PUT", "/blocklist/203.0.113.0/28", { secret, body: { reason: "scraper" } });
    const { body } = await api.call("POST", "/explain", {
      secret,
      body: { ip: "203.0.113.9", path: "/login" },
    });
    expect(body).toMatchObject({ client: "203.0.113.9", outcome: "blocked", status: 403 });
    const entries = body.steps.flatMap((step: { entries: unknown[] }) => step.entries);
    expect(entries).toMatchObject([{ address: "203.0.113.0/28", reason: "scraper" }]);
    const ofShop = await api.token(["read"], { name: "shop", app: "shop" });
    const ask = (app: string) =>
      api.call("POST", "/explain", { secret: ofShop, body: { ip: "203.0.113.9", app } });
    expect([(await ask("shop")).status, (await ask("site")).status]).toEqual([200, 403]);
    expect((await api.call("POST", "/explain", { secret, body: { ip: "203.0.113.0/24" } })).status).toBe(400);
  });

  it("lists the audit log without users and tokens, in pages", async () => {
    const secret = await api.token(all);
    for (let i = 1; i <= 5; i++) await api.call("PUT", `/blocklist/203.0.113.${i}`, { secret, body: {} });
    const first = await api.call("GET", "/audit?limit=2", { secret });
    const second = await api.call("GET", `/audit?limit=3&cursor=${first.body.next}`, { secret });
    const records = [...first.body.records, ...second.body.records];
    expect(records.map(({ n }: { n: number }) => n)).toEqual([6, 5, 4, 3, 2]);
    expect(records[0]).toMatchObject({ actor: "token:ci", via: "api", action: "blocklist.add" });
    expect(records[0].says).toContain("blocked 203.0.113.5");
    // The first record made the token.
    const last = await api.call("GET", `/audit?cursor=${second.body.next ?? "2-0"}`, { secret });
    expect(last.body).toEqual({ records: [], damaged: [], next: null });
    expect((await api.call("GET", "/audit/6", { secret })).body).toEqual(records[0]);
    expect((await api.call("GET", "/audit/1", { secret })).status).toBe(403);
    expect((await api.call("GET", "/audit/99", { secret })).status).toBe(404);
    expect((await api.call("GET", "/audit?cursor=x", { secret })).status).toBe(400);
    const found = await api.call("GET", "/audit?target=203.0.113.3&via=api", { secret });
    expect(found.body.records).toMatchObject([{ changes: [{ target: "203.0.113.3", before: null }] }]);
  });

  it("says on how many nodes a change is applied", async () => {
    const secret = await api.token(all);
    expect((await api.call("GET", "/changes/1", { secret })).status).toBe(404);
    await api.call("PUT", "/blocklist/203.0.113.1", { secret, body: {} });
    const node = (id: string, change: number) =>
      api.log.client.hset(keys.node(id), {
        id,
        app: id.slice(0, 4),
        host: "h",
        version: "1",
        change,
        startedAt: 1,
      });
    for (const [i, id] of ["shop-1", "site-1"].entries()) {
      await node(id, i);
      await api.log.client.zadd(keys.nodes(), Date.now(), id);
    }
    expect((await api.call("GET", "/changes/1", { secret })).body).toMatchObject({
      ...{ change: 1, nodes: 2, appliedOn: 1, lagging: ["shop-1"] },
    });
    const nodes = (body: { nodes: { id: string }[] }) => body.nodes.map(({ id }) => id);
    expect(nodes((await api.call("GET", "/nodes", { secret })).body)).toEqual(["shop-1", "site-1"]);
    const ofShop = await api.token(["read"], { name: "shop", app: "shop" });
    expect(nodes((await api.call("GET", "/nodes", { secret: ofShop })).body)).toEqual(["shop-1"]);
  });
});

describe("overrides of groups and patterns", () => {
  const levels = [{ limit: 20_000, periodSeconds: 3_600 }];
  const path = `/overrides/${encodeURIComponent("premium_*")}`;

  it("are given, read, changed and removed, each with its record", async () => {
    const secret = await api.token(all);
    const saved = await api.call("PUT", path, {
      secret,
      body: { levels, expiresIn: "7d", reason: "launch" },
    });
    expect(saved).toMatchObject({
      status: 200,
      body: { name: "premium_*", levels, tier: null, customers: null, outcome: "added", change: 1 },
    });
    const beta = { tier: "pro", customers: ["acme", "globex"], reason: "beta" };
    expect((await api.call("PUT", "/overrides/beta", { secret, body: beta })).body.customers).toBe(2);
    await api.call("PUT", "/overrides/beta", { secret, body: { add: ["initech"], remove: ["acme"] } });
    const members = await api.call("GET", "/overrides/beta/customers", { secret });
    expect(members.body).toEqual({ name: "beta", customers: ["globex", "initech"] });
    const { body } = await api.call("GET", "/overrides", { secret });
    expect(body.overrides).toMatchObject([
      { name: "beta", tier: "pro", levels: null, customers: 2, usedAt: null, expiresAt: null },
      { name: "premium_*", levels, isEnded: false, isTierKnown: true, by: "token:ci" },
    ]);
    expect((await api.call("GET", "/customers/premium_1", { secret })).body).toMatchObject({
      ...{ levels, from: "pattern", shared: { name: "premium_*" } },
    });
    expect((await api.call("DELETE", `${path}?reason=over`, { secret })).body).toMatchObject({ change: 4 });
    expect((await api.call("DELETE", path, { secret })).status).toBe(404);
    expect((await api.call("GET", path, { secret })).status).toBe(404);
    expect(await api.records()).toMatchObject([
      ...[{ action: "override.set" }, { action: "override.set" }, { action: "override.set" }],
      { action: "override.remove", reason: "over" },
    ]);
  });

  it("are previewed: who of the last hour would be denied", async () => {
    const secret = await api.token(["customers"]);
    const minute = Math.floor(Date.now() / 60_000) - 1;
    await api.log.client.sadd(keys.activeApps(minute), "shop");
    const busy = hitterText("customer", "premium_1");
    await api.log.client.zadd(keys.hitters("all", "shop", minute), 500, busy);
    const preview = (given: object, token = secret) =>
      api.call("POST", `${path}/preview`, { secret: token, body: given });
    const strict = [
      { limit: 100, periodSeconds: 60 },
      { limit: 100_000, periodSeconds: 86_400 },
    ];
    expect((await preview({ levels: strict })).body).toEqual({
      ...{ customers: 1, overruled: 0, seen: 1, overCount: 1, unjudged: strict.slice(1) },
      over: [{ id: "premium_1", peak: 500, limit: 100, periodSeconds: 60 }],
    });
    const reader = await api.token(["read"], { name: "reader" });
    expect((await preview({ levels: strict }, reader)).status).toBe(403);
    expect(await api.log.client.exists(keys.sharedOverrides())).toBe(0);
    await api.closeDirectory();
  });

  it("are refused with the field, and to a token without the scope, and a dry run writes nothing", async () => {
    const secret = await api.token(all);
    const refused = await api.call("PUT", "/overrides/beta", { secret, body: { tier: "gold" } });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, "tier"]);
    expect((await api.call("PUT", "/overrides/Beta!", { secret, body: { levels } })).status).toBe(400);
    const dry = await api.call("PUT", `${path}?dryRun=true`, { secret, body: { levels } });
    expect(dry.body).toMatchObject({ outcome: "added", change: null, dryRun: true });
    const reader = await api.token(["read"], { name: "reader" });
    expect((await api.call("PUT", path, { secret: reader, body: { levels } })).status).toBe(403);
    expect((await api.call("GET", "/overrides", { secret: reader })).body.overrides).toEqual([]);
  });
});
