import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { sendEvidence } from "../../enforce/stats/report.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
});

const sluice = (...argv: string[]) => run(argv, { redisUrl: server.url });

it("explains a denial by its reference, and refuses a wrong one", async () => {
  await server.client.set("blocklist:203.0.113.0/24", '{"reason":"scraper"}');
  const rotated = await sluice("reference-key", "rotate", "--reason", "the first");
  expect(rotated.stdout).toMatch(/^Nodes write references with key 1\. No earlier key is kept\./);
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  const reference = await eventually(async () => {
    const found = (await guard.check({ ip: "203.0.113.9" })).reference;
    if (found === undefined) throw new Error("There is no reference yet.");
    return found;
  });
  await guard.close();
  const { exit, stdout } = await sluice("explain", reference);
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    /^203\.0\.113\.9 was blocked in .* at \d{4}-.* UTC by blocklist entry 203\.0\.113\.0\/24\.\nIt still applies: /,
  );
  const asJson = JSON.parse((await sluice("explain", reference, "--json")).stdout);
  expect(asJson).toMatchObject({
    ...{ client: "203.0.113.9", outcome: "blocked", applies: true },
    by: { kind: "entry", address: "203.0.113.0/24" },
  });
  await server.client.del("blocklist:203.0.113.0/24");
  expect((await sluice("explain", reference.toUpperCase())).stdout).toMatch(/It no longer applies\./);
  const wrong = await sluice("explain", `${reference}0`);
  expect(wrong.exit).not.toBe(0);
  expect(wrong.stderr).toMatch(/A character of this reference is wrong or missing/);
});

it("searches the denial log, prints it as CSV, and sets how long it is kept", async () => {
  const sample = { method: "GET", host: "shop.example", userAgent: "test", standsFor: 1 };
  const [seconds = "0"] = await server.client.time();
  await sendEvidence(server.client, {
    ...{ app: "shop", node: "a", nowMs: Number(seconds) * 1_000 },
    seen: [
      { ...sample, ip: "203.0.113.9", path: "/a", outcome: "throttled", rule: "login", customerId: "acme" },
      {
        ...sample,
        ip: "198.51.100.7",
        path: "/b",
        outcome: "blocked",
        rule: "feed:scanners",
        customerId: "",
      },
    ],
    evidence: { denied: [], passed: [] },
  });
  const found = await sluice("denials", "--client", "203.0.113.0/24");
  expect(found.stdout).toMatch(/throttled {2}203\.0\.113\.9 {2}acme {6}login {2}shop {2}GET \/a/);
  expect(found.stdout).not.toContain("198.51.100.7");
  expect(found.stdout).toMatch(/2 denials of these hours are kept\.\n$/);
  const csv = await sluice("denials", "--outcome", "blocked", "--csv");
  expect(csv.stdout.split("\r\n")[1]).toMatch(/^\d{4}-.*,blocked,198\.51\.100\.7,,feed:scanners,shop,GET/);
  expect((await sluice("denials", "--outcome", "pass")).stderr).toContain("write blocked or throttled");

  expect((await sluice("denial-retention")).stdout).toBe("The denial log is kept for 3 days.\n");
  await sluice("denial-retention", "7", "--reason", "weekly review");
  expect((await sluice("denial-retention")).stdout).toBe("The denial log is kept for 7 days.\n");
  expect((await sluice("denial-retention", "0")).stderr).toContain("a whole number of days from 1 to 31");
});
