import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { protectedRanges } from "@/lib/enforce/lists/protected.ts";
import { isCanonical } from "@/lib/ip/parse.ts";
import { sealFrom } from "@/lib/manage/audit/seal.ts";
import { addEntries } from "@/lib/manage/lists/add.ts";
import { type Connection, connectControl } from "@/lib/redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";

let server: TestRedis;
let redis: Connection;
let guard: Guard;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
});

afterAll(async () => {
  await guard.close();
  redis.disconnect();
  await server.stop();
});

/** What somebody would type in a Rails console, run by the real gem. */
function ruby(line: string): string {
  const script = `require "redis"; REDIS = Redis.new(url: ARGV[0]); puts((${line}).inspect)`;
  return execFileSync("ruby", ["-e", script, server.url], { encoding: "utf8" }).trim();
}

const becomes = (ip: string, outcome: string) =>
  eventually(async () => expect((await guard.check({ ip })).outcome).toBe(outcome));

it("enforces what a Rails console writes, and frees what it deletes", async () => {
  ruby('REDIS.setex("blocklist:203.0.113.9", 7 * 24 * 3600, "scraper seen in the logs")');
  await becomes("203.0.113.9", "blocked");
  const { steps } = await guard.explain({ ip: "203.0.113.9" });
  expect(steps.find(({ decides }) => decides)?.says).toContain("scraper seen in the logs");
  ruby('REDIS.set("safelist:203.0.113.0/24", "")');
  await becomes("203.0.113.9", "safelisted");
  ruby('REDIS.del("safelist:203.0.113.0/24", "blocklist:203.0.113.9")');
  await becomes("203.0.113.9", "pass");
});

it("writes entries that a Rails app's own check finds", async () => {
  const context = {
    redis,
    actor: { name: "oncall@example.com", via: "cli" },
    seal: sealFrom("a secret of at least thirty-two characters"),
    protectedRanges: protectedRanges({}),
  };
  const addresses = ["203.0.113.10"].filter(isCanonical);
  await addEntries(context, { list: "blocklist", addresses, ttlMs: 3_600_000, reason: "scraper" });
  expect(ruby('REDIS.exists?("blocklist:203.0.113.10")')).toBe("true");
  expect(Number(ruby('REDIS.ttl("blocklist:203.0.113.10")'))).toBeGreaterThan(3_500);
});
