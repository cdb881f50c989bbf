import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => void (await server.client.flushall()));

const sluice = (line: string, around = {}) => run(line.split(" "), { redisUrl: server.url, ...around });
const json = async (line: string, around = {}) => JSON.parse((await sluice(`${line} --json`, around)).stdout);
const lastAudit = async () => {
  const [[, fields] = ["", []]] = await server.client.xrevrange("sluice:audit", "+", "-", "COUNT", 1);
  return JSON.parse(fields[1] ?? "null");
};

describe("sluice customer tier", () => {
  it("puts a customer into a tier, reports its levels, and records why", async () => {
    const { exit, stdout } = await sluice("customer tier acme Pro --reason signed");
    expect(exit).toBe(0);
    expect(stdout).toBe(
      "acme is now in tier pro.\n" +
        "In force: 100 per 1 min and 5,000 per 1 h, those of tier pro.\n" +
        "Change 1: no node is running, so it is not enforced yet.\n",
    );
    expect(await server.client.get("customer:acme:tier_redis")).toBe("pro");
    expect(await lastAudit()).toMatchObject({ action: "customer.tier", reason: "signed", via: "cli" });
    expect((await sluice("customer tier acme pro")).stdout).toContain(
      "already in tier pro. Nothing changed.",
    );
  });

  it("removes a customer from its tier", async () => {
    await sluice("customer tier acme pro");
    expect(await json("customer tier acme none")).toMatchObject({
      outcome: "removed",
      tier: null,
      levels: null,
    });
    expect(await server.client.exists("customer:acme:tier_redis")).toBe(0);
    expect((await sluice("customer tier acme none")).stdout).toContain("already in no tier");
  });
});

describe("sluice customer suspend", () => {
  it("suspends a customer for a time, and resumes it", async () => {
    const given = await sluice("customer suspend acme --expires 24h --reason abuse");
    expect(given.exit).toBe(0);
    expect(given.stdout).toMatch(
      /^acme is suspended\.\nSUSPENDED: requests get 403, until .* UTC \(1d\), by .* \(abuse\)\.\nChange 1: /,
    );
    expect(await server.client.ttl("customer:acme:suspended")).toBeGreaterThan(86_000);
    expect(await lastAudit()).toMatchObject({ action: "customer.suspend", reason: "abuse", via: "cli" });
    expect((await sluice("customer show acme")).stdout).toContain("SUSPENDED: requests get 403");
    expect((await sluice("customer list")).stdout).toContain("SUSPENDED, until");
    expect(await json("customer show acme")).toMatchObject({ suspension: { note: { reason: "abuse" } } });
    expect((await sluice("explain 203.0.113.9 --customer acme")).stdout).toContain("(abuse): it is blocked.");
    expect(await json("customer resume acme")).toMatchObject({ outcome: "resumed", suspension: null });
    expect((await sluice("customer resume acme")).stdout).toContain("is not suspended. Nothing changed.");
  });
});

describe("sluice customer tier --for", () => {
  it("sets a tier that ends, and shows what follows it", async () => {
    await sluice("customer tier acme pro");
    const given = await sluice("customer tier acme enterprise --for 30h --reason launch");
    const until = /, until 20.+ UTC \((30h|1d 6h)\), then pro/;
    expect(given.stdout).toMatch(new RegExp(`^acme is now in tier enterprise${until.source}\\.$`, "m"));
    for (const line of ["customer show acme", "customer list"])
      expect((await sluice(line)).stdout).toMatch(new RegExp(`enterprise${until.source}`));
    expect((await json("customer show acme")).tier).toMatchObject({ name: "enterprise", back: "pro" });
    expect((await sluice("explain 203.0.113.9 --customer acme")).stdout).toMatch(
      /has the limits of tier enterprise\. That tier ends in (30h|1d 6h), then tier pro follows\./,
    );
    const refused = await sluice("customer tier acme none --for 1h");
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining("choose the tier that ends")]);
    expect((await sluice("customer tier acme enterprise")).stdout).toContain("is now in tier enterprise.");
  });
});

