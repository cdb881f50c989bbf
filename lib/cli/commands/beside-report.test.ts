import { afterAll, beforeAll, expect, it } from "vitest";
import { type Difference, sendBeside } from "../../enforce/beside/differences.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice } from "../testing.ts";

let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const run = (...argv: string[]) => sluice(["beside", "report", ...argv], { redisUrl: redis.url });

const hourMs = 3_600_000;
const difference: Difference = {
  at: Date.now(),
  app: "shop",
  method: "POST",
  path: "/login",
  ip: "203.0.113.9",
  deniedBy: "sluice",
  reason: "limit",
  rule: "login",
  says: "The limits differ: 10 and 5.",
  old: { isDenied: false },
  levels: [],
};

const report = (app: string, counts: Record<string, number>, atMs: number, examples: Difference[] = []) =>
  sendBeside(redis.client, app, { counts: new Map(Object.entries(counts)), examples }, atMs);

it("says that nothing was compared, and how to begin", async () => {
  const { exit, stdout } = await run();
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/^No request was compared since .* UTC\. See createBeside of sluice\/beside\.\n$/),
  ]);
});

it("shows counts by reason with examples, for each app, as far back as asked", async () => {
  const now = Date.now();
  await report("api", { same: 3 }, now);
  await report("shop", { same: 1_000, "sluice limit login": 2, "old no-rule ": 1 }, now, [difference]);
  await report("shop", { same: 1, "sluice limit login": 3 }, now - 5 * hourMs);
  await report("gone", { same: 1 }, now - 300 * hourMs);
  const { stdout } = await run();
  expect(stdout.split("\n")).toEqual([
    "api: 3 compared, all decided the same.",
    "",
    "shop: 1,007 compared, 6 decided differently.",
    "  DENIED BY         REASON   RULE   REQUESTS",
    "  Sluice only       limit    login  5",
    "  old limiter only  no-rule  -      1",
    "",
    expect.stringMatching(
      /^ {2}\S+Z POST \/login from 203\.0\.113\.9: denied by Sluice only\. limit: The limits differ: 10 and 5\.$/,
    ),
    "",
  ]);
  const { stdout: lately } = await run("--app", "shop", "--since", "1h", "--json");
  const { apps } = JSON.parse(lately);
  expect(apps).toMatchObject([{ app: "shop", compared: 1_003, different: 3, examples: [difference] }]);
});

it("survives what another program wrote there", async () => {
  await redis.client.xadd("sluice:beside:examples:limit:odd", "*", "difference", "{");
  await report("odd", { same: 1, "sluice limit x": 1, nonsense: 1 }, Date.now());
  const { exit, stdout } = await run("--app", "odd");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("odd: 2 compared, 1 decided differently.")]);
});

it("refuses a time that it cannot read", async () => {
  const { exit, stderr } = await run("--since", "yesterday");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("--since: ")]);
});
