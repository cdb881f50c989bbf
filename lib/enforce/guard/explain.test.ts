import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually, inOneWindow, startRedis, type TestRedis } from "../../redis/testing.ts";
import { checkPolicy } from "../policy/schema.ts";
import { defaultPolicy, writePolicy } from "../policy/stored.ts";
import { createGuard, type Guard } from "./guard.ts";

let server: TestRedis;
let guard: Guard;

beforeAll(async () => {
  server = await startRedis("--appendonly", "no");
  guard = createGuard({ redis: server.url, app: "shop", neverBlock: "198.51.100.0/24", log: () => {} });
});

beforeEach(async () => {
  await guard.ready();
  await server.client.flushall();
});

afterAll(async () => {
  await guard.close();
  await server.stop();
});

const explain = async (ip: string) => {
  const { outcome, steps } = await guard.explain({ ip });
  return {
    outcome,
    decides: steps.find(({ decides }) => decides)?.step,
    says: steps.map(({ says }) => says),
  };
};

it("names the entry that stops a client, who made it and why", async () => {
  await server.client.set(
    "blocklist:203.0.113.0/24",
    JSON.stringify({ reason: "scraper", by: "oncall@example.com" }),
  );
  expect(await explain("203.0.113.9")).toEqual({
    outcome: "blocked",
    decides: "blocklist",
    says: [
      "The client is 203.0.113.9.",
      "No entry on the safelist covers it.",
      "203.0.113.0/24 is on the blocklist by oncall@example.com (scraper): it is blocked.",
      "Not reached. What they have counted:",
    ],
  });
});

it("shows that the safelist wins, and what it wins over", async () => {
  await server.client.mset("blocklist:203.0.113.9", "scraper", "safelist:203.0.113.0/24", "office");
  expect(await explain("203.0.113.9")).toMatchObject({
    outcome: "safelisted",
    decides: "safelist",
    says: [
      expect.anything(),
      expect.stringContaining("it always passes"),
      expect.stringContaining("another entry decides"),
      expect.stringMatching(/^Not reached\./),
    ],
  });
});

it("says why an entry is not enforced", async () => {
  await server.client.mset("blocklist:0.0.0.0/0", "oops", "blocklist:198.51.100.7", "x");
  const { outcome, says } = await explain("198.51.100.7");
  expect(outcome).toBe("pass");
  expect(says[2]).toMatch(/198\.51\.100\.7 is on the blocklist.*not enforced: .*protected range/);
  expect(says[2]).toMatch(/0\.0\.0\.0\/0 is on the blocklist \(oops\), but is not enforced: .*wide/);
  const { steps } = await guard.explain({ ip: "198.51.100.7" });
  for (const { notEnforcedBecause, disobeyed } of steps[2]?.entries ?? []) {
    expect(notEnforcedBecause).toBeTruthy();
    expect(disobeyed).toBe(notEnforcedBecause);
  }
  expect(steps[2]?.entries).toHaveLength(2);
});

it("tells what every rule has counted, and which one decides", async () => {
  await inOneWindow(server.client, 300);
  for (let i = 0; i < 3; i++) await guard.check({ ip: "192.0.2.50", path: "/" });
  const asked = { ip: "192.0.2.50", path: "/" };
  const readLevels = async () => (await guard.explain(asked)).steps.at(-1)?.rules ?? [];
  // What passes by the slack of a rule is charged afterwards.
  const rules = await eventually(async () => {
    const levels = await readLevels();
    expect(levels[0]?.used).toBe(3);
    return levels;
  });
  expect(rules).toMatchObject([
    { name: "req/ip/1", used: 3, limit: 300, periodSeconds: 300, isOver: false, isShadowed: false },
    { name: "req/ip/2", used: 3, limit: 600 },
    { name: "rate/ip", algorithm: "earrrl", isShadowed: true },
  ]);
  expect(rules[0]?.says).toBe("req/ip/1: 3 of 300 per 5 min for 192.0.2.50.");
  expect((await readLevels())[0]?.used).toBe(3);
  await Promise.all(Array.from({ length: 300 }, () => guard.check(asked)));
  const denied = await eventually(async () => {
    const explanation = await guard.explain(asked);
    expect(explanation).toMatchObject({ outcome: "throttled", status: 429 });
    return explanation;
  });
  expect(denied.steps.at(-1)).toMatchObject({ step: "rules", decides: true, says: "req/ip/1 denies." });
  expect(denied.steps.at(-1)?.rules?.[0]?.says).toMatch(
    /300 of 300 per 5 min for 192\.0\.2\.50: denied, for another \d+ s\.$/,
  );
});