describe("sluice customer limit", () => {
  it("sets levels that expire, and removes them", async () => {
    const given = await sluice(
      "customer limit acme 100/60s 1000/1h 10000/1d12h --expires 7d --reason launch",
    );
    expect(given.exit).toBe(0);
    expect(given.stdout).toMatch(
      /^In force: 100 per 1 min and 1,000 per 1 h and 10,000 per 36 h, its own levels, until .* UTC \(1w\)\.$/m,
    );
    expect(await server.client.hgetall("customer:acme:throttle_hash")).toEqual({
      ...{ "60": "100", "3600": "1000", "129600": "10000" },
    });
    expect(await server.client.ttl("customer:acme:throttle_hash")).toBeGreaterThan(604_790);
    const cleared = await sluice("customer limit acme --clear --reason over");
    expect(cleared.stdout).toContain("acme no longer has levels of its own.");
    expect(await lastAudit()).toMatchObject({ action: "customer.override.clear", reason: "over" });
    expect(await json("customer limit acme --clear")).toMatchObject({ outcome: "absent", change: null });
  });

  it("replaces earlier levels, and never expires without --expires", async () => {
    await sluice("customer limit acme 100/60s --expires 1h");
    expect(await json("customer limit acme 7/1h")).toMatchObject({
      override: { levels: [{ limit: 7, periodSeconds: 3_600 }], expiresAt: null, note: { via: "cli" } },
    });
    expect(await server.client.hgetall("customer:acme:throttle_hash")).toEqual({ "3600": "7" });
    expect(await server.client.ttl("customer:acme:throttle_hash")).toBe(-1);
  });

  it("names every level that is not valid, and writes nothing", async () => {
    const line = "customer limit acme 100/60 9999999999999/60s 5/400d 7/1h 8/1h 9/never 5/0s";
    const { exit, stderr } = await sluice(line);
    expect(exit).toBe(1);
    expect(stderr).toContain('"100/60" is not a valid level: write limit/period, such as 100/60s');
    expect(stderr).toContain(
      '"9999999999999/60s" is not a valid level: as its limit, write a whole number from 0',
    );
    expect(stderr).toContain(
      '"8/1h" is not a valid level: as its period in s, there is a level of 3,600 s already',
    );
    const { error } = await json(line);
    expect(Object.keys(error.fields).toSorted()).toEqual(
      ["100/60", "9999999999999/60s", "5/400d", "8/1h", "9/never", "5/0s"].toSorted(),
    );
    const many = Array.from({ length: 9 }, (_, i) => `5/${i + 1}m`).join(" ");
    expect((await sluice(`customer limit acme ${many}`)).stderr).toContain("at most 8 levels fit here");
    expect(await server.client.keys("*")).toEqual([]);
  });
});

describe("sluice customer show", () => {
  it("shows tier, levels, their author and reason, and usage", async () => {
    await sluice("customer tier acme free");
    await run(["customer", "limit", "acme", "5/1d", "--reason", "a big launch"], { redisUrl: server.url });
    const day = Math.floor(Date.now() / 86_400_000);
    await server.client.set(`rack::attack:${day}:req/customer:acme`, 5, "EX", 100);
    const { exit, stdout } = await sluice("customer show acme");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ {2}tier {8}free$/m);
    expect(stdout).toMatch(
      /^ {2}own levels {2}5 per 1 day, without expiry, by cli:.+ at 20.+Z \(a big launch\)$/m,
    );
    expect(stdout).toMatch(/^req\/customer {2}5 per 1 day {2}5 {5}\S.* {2}throttled$/m);
    expect(await json("customer show acme")).toMatchObject({
      ...{ id: "acme", mode: "enforce", tier: { name: "free", isKnown: true, expiresAt: null } },
      usage: [{ rule: "req/customer", limit: 5, used: 5, isOver: true, isShadowed: false }],
    });
  });

  it("shows an estimate as a rate, what a rule in shadow would do, and a mode that denies no client", async () => {
    const levels = [{ limitPerSecond: 2, halfLifeSeconds: 60 }];
    const rule = { name: "rate", client: "customer", algorithm: "earrrl", levels, mode: "shadow" };
    const policy = JSON.stringify({
      mode: "shadow",
      rules: [rule],
      tiers: { free: { levels: [{ limit: 1, periodSeconds: 1 }] } },
    });
    expect((await run(["policy", "set", "-"], { redisUrl: server.url, stdin: policy })).exit).toBe(0);
    await sluice("customer tier acme free");
    const { stdout } = await sluice("customer show acme");
    expect(stdout).toMatch(/^rate {2}2\/s with a half-life of 1 min {2}0\/s {3}- .* passes$/m);
    expect(stdout).toContain("The mode is shadow: rules only report");
  });

  it("shows an unknown customer as anonymous, and flags levels and tiers that are not enforced", async () => {
    await server.client.hset("customer:acme:throttle_hash", "60", "\u001b[2J");
    await server.client.set("customer:acme:tier_redis", "gold");
    const { stdout } = await sluice("customer show acme");
    expect(stdout).toContain("Limits for anonymous clients count it by its ID.");
    expect(stdout).toMatch(/^NOT ENFORCED: customer:acme:throttle_hash, "60": ".\[2J" is no level/m);
    expect(stdout).toContain("NOT ENFORCED: the policy has no tier gold");
    expect(await json("customer show unknown")).toMatchObject({
      tier: null,
      override: null,
      from: null,
      usage: [{ rule: "req/ip/1", used: 0 }, { rule: "req/ip/2" }],
      flags: [],
    });
  });

  it("shows the rest when the counters do not answer", async () => {
    await sluice("customer tier acme pro");
    const environment = { countersRedisUrl: "redis://:hush@127.0.0.1:1" };
    const { exit, stdout, stderr } = await sluice("customer show acme", { environment });
    expect(exit).toBe(3);
    expect(stdout).toContain("those of tier pro");
    expect(stderr).toContain("The counters at 127.0.0.1:1 are not reachable: ECONNREFUSED.");
    const partial = await json("customer show acme", { environment });
    expect(partial).toMatchObject({
      tier: { name: "pro" },
      usage: null,
      error: { code: "redis-unavailable" },
    });
  });
});

