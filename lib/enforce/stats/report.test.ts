import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import { EntryHitsReader, hitsOf } from "../../observe/stats/entry-hits.ts";
import { readFeed } from "../../observe/stats/feed.ts";
import { rankClients, readClientReadings, splitByOwner } from "../../observe/stats/offenders.ts";
import { Series, sumOf } from "../../observe/stats/series.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, inOneWindow, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { createScales } from "../limits/scales.ts";
import { customerLoad, customerPlan } from "../policy/customer-plan.ts";
import { freshInstall } from "../policy/stored.ts";
import { readPolicy } from "../policy/versions.ts";
import { ruleNames } from "./fields.ts";

let server: TestRedis;
let redis: Connection;
let guards: Guard[] = [];
const rules = ruleNames(freshInstall.policy);

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  await server.client.flushall();
  guards = await Promise.all(
    ["shop", "docs"].map(async (app) => {
      const guard = createGuard({ redis: server.url, app, log: () => {} });
      await guard.ready();
      return guard;
    }),
  );
});

afterAll(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  redis.disconnect();
  await server.stop();
});

/** A generator with a seed, so that the truth is known: a few clients send many requests, most send one. */
function* traffic(count: number) {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  for (let i = 0; i < count; i++) {
    const heavy = Math.floor(24 * random() ** 2);
    yield random() < 0.6 ? `198.51.100.${heavy}` : `10.${i % 200}.${Math.floor(256 * random())}.1`;
  }
}

const minute = () => Math.floor(Date.now() / 60_000);

it("adds up to exactly the requests, app by app, and names the true top twenty", async () => {
  await server.client.set("blocklist:198.51.100.0", "x");
  await eventually(async () =>
    expect((await guards[0]?.check({ ip: "198.51.100.0" }))?.outcome).toBe("blocked"),
  );
  const outcomes = new Map<string, number>([["shop blocked", 0]]);
  const clients = new Map<string, number>();
  const before = new Series(redis);
  await eventually(async () =>
    expect(sumOf(await before.read(3_600, 2, Date.now()), "blocked", "shop")).toBeGreaterThan(0),
  );
  const already = async (field: string, app: string) =>
    sumOf(await new Series(redis).read(3_600, 2, Date.now()), field, app);
  const base = new Map<string, number>();
  for (const app of ["shop", "docs"])
    for (const field of ["pass", "blocked", "throttled"])
      base.set(`${app} ${field}`, await already(field, app));
  await server.client.del(...(await server.client.keys("sluice:hitters:*")));

  for (const ip of traffic(6_000)) {
    const at = ip.length % 2;
    const verdict = await guards[at]?.check({ ip, path: "/a", headers: { "user-agent": "curl/8" } });
    const name = `${["shop", "docs"][at]} ${verdict?.outcome}`;
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    clients.set(ip, (clients.get(ip) ?? 0) + 1);
  }
  const reported = async () => {
    const found: [string, number][] = [];
    for (const app of ["shop", "docs"])
      for (const field of ["pass", "blocked", "throttled"]) {
        const count = (await already(field, app)) - (base.get(`${app} ${field}`) ?? 0);
        if (count > 0) found.push([`${app} ${field}`, count]);
      }
    return new Map(found);
  };
  await eventually(async () => {
    expect(await reported()).toEqual(new Map([...outcomes].filter(([, count]) => count > 0)));
  }, 10_000);

  const minutes = [minute() - 1, minute()];
  const top = await new ClientCounts(redis).top({ minutes, most: 20, by: "requests", rules });
  const truth = [...clients].toSorted((a, b) => b[1] - a[1]).slice(0, 20);
  expect(new Map(top.map(({ name, requests }) => [name.client, requests]))).toEqual(new Map(truth));
});

it("reports what each rule counted, in the totals alone", async () => {
  for (let i = 0; i < 5; i++) await guards[0]?.check({ ip: "203.0.113.9" });
  await eventually(async () => {
    const [shop] = (await readTotals(redis, rules)).filter(({ app }) => app === "shop");
    expect(shop?.outcomes.get("pass")).toBe(5);
    expect([...(shop?.hits ?? [])].filter(([, count]) => count === 5).length).toBeGreaterThan(0);
  });
  const buckets = await server.client.keys("sluice:series:*");
  const named = (await Promise.all(buckets.map((bucket) => server.client.hkeys(bucket)))).flat();
  expect(named.filter((field) => field.endsWith("\0pass"))).not.toEqual([]);
  expect(named.filter((field) => /\0(hit|near) /.test(field))).toEqual([]);
});