it("shows what rules have counted of a client that a list blocks before them, and lets none of them decide", async () => {
  await inOneWindow(server.client, 300);
  const asked = { ip: "192.0.2.51", path: "/" };
  await Promise.all(Array.from({ length: 301 }, () => guard.check(asked)));
  await eventually(async () => expect((await guard.explain(asked)).outcome).toBe("throttled"));
  await server.client.set("blocklist:192.0.2.51", "scraper");
  const { outcome, status, steps } = await guard.explain(asked);
  expect([outcome, status]).toEqual(["blocked", 403]);
  expect(steps.map(({ decides }) => decides)).toEqual([false, false, true, false]);
  const rules = steps.at(-1)?.rules ?? [];
  expect(rules).toMatchObject([
    { name: "req/ip/1", used: 300, limit: 300, isOver: true },
    { name: "req/ip/2", used: 300, limit: 600, isOver: false },
    { name: "rate/ip", isShadowed: true },
  ]);
  expect(rules.some(({ isDeciding }) => isDeciding)).toBe(false);
  expect(rules[0]?.says).toMatch(
    /300 of 300 per 5 min for 192\.0\.2\.51: would be denied, for another \d+ s\.$/,
  );
});

it("writes nothing", async () => {
  const writes = async () =>
    (await server.client.info("commandstats")).match(/cmdstat_(set|incr|incrby|xadd|del):calls=\d+/g);
  // Again if the guard's report, one a second, comes in between.
  await eventually(async () => {
    const before = await writes();
    await explain("203.0.113.9");
    expect(await writes()).toEqual(before);
  });
});

it("explains from its own copy while Redis is away", async () => {
  await server.client.set("blocklist:203.0.113.9", "x");
  await expect.poll(async () => (await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
  await server.kill();
  try {
    expect(await explain("203.0.113.9")).toMatchObject({ outcome: "blocked", decides: "blocklist" });
  } finally {
    await server.restart();
  }
});

it("has nothing to weigh for an unknown client", async () => {
  expect(await guard.explain({ ip: "nonsense" })).toMatchObject({ client: undefined, outcome: "pass" });
});

it("says which limits count a signed-in customer", async () => {
  await server.client.set("customer:1042:tier_redis", "pro");
  await server.client.hset("customer:7:throttle_hash", "60", "5");
  const says = async (customerId: string) => {
    const { steps } = await guard.explain({ ip: "203.0.113.9", customerId });
    return steps.at(-1)?.says;
  };
  await eventually(async () => {
    expect(await says("1042")).toMatch(/^Customer 1042 has the limits of tier pro\. /);
    expect(await says("7")).toMatch(/^Customer 7 has limits of its own\. /);
  });
  expect(await says("stranger")).toMatch(/so limits for anonymous clients count it by its id\. /);
  expect(await says("no id")).toMatch(/^"no id" is no customer id, so the request is anonymous\. /);
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "" };
  const policy = { ...defaultPolicy, defaultTier: "free" };
  await server.client.set(keys.policy(), writePolicy({ ...stored, policy }));
  await eventually(async () => {
    expect(await says("stranger")).toMatch(
      /^Customer stranger .* it has the limits of the default tier, free\. /,
    );
  });
});

it("says what rules do while their counts are unknown", async () => {
  const policy = checkPolicy({
    mode: "enforce",
    rules: [{ ...defaultPolicy.rules[0], name: "login", onStoreError: "closed" }],
    tiers: {},
  });
  if (!policy.ok) throw new Error("no policy");
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "" };
  await server.client.set(keys.policy(), writePolicy({ ...stored, policy: policy.policy }));
  const away = createGuard({
    redis: server.url,
    counters: "redis://127.0.0.1:1",
    app: "shop",
    log: () => {},
  });
  try {
    await away.ready();
    const explanation = await away.explain({ ip: "192.0.2.60" });
    expect(explanation).toMatchObject({
      outcome: "throttled",
      status: 429,
      by: { kind: "rule", rule: "login" },
    });
    expect(explanation.says).toBe("192.0.2.60 is throttled (429) by rule login.");
    expect(explanation.steps.at(-1)?.says).toMatch(
      /^Counters cannot be read: .* login denies by its onStoreError\.$/,
    );
  } finally {
    await away.close();
  }
});