describe("sluice customer list", () => {
  it("shows tiers and levels in order, up to a limit, and by the beginning of IDs", async () => {
    for (const id of ["acme", "ace", "Acorn", "zoo"])
      await server.client.set(`customer:${id}:tier_redis`, "pro");
    await sluice("customer limit acme 5/1d");
    await server.client.set("customer:zoo:tier_redis", "gold");
    const ids = async (line: string) =>
      (await json(line)).customers.map((customer: { id: string }) => customer.id);
    expect(await ids("customer list")).toEqual(["Acorn", "ace", "acme", "zoo"]);
    expect(await ids("customer list --search ac")).toEqual(["ace", "acme"]);
    expect(await json("customer list --limit 2")).toMatchObject({ more: true, customers: [{}, {}] });
    const { stdout } = await sluice("customer list");
    expect(stdout).toMatch(/^acme {6}pro {3}5 per 1 day, without expiry$/m);
    expect(stdout).toMatch(/^zoo {7}gold {2}- NOT ENFORCED: the policy has no tier gold/m);
    expect(stdout).toContain("\n4 customers.\n");
  });
});

describe("what is refused", () => {
  it.each([
    ["customer tier a/b pro", "id"],
    ["customer limit a*b 5/60s", "id"],
    [`customer show ${"x".repeat(65)}`, "id"],
    ["customer reset sluice:audit", "id"],
    ["customer tier acme gold", "tier"],
    ["customer tier acme __proto__", "tier"],
    ["customer limit acme 5/60s --expires soon", "expires"],
    ["customer limit acme 5/60s --expires 0s", "expires"],
    ["customer limit acme fast", "fast"],
    ["customer list --search a*", "search"],
    ["customer list --limit few", "limit"],
  ])("%s: the field is named", async (line, field) => {
    const { exit, stdout } = await sluice(`${line} --json`);
    const { error } = JSON.parse(stdout);
    expect({ exit, code: error.code }).toEqual({ exit: 1, code: "bad-input" });
    expect(Object.keys(error.fields)).toEqual([field]);
    expect(await server.client.keys("*")).toEqual([]);
  });

  it("is a key of another type in the place of a tier, which is named", async () => {
    await server.client.lpush("customer:acme:tier_redis", "pro");
    const { exit, stderr } = await sluice("customer tier acme pro");
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: "customer:acme:tier_redis in Redis is a list, not a tier: remove it first.\n",
    });
  });
});

it("a reset or new levels admit a denied customer again on every node, also with counters on another server", async () => {
  const apart = await startRedis();
  const environment = { countersRedisUrl: apart.url };
  const guard = createGuard({ redis: server.url, counters: apart.url, app: "shop", log: () => {} });
  onTestFinished(async () => {
    await guard.close();
    await apart.stop();
  });
  await guard.ready();
  const around = { environment, appliedWithinMs: 10_000 };
  await sluice("customer limit acme 3/1d", around);
  // On a busy machine the counters may answer too late for a check. Then no count decides.
  const ask = () =>
    eventually(async () => {
      const verdict = await guard.check({ ip: "203.0.113.9", customerId: "acme" });
      expect(verdict.trouble).toBeUndefined();
      return verdict;
    });
  const useUp = (limit: number) =>
    eventually(async () => expect(await ask()).toMatchObject({ outcome: "throttled", limit }));
  await eventually(async () =>
    expect(await json("customer show acme", around)).toMatchObject({ usage: [{ limit: 3 }] }),
  );
  await useUp(3);
  expect((await sluice("customer show acme", around)).stdout).toContain("throttled");
  const reset = await sluice("customer reset acme --reason fixed", around);
  expect(reset.stdout).toMatch(
    /^Counters of acme are reset: 1 counter deleted\.\nChange \d+: applied on 1 of 1 node in/,
  );
  expect((await ask()).outcome).toBe("pass");
  await useUp(3);
  expect((await sluice("customer limit acme 9/1d", around)).stdout).toContain("applied on 1 of 1 node");
  expect((await ask()).outcome).toBe("pass");
  await useUp(9);
});
