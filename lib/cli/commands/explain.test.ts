import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { mmdb } from "../../observe/networks/vitest.mmdb.ts";
import { connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run, secret } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
});

async function save(rules: readonly object[]): Promise<void> {
  const redis = connectControl(server.url, "patiently");
  const { version } = await readPolicy(redis);
  const actor = { name: "ada@example.org", via: "console" };
  const policy = { mode: "enforce", rules, tiers: {} };
  await setPolicy({ redis, actor, seal: sealFrom(secret) }, { policy, basedOn: version, reason: "a test" });
  redis.disconnect();
}

const explain = (ip: string, ...more: string[]) => run(["explain", ip, ...more], { redisUrl: server.url });

it("explains that a client on no list passes", async () => {
  const { exit, stdout } = await explain("::ffff:1.2.3.4");
  expect(exit).toBe(0);
  expect(stdout).toContain("1.2.3.4 passes: nothing stops it.");
  expect(stdout).not.toMatch(/^>/m);
});

it("prints the network of the address, and says without data that it is unknown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-explain-"));
  const file = join(folder, "networks.mmdb");
  const record = {
    country_code: "DE",
    autonomous_system_number: 64500,
    autonomous_system_organization: "Example",
  };
  writeFileSync(file, mmdb([["0.0.0.0/0", record]]));
  const { stdout } = await run(["explain", "1.2.3.4"], { redisUrl: server.url, environment: { mmdb: file } });
  expect(stdout).toContain("\nNetwork: AS64500 Example · DE.\n");
  const json = JSON.parse(
    (await run(["explain", "1.2.3.4", "--json"], { redisUrl: server.url, environment: { mmdb: file } }))
      .stdout,
  );
  expect(json.network).toMatchObject({ asn: 64500, country: "DE" });
  expect((await explain("203.0.113.9")).stdout).toContain("\nNetwork: documentation range.\n");
  rmSync(folder, { recursive: true });
});

it("marks the deciding step, and shows its expiry", async () => {
  await server.client.setex("blocklist:203.0.113.0/24", 604_800, "scanner");
  const { stdout } = await explain("203.0.113.9");
  expect(stdout).toContain("203.0.113.9 is blocked (403) by blocklist entry 203.0.113.0/24.");
  expect(stdout).toMatch(
    /^> blocklist {2}203\.0\.113\.0\/24 is on the blocklist \(scanner\): it is blocked\.$/m,
  );
  expect(stdout).toMatch(/203\.0\.113\.0\/24: until .* UTC \(1w\)/);
  expect(stdout).toMatch(
    /^ {2}rules {6}Not reached\. What they have counted:\n {13}req\/ip\/1: 0 of 300 per 5 min for 203\.0\.113\.9\.$/m,
  );
  await server.client.set("safelist:203.0.113.9", "{}");
  expect((await explain("203.0.113.9")).stdout).toMatch(
    /always passes by safelist entry 203\.0\.113\.9\.$[\s\S]*^> safelist /m,
  );
});

it("names the rule that denies, and its level if it has several", async () => {
  const level = (limit: number, periodSeconds: number) => ({ limit, periodSeconds });
  const rule = (levels: object[]) => ({ name: "req/ip/2", client: "ip", algorithm: "first-hit", levels });
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  const deniedBy = (name: string) =>
    eventually(async () => expect((await guard.check({ ip: "203.0.113.77" })).rule).toBe(name));
  await save([rule([level(1, 3_600)])]);
  await deniedBy("req/ip/2");
  const { stdout } = await explain("203.0.113.77");
  expect(stdout).toContain("203.0.113.77 is throttled (429) by rule req/ip/2.\n");
  await save([rule([level(1, 60), level(2, 3_600)])]);
  await deniedBy("req/ip/2/60");
  expect((await explain("203.0.113.77")).stdout).toMatch(
    /is throttled \(429\) by rule req\/ip\/2, level 1 min\.\n/,
  );
  await guard.close();
});

it("finds the counters of a header's value, which Redis holds only as a digest", async () => {
  const levels = [{ limit: 5, periodSeconds: 3_600 }];
  const key = { header: "x-api-key" };
  const rule = (name: string, client: unknown) => ({ name, client, algorithm: "first-hit", levels });
  await save([rule("key", key), rule("both", { all: ["ip", key] })]);
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  await guard.check({ ip: "203.0.113.9", headers: { "x-api-key": "sk_live_1" } });
  await guard.close();
  const alone = await run(["explain", "--value", "-"], { redisUrl: server.url, stdin: "sk_live_1\n" });
  expect(alone.stdout).toMatch(/^key: 1 of 5 per 1 h for x-api-key:hmac-[0-9a-f]{32}\.\n$/);
  const { stdout } = await explain("203.0.113.9", "--value", "sk_live_1");
  expect(stdout).toMatch(/key: 1 of 5 per 1 h for x-api-key:hmac-[0-9a-f]{32}\.$/m);
  expect(stdout).toMatch(/both: 1 of 5 per 1 h for 203\.0\.113\.9\|x-api-key:hmac-[0-9a-f]{32}\.$/m);
  expect(stdout).not.toContain("sk_live_1");
  expect((await run(["explain"], { redisUrl: server.url })).stderr).toContain("An argument is missing");
});