it("reports which entry decided, also of a range and of the safelist", async () => {
  await server.client.mset("blocklist:198.51.100.0/24", "x", "safelist:203.0.113.7", "y");
  await eventually(async () => {
    expect((await guards[0]?.check({ ip: "198.51.100.1" }))?.outcome).toBe("blocked");
    expect((await guards[1]?.check({ ip: "203.0.113.7" }))?.outcome).toBe("safelisted");
  });
  const reader = () => new EntryHitsReader(redis, new Series(redis));
  const hour = async (list: "blocklist" | "safelist", entry: string) =>
    hitsOf(await reader().read(list, Date.now()), entry).hour;
  await eventually(async () => expect(await hour("blocklist", "198.51.100.0/24")).toBeGreaterThan(0));
  for (let i = 0; i < 20; i++) {
    await guards[i % 2]?.check({ ip: `198.51.100.${i}` });
    await guards[0]?.check({ ip: "203.0.113.7" });
  }
  const decided = async (outcome: string) =>
    sumOf(await new Series(redis).read(3_600, 2, Date.now()), outcome);
  await eventually(async () => {
    expect(await hour("blocklist", "198.51.100.0/24")).toBeGreaterThan(20);
    expect(await hour("blocklist", "198.51.100.0/24")).toBe(await decided("blocked"));
    expect(await hour("safelist", "203.0.113.7")).toBe(await decided("safelisted"));
    expect(await hour("blocklist", "198.51.100.1")).toBe(0);
  });
});

it("counts no hit of an entry by the console's own requests", async () => {
  await server.client.set("safelist:203.0.113.7", "the office");
  const itself = createGuard({ redis: server.url, app: "console", log: () => {} });
  guards.push(itself);
  await itself.ready();
  await eventually(async () =>
    expect((await itself.check({ ip: "203.0.113.7" })).outcome).toBe("safelisted"),
  );
  const safelisted = async () =>
    sumOf(await new Series(redis).read(3_600, 2, Date.now()), "safelisted", "console");
  await eventually(async () => expect(await safelisted()).toBeGreaterThan(0));
  expect(await server.client.keys("sluice:hitters:entries:*")).toEqual([]);
});

it("reports a request within two seconds", async () => {
  const passed = async () => sumOf(await new Series(redis).read(3_600, 2, Date.now()), "pass", "shop");
  const report = async (): Promise<number> => {
    const before = await passed();
    const askedAt = performance.now();
    await guards[0]?.check({ ip: "203.0.113.78", path: "/" });
    await eventually(async () => expect(await passed()).toBeGreaterThan(before));
    return performance.now() - askedAt;
  };
  // The quickest of three: a busy machine is late itself.
  let tookMs = await report();
  for (let i = 1; i < 3 && tookMs >= 2_000; i++) tookMs = await report();
  expect(tookMs).toBeLessThan(2_000);
});

it("reads the offenders' counts at every level that counts them", async () => {
  await inOneWindow(server.client, 300);
  const ip = "203.0.113.77";
  // On a busy machine some requests pass unweighed.
  let [requests, denied] = [0, 0];
  for (; denied < 20; requests++)
    if ((await guards[0]?.check({ ip, path: "/login" }))?.outcome === "throttled") denied++;
  const network = "2001:db8:1:2::/64";
  const hitters = await eventually(async () => {
    await guards[0]?.check({ ip: "2001:db8:1:2::9", path: "/" });
    const found = await new ClientCounts(redis).top({
      minutes: [minute() - 1, minute()],
      most: 10,
      by: "denied",
      rules,
    });
    expect(found[0]?.requests).toBe(requests);
    expect(found.find(({ name }) => name.client === network)?.requests).toBeGreaterThan(1);
    return found;
  }, 10_000);
  expect(hitters[0]).toMatchObject({ name: { kind: "ip", client: ip }, denied, app: "shop" });
  const { policy } = await readPolicy(redis);
  const { readings } = await readClientReadings(
    redis,
    createScales(redis, { withinMs: 2_000 }),
    policy,
    hitters,
  );
  const [first] = rankClients(hitters, readings);
  expect(first).toMatchObject({
    name: { client: ip },
    standing: "throttled",
    counter: { step: { rule: "req/ip/1", limit: 300 }, reading: { used: 300, isOver: true } },
    estimate: { step: { algorithm: "earrrl" } },
  });
  const ipv6 = readings.find(({ name }) => name.client === network);
  expect(ipv6?.reading.used).toBeGreaterThan(0);
});

