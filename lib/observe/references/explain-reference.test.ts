import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { refusalOf } from "../../enforce/guard/refusal.ts";
import type { GuardRequest } from "../../enforce/guard/request.ts";
import { isDenied, type Verdict } from "../../enforce/guard/verdict.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { writeFeed } from "../../enforce/lists/vitest.feeds.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { parseReferenceKeys, writeReferenceKeys } from "../../enforce/references/keys.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { ensureReferenceKey, rotateReferenceKey } from "../../manage/references/reference-keys.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { listNodes } from "../stats/nodes.ts";
import { type Denial, explainReference } from "./explain-reference.ts";

let server: TestRedis;
let redis: Connection;
let guard: Guard;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const rule = { algorithm: "fixed", levels: [{ limit: 0, periodSeconds: 3_600 }] } as const;
const rules = [
  { ...rule, name: "login", client: "ip", match: { only: ["/login"] } },
  { ...rule, name: "network", client: { ip: { v4: 24, v6: 48 } }, match: { only: ["/network"] } },
  { ...rule, name: "per-customer", client: "customer", match: { only: ["/customer"], who: "customers" } },
  { ...rule, name: "per-key", client: { header: "x-key" }, match: { only: ["/key"] } },
  { ...rule, name: "per-user", client: "user", match: { only: ["/user"] } },
  { ...rule, name: "unused", client: "ip", match: { only: ["/unused"] } },
];

beforeEach(async () => {
  await server.client.flushall();
  await ensureReferenceKey(redis);
  await save(rules);
  await server.client.mset({
    "blocklist:203.0.113.7": "{}",
    "blocklist:198.51.100.0/24": "{}",
    "blocklist:2001:db8:1::/48": "{}",
    "customer:late:suspended": "{}",
    "customer:late:tier_redis": "gold",
  });
  await server.client.set("sluice:live:ban:203.0.113.8", "{}", "EX", 3_600);
  await writeFeed(server.client, "scanners", ["192.0.2.0/25"]);
  guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  // From then on the name of the app is known.
  await eventually(async () => expect(await listNodes(redis)).toHaveLength(1));
});
afterEach(() => guard.close());

const actor = { name: "ada@example.org", via: "console" };
const signed = () => ({ redis, actor, seal: sealFrom("a secret of this test, long enough for a seal") });

async function save(wanted: readonly object[]): Promise<void> {
  const { version } = await readPolicy(redis);
  const tiers = { gold: { levels: [{ limit: 100, periodSeconds: 60 }] } };
  const policy = { mode: "enforce", rules: wanted, tiers };
  await setPolicy(signed(), { policy, basedOn: version, reason: "a test" });
}

const explain = (reference: string): Promise<Denial> =>
  explainReference(
    { redis, scales: createScales(redis), readSlack: async () => [], protectedRanges: [] },
    reference,
  );

const v4 = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
const v6 = (i: number, site = 2) => `2001:db8:${site}:${(i + 1).toString(16)}::9`;
const basic = (user: string) => `Basic ${Buffer.from(`${user}:secret`).toString("base64")}`;

interface Kind {
  readonly request: (i: number) => GuardRequest;
  readonly by: object;
  readonly customer?: (i: number) => string;
}

/** A denial of every kind, each of many clients. */
const kinds: readonly Kind[] = [
  { request: () => ({ ip: "203.0.113.7" }), by: { kind: "entry", address: "203.0.113.7" } },
  { request: () => ({ ip: "203.0.113.8" }), by: { kind: "entry", address: "203.0.113.8" } },
  { request: (i) => ({ ip: `198.51.100.${i % 256}` }), by: { kind: "entry", address: "198.51.100.0/24" } },
  {
    request: (i) => ({ ip: v6(i, 1) }),
    by: { kind: "entry", address: "2001:db8:1::/48" },
  },
  {
    request: (i) => ({ ip: `192.0.2.${i % 128}` }),
    by: { kind: "feed", feed: "scanners", range: "192.0.2.0/25" },
  },
  {
    request: (i) => ({ ip: v4(i), customerId: "late" }),
    by: { kind: "suspension" },
    customer: () => "late",
  },
  { request: (i) => ({ ip: v4(i), path: "/login" }), by: { kind: "rule", rule: "login" } },
  { request: (i) => ({ ip: v6(i), path: "/login" }), by: { kind: "rule", rule: "login" } },
  { request: (i) => ({ ip: v6(i), path: "/network" }), by: { kind: "rule", rule: "network" } },
  {
    request: (i) => ({ ip: v4(i), path: "/key", headers: { "x-key": `key-${i}` } }),
    by: { kind: "rule", rule: "per-key" },
  },
  {
    request: (i) => ({ ip: v4(i), path: "/user", headers: { authorization: basic(`user-${i}`) } }),
    by: { kind: "rule", rule: "per-user" },
  },
];
const referencesOfEach = 100;

function referenceOf(denied: Verdict): string {
  if (!isDenied(denied)) throw new Error(`It is not denied: ${JSON.stringify(denied)}`);
  return refusalOf(denied, "text/html").headers["x-sluice-ref"] ?? "";
}