it("explains rules that match user agents, headers, countries and verified bots", async () => {
  const redis = connectControl(server.url, "patiently");
  const deny = (name: string, match: object) => ({ name, action: "deny", match });
  const requestRules = [
    deny("agents", { userAgents: ["scanner"] }),
    deny("headers", { headers: [{ name: "x-api-version", is: ["1"] }] }),
    deny("countries", { countries: ["DE"] }),
    deny("bots", { verifiedBot: true }),
  ];
  const policy = { mode: "enforce", rules: [], tiers: {}, requestRules };
  const actor = { name: "ada@example.org", via: "console" };
  await setPolicy({ redis, actor, seal: sealFrom(secret) }, { policy, basedOn: 0, reason: "a test" });
  redis.disconnect();
  const by = async (...more: string[]) =>
    (await explain("203.0.113.9", ...more)).stdout.match(/^203\.0\.113\.9 .*/)?.[0];
  expect(await by()).toBe("203.0.113.9 passes: nothing stops it.");
  expect(await by("--user-agent", "Scanner/2.0")).toBe("203.0.113.9 is blocked (403) by rule agents.");
  expect(await by("--header", "X-Api-Version: 1")).toBe("203.0.113.9 is blocked (403) by rule headers.");
  expect(await by("--header", "X-Api-Version: 2")).toBe("203.0.113.9 passes: nothing stops it.");
  expect(await by("--country", "de")).toBe("203.0.113.9 is blocked (403) by rule countries.");
  expect(await by("--verified-bot", "yes")).toBe("203.0.113.9 is blocked (403) by rule bots.");
  expect(await by("--verified-bot", "no")).toBe("203.0.113.9 passes: nothing stops it.");
  for (const wrong of [
    ["--header", "X"],
    ["--country", "Germany"],
    ["--verified-bot", "maybe"],
  ])
    expect((await explain("203.0.113.9", ...wrong)).stderr).toContain(`${wrong[0]}: write`);
});

it("says how far each rule with slack may be exceeded, and by how much it was", async () => {
  await server.client.set("customer:1042:tier_redis", "pro");
  const bucket = `sluice:series:60:${Math.floor(Date.now() / 60_000)}`;
  await server.client.hset(bucket, "shop\0over req/ip/2", 12, "docs\0over req/ip/2", 1);
  for (const id of ["a", "b"]) await server.client.zadd("sluice:nodes", Date.now(), id);
  const { stdout } = await explain("203.0.113.9");
  expect(stdout.split("\n").filter((line) => line.includes("Slack"))).toEqual([
    `${" ".repeat(13)}Slack of req/ip/1 is 10%: up to 30 of 300 more, with 2 nodes. In the last hour, 0 passed above its limit.`,
    `${" ".repeat(13)}Slack of req/ip/2 is 10%: up to 60 of 600 more, with 2 nodes. In the last hour, 13 passed above its limit.`,
    `${" ".repeat(13)}Slack of rate/ip is 10%: up to 86 requests more at once, with 2 nodes. In the last hour, 0 passed above its limit.`,
  ]);
  const step = JSON.parse((await explain("203.0.113.9", "--json")).stdout).steps.at(-1);
  expect(step.slack).toMatchObject([{ rule: "req/ip/1", over: 0 }, { rule: "req/ip/2", over: 13 }, {}]);
  const asCustomer = (await explain("203.0.113.9", "--customer", "1042")).stdout;
  expect(asCustomer.match(/Slack of \S+/g)).toEqual(["Slack of rate/ip"]);
});

it("says the slack of a tier's limits in the numbers of the customer", async () => {
  const level = (limit: number, periodSeconds: number) => ({ limit, periodSeconds });
  const redis = connectControl(server.url, "patiently");
  const actor = { name: "ada@example.org", via: "console" };
  const rule = { name: "plan", client: "customer", algorithm: "fixed", levels: "tier", slack: 0.5 };
  const tiers = { pro: { levels: [level(100, 60), level(8, 1)] } };
  const policy = { mode: "enforce", rules: [rule], tiers };
  await setPolicy({ redis, actor, seal: sealFrom(secret) }, { policy, basedOn: 0, reason: "a test" });
  redis.disconnect();
  await server.client.set("customer:1042:tier_redis", "pro");
  const { stdout } = await explain("203.0.113.9", "--customer", "1042");
  expect(stdout).toContain(
    "Slack of plan is 50%: up to 50 of 100 more and none of 8 (too few to divide), with 1 node.",
  );
});

it("shows an entry that is not enforced, and why, also as JSON", async () => {
  await server.client.set("blocklist:0.0.0.0/0", "all");
  expect((await explain("1.2.3.4")).stdout).toContain("but is not enforced: it is wider than /16.");
  const { stdout } = await explain("1.2.3.4", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ client: "1.2.3.4", outcome: "pass", status: 200 },
    steps: [
      { step: "client" },
      { step: "safelist" },
      { step: "blocklist", entries: [{ address: "0.0.0.0/0" }] },
      {
        step: "rules",
        rules: [{ name: "req/ip/1", used: 0, limit: 300 }, { name: "req/ip/2" }, { name: "rate/ip" }],
      },
    ],
  });
});

it("tells a forbidden command apart from an unreachable Redis", async () => {
  await server.client.call("ACL", "SETUSER", "blind", "on", ">pw", "+time");
  const redisUrl = server.url.replace("//", "//blind:pw@");
  const { exit, stderr } = await run(["explain", "1.2.3.4"], { redisUrl });
  expect(exit).toBe(1);
  expect(stderr).toContain("The Redis user may not do this");
});
