import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hitterText } from "../../enforce/stats/fields.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;
const folder = mkdtempSync(join(tmpdir(), "sluice-overrides-"));

beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
beforeEach(() => server.client.flushall());

const sluice = (line: string) => run(line.split(" "), { redisUrl: server.url });

it("gives a pattern limits, lists and shows them, names them for a customer, and removes them", async () => {
  expect((await sluice("override list")).stdout).toBe("No overrides of groups or patterns.\n");
  const set = await sluice("override set premium_* 20000/1h --reason launch");
  expect([set.exit, set.stderr]).toEqual([0, ""]);
  expect(set.stdout).toContain("The pattern premium_* has 20,000 per 1 h, without expiry.");
  expect((await sluice("override list")).stdout).toMatch(
    /premium_\* +by id +20,000 per 1 h +without expiry +never used/,
  );
  await server.client.hset(keys.sharedOverrideUses(), "premium_*", Date.now() - 200_000);
  expect((await sluice("override list")).stdout).toMatch(/last used 3 min ago/);
  expect((await sluice("customer show premium_1")).stdout).toContain(
    "In force: 20,000 per 1 h by pattern premium_*.",
  );
  expect((await sluice("explain 203.0.113.4 --customer premium_1")).stdout).toContain(
    "Customer premium_1 has 20,000 per 1 h by pattern premium_*.",
  );
  expect((await sluice("override set premium_* 20000/1h")).stdout).toContain("Nothing changed.");
  expect((await sluice("override remove premium_*")).stdout).toContain(
    "The override of pattern premium_* is removed.",
  );
  expect((await sluice("undo 2")).exit).toBe(0);
  expect((await sluice("override show premium_*")).stdout).toContain("(launch)");
});

it("keeps the customers of a group: from a file, and one by one", async () => {
  const file = join(folder, "beta.txt");
  writeFileSync(file, "globex\nacme\n");
  const set = await sluice(`override set beta --tier pro --customers ${file} --expires 7d`);
  expect(set.stdout).toMatch(/The group beta has limits of tier pro, .*, 2 customers\./);
  await sluice("override set beta --with initech --without globex");
  const shown = JSON.parse((await sluice("override show beta --json")).stdout);
  expect(shown).toMatchObject({ name: "beta", tier: "pro", customers: ["acme", "initech"], usedAt: null });
  expect(Date.parse(shown.expiresAt)).toBeGreaterThan(Date.now());
  expect((await sluice("customer show acme")).stdout).toContain(", those of tier pro, by group beta.");
  const refused = await sluice("override set beta --tier gold");
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('no tier "gold"')]);
});

it("shows before saving who gets the limits, and who of the last hour would have been denied", async () => {
  const minute = Math.floor(Date.now() / 60_000) - 1;
  await server.client.sadd(keys.activeApps(minute), "shop");
  const counts = { premium_1: 500, premium_2: 20, premium_3: 900, other: 5_000 };
  for (const [id, count] of Object.entries(counts))
    await server.client.zadd(keys.hitters("all", "shop", minute), count, hitterText("customer", id));
  await sluice("customer tier premium_9 pro");
  await sluice("customer limit premium_3 9000/60s");
  const { stdout, exit } = await sluice("override set premium_* 100/60s 100000/1d --dry-run");
  expect(exit).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "Nothing was written.",
    "4 known customers match. 1 of them have an override that wins over it.",
    "3 of them sent requests in the last hour. 1 would have been denied.",
    "  premium_1: 500 requests in 1 min, of 100",
    "Not judged, because its period is longer than an hour: 100,000 per 1 day.",
    "",
  ]);
  expect(await server.client.exists(keys.sharedOverrides())).toBe(0);
});

it("is not saved beside an older node unless told so", async () => {
  await server.client.zadd(keys.nodes(), 1, "old");
  await server.client.hset(keys.node("old"), { id: "old", policyFormat: "6", host: "web-1" });
  const refused = await sluice("override set premium_* 1/1h");
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining("Node old (host web-1)")]);
  const saved = await sluice("override set premium_* 1/1h --even-with-old-nodes");
  expect(saved.exit).toBe(0);
  expect((await sluice("override list")).stderr).toContain("Nodes of an older version ignore them: old.");
});