it("finds 1,100 denials of every kind by their references alone", async () => {
  const made: { readonly kind: Kind; readonly i: number; readonly text: string; readonly ip: string }[] = [];
  for (const kind of kinds)
    for (let i = 0; i < referencesOfEach; i++) {
      const request = kind.request(i);
      const denied = await guard.check(request);
      expect(denied, JSON.stringify(request)).toMatchObject({ by: expect.anything() });
      const text = referenceOf(denied);
      made.push({ kind, i, text, ip: String(request.ip) });
    }
  const now = Date.now();
  for (const { kind, i, text, ip } of made) {
    const { at, app, client, by, outcome, customer } = await explain(text);
    expect({ app, client, by, customer }).toEqual({
      ...{ app: "shop", client: ip, by: kind.by, customer: kind.customer?.(i) },
    });
    expect(outcome).toBe(by.kind === "rule" ? "throttled" : "blocked");
    expect(Math.abs(at - now)).toBeLessThan(60_000);
  }
  // No log has most of them.
  const kept = await Promise.all(
    ["throttled", "blocked"].map((of) => server.client.xlen(`sluice:samples:${of}`)),
  );
  expect(kept.reduce((sum, length) => sum + length)).toBeLessThan(made.length / 2);
}, 120_000);

it("finds the customer that a rule counts, and a limit in code with its key", async () => {
  await server.client.set("customer:acme:tier_redis", "gold");
  await eventually(async () => {
    const { outcome } = await guard.check({ ip: "10.0.0.1", path: "/customer", customerId: "acme" });
    expect(outcome).toBe("throttled");
  });
  const denied = await guard.check({ ip: "10.0.0.1", path: "/customer", customerId: "acme" });
  expect(await explain(referenceOf(denied))).toMatchObject({
    ...{ by: { rule: "per-customer" }, client: "10.0.0.1", customer: "acme", now: { applies: true } },
  });

  const limit = guard.limit("export", { limit: 0, periodSeconds: 60, by: "customer" });
  const text = referenceOf(await limit.check("acme"));
  await eventually(async () =>
    expect(await explain(text)).toMatchObject({
      ...{ app: "shop", client: undefined, customer: "acme", by: { rule: "code/shop/export" } },
    }),
  );
});

it("says whether the same still denies the client", async () => {
  const [entry, feed, suspension, throttle] = await Promise.all(
    [
      { ip: "203.0.113.7" },
      { ip: "192.0.2.5" },
      { ip: "10.0.0.1", customerId: "late" },
      { ip: "10.0.0.2", path: "/login" },
    ].map(async (request) => referenceOf(await guard.check(request))),
  );
  const all = [entry, feed, suspension, throttle].filter((text) => text !== undefined);
  const applies = () => Promise.all(all.map(async (text) => (await explain(text)).now.applies));
  expect(await applies()).toEqual([true, true, true, true]);
  await server.client.del("blocklist:203.0.113.7", "customer:late:suspended");
  await server.client.hdel("sluice:live:feeds", "scanners");
  await save(rules.slice(1));
  expect(await applies()).toEqual([false, false, false, false]);
  expect((await explain(String(throttle))).now.says).toBe("It no longer applies: no rule login is in force.");
  await server.client.set("blocklist:10.0.0.0/24", "{}");
  expect((await explain(String(throttle))).now.says).toMatch(
    /^It no longer applies\. 10\.0\.0\.2 is blocked/,
  );
});

it("reads references of replaced keys until these end, and refuses others in a sentence", async () => {
  const first = referenceOf(await guard.check({ ip: "203.0.113.7" }));
  await rotateReferenceKey(signed(), { reason: "a test" });
  const second = await eventually(async () => {
    const text = referenceOf(await guard.check({ ip: "198.51.100.9" }));
    expect(text).toMatch(/^slr-2/);
    return text;
  });
  expect(await explain(first)).toMatchObject({ client: "203.0.113.7" });
  expect(await explain(second)).toMatchObject({ client: "198.51.100.9" });

  const stored = parseReferenceKeys(await server.client.get(keys.referenceKeys()));
  const ended = stored.map((key) => ({ ...key, until: key.until && Date.now() - 1 }));
  await server.client.set(keys.referenceKeys(), writeReferenceKeys(ended));
  await expect(explain(first)).rejects.toThrow(/key 1, which this installation does not keep any more/);

  await rotateReferenceKey(signed(), { reason: "a test", forgetsEarlier: true });
  await expect(explain(second)).rejects.toThrow(/key 2, which this installation does not keep any more/);

  await server.client.del(keys.referenceKeys());
  await expect(explain(second)).rejects.toThrow(/has no key for references/);
  await ensureReferenceKey(redis);
  await expect(explain(first)).rejects.toThrow(/wrong or missing, or it is from another installation/);
  await expect(explain("slr-")).rejects.toThrow(/This is no reference of a denial/);
  await expect(explain("slr-1ju5t9arba9e")).rejects.toThrow(/wrong or missing/);
});

it("has no secret in the audit log", async () => {
  await rotateReferenceKey(signed(), { reason: "a test" });
  const [key] = parseReferenceKeys(await server.client.get(keys.referenceKeys()));
  const log = JSON.stringify(await server.client.xrange("sluice:audit", "-", "+"));
  expect(log).toContain("reference-key.rotate");
  expect(log).not.toContain(key?.secret);
});

it("is left out without a key, shared by denials of one client in a second, and made only when it is read", async () => {
  const write = vi.spyOn(
    (await import("../../enforce/references/reference.ts")).ReferenceKey.prototype,
    "write",
  );
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => guard.check({ ip: "203.0.113.7" })));
  expect(write).not.toHaveBeenCalled();
  const texts = new Set(verdicts.map(referenceOf));
  // The checks may lie in two seconds.
  expect(texts.size).toBeLessThanOrEqual(2);
  expect(write).toHaveBeenCalledTimes(texts.size);
  vi.restoreAllMocks();
  await server.client.del(keys.referenceKeys());
  await eventually(async () => expect(referenceOf(await guard.check({ ip: "203.0.113.7" }))).toBe(""));
  const { body, headers } = refusalOf(await guard.check({ ip: "203.0.113.7" }), "application/json");
  expect(headers).not.toHaveProperty("x-sluice-ref");
  expect(JSON.parse(body)).not.toHaveProperty("reference");
});