it("reads clients of a rule with several levels, whatever version of a node counted them", async () => {
  const levels = [
    { limit: 2, periodSeconds: 60 },
    { limit: 3, periodSeconds: 3_600 },
  ];
  const rule = { name: "login", client: { header: "x-api-key" }, algorithm: "first-hit", levels } as const;
  const by = {
    redis,
    actor: { name: "ada@example.org", via: "console" },
    seal: sealFrom("a secret of the tests"),
  };
  const wished = { mode: "enforce", rules: [rule], tiers: {} };
  await setPolicy(by, { policy: wished, basedOn: 0, reason: "a test" });
  const { policy } = await readPolicy(redis);
  const asked = { ip: "203.0.113.9", headers: { "x-api-key": "joe" } };
  await eventually(async () => {
    expect((await guards[0]?.check(asked))?.rule).toMatch(/^login\//);
  });
  const wanted = { minutes: [minute() - 1, minute(), minute() + 1], most: 10, rules: ruleNames(policy) };
  const client = await eventually(async () => {
    const hitters = await new ClientCounts(redis).top({ ...wanted, by: "denied" });
    const first = hitters.find(({ name }) => name.kind === "rule");
    expect(first?.name).toMatchObject({ kind: "rule", rule: "login" });
    return first?.name.client;
  }, 10_000);
  // As a node of an earlier version reports it.
  for (const what of ["all", "denied"] as const)
    await server.client.zadd(keys.hitters(what, "old", minute()), 40, `rule login/60 ${client}`);
  await server.client.sadd(keys.activeApps(minute()), "old");
  const found = await new ClientCounts(redis).top({ ...wanted, by: "denied" });
  const ofRule = found.filter(({ name }) => name.kind === "rule");
  expect(ofRule).toMatchObject([{ name: { rule: "login", client }, app: "old" }]);
  expect(ofRule[0]?.denied).toBeGreaterThan(40);
  const { readings } = await readClientReadings(
    redis,
    createScales(redis, { withinMs: 2_000 }),
    policy,
    ofRule,
  );
  expect(readings.map(({ step, reading }) => [step.rule, step.periodSeconds, reading.isOver])).toEqual([
    ["login", 60, true],
    ["login", 3_600, false],
  ]);
});

it("reads an unknown customer by the limits for anonymous clients", async () => {
  const { policy } = await readPolicy(redis);
  const scales = createScales(redis, { withinMs: 2_000 });
  const counter = { rule: "req/ip/1", client: "customer:stranger", periodSeconds: 300, count: 2 };
  const { known } = splitByOwner([counter], policy, Date.now());
  expect(known).toMatchObject([{ name: { kind: "customer", client: "stranger" } }]);
  const load = customerLoad(customerPlan(policy, undefined), "stranger");
  await eventually(async () => {
    // Again if a window ends during the test.
    await redis.flushall();
    for (let i = 0; i < 2; i++) await scales.weigh(load);
    const { readings } = await readClientReadings(redis, scales, policy, known);
    expect(readings.map(({ step, reading }) => [step.rule, reading.used])).toEqual([
      ["req/ip/1", 2],
      ["req/ip/2", 2],
    ]);
  });
});

it("reads all clients of one plan in one call", async () => {
  const hitter = (kind: "ip" | "customer", client: string) => ({ name: { kind, client }, ...nothing });
  const nothing = { requests: 1, denied: 0, lastMinute: { requests: 1, denied: 0 }, app: "shop" };
  const ips = Array.from({ length: 90 }, (_, i) => hitter("ip", `198.51.100.${i}`));
  const customers = Array.from({ length: 20 }, (_, i) => hitter("customer", `c${i}`));
  await guards[0]?.check({ ip: "198.51.100.7" });
  const { policy } = await readPolicy(redis);
  const scales = createScales(redis, { withinMs: 2_000 });
  await readClientReadings(redis, scales, policy, ips.slice(0, 1));
  await server.client.config("RESETSTAT");
  const { readings: found } = await readClientReadings(redis, scales, policy, [...ips, ...customers]);
  expect(new Set(found.map(({ name }) => name.client))).toEqual(new Set(["198.51.100.7"]));
  const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
  // A guard's report or heartbeat may be among them.
  expect(Number(calls)).toBeLessThan(10);
});

it("keeps some denials for the feed, with what they looked like", async () => {
  await server.client.set("blocklist:203.0.113.8", "x");
  await eventually(async () =>
    expect((await guards[1]?.check({ ip: "203.0.113.8" }))?.outcome).toBe("blocked"),
  );
  await guards[1]?.check({
    ip: "203.0.113.8",
    method: "POST",
    path: "/session",
    headers: { "user-agent": "sqlmap/1.8" },
  });
  const item = await eventually(async () => {
    const found = (await readFeed(redis, { most: 50 })).find(({ path }) => path === "/session");
    expect(found).toBeDefined();
    return found;
  }, 10_000);
  expect(item).toMatchObject({
    ip: "203.0.113.8",
    outcome: "blocked",
    method: "POST",
    userAgent: "sqlmap/1.8",
    app: "docs",
    standsFor: 1,
  });
  await server.client.xadd("sluice:feed", "*", "seen", "no JSON");
  await server.client.xadd(keys.samples("blocked"), "*", "sample", "no JSON");
  const [after] = await readFeed(redis, { most: 1 });
  expect(after?.at).toBeGreaterThanOrEqual(item?.at ?? 0);
});
