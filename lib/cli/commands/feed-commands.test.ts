import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;
const folder = mkdtempSync(join(tmpdir(), "sluice-feeds-"));

beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
beforeEach(() => server.client.flushall());

const sluice = (line: string) =>
  run(line.split(" "), { redisUrl: server.url, environment: { feedFiles: folder } });

function file(text: string): string {
  writeFileSync(join(folder, "list.txt"), text);
  return `file://${join(folder, "list.txt")}`;
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `203.0.113.${2 * i}`).join("\n");

it("adds, lists, shows, switches, refreshes and removes a feed", async () => {
  expect((await sluice("feed list")).stdout).toBe("No feeds.\n");
  const added = await sluice(`feed add scanners ${file(lines(10))}`);
  expect([added.exit, added.stderr]).toEqual([0, ""]);
  expect(added.stdout).toMatch(/added to the blocklist, in shadow.*\n.*10 ranges, \+10 \/ -0/);
  expect((await sluice("feed list")).stdout).toMatch(/scanners +blocklist, shadow +10 ranges +in sync/);
  expect((await sluice("explain 203.0.113.4")).stdout).toContain("The blocklist feed scanners has it");
  expect((await sluice("feed enforce scanners")).stdout).toContain("enforce scanners");
  expect((await sluice("explain 203.0.113.4")).stdout).toContain(
    "203.0.113.4 is blocked (403) by blocklist feed scanners (203.0.113.4)",
  );
  file(lines(12));
  expect((await sluice("feed refresh")).stdout).toContain("12 ranges, +2 / -0");
  expect((await sluice("feed show scanners")).stdout).toMatch(/12 IPv4 and 0 IPv6 ranges/);
  expect((await sluice("feed pause scanners")).exit).toBe(0);
  expect((await sluice("feed pause scanners")).stdout).toContain("Nothing changed");
  expect((await sluice("explain 203.0.113.4")).stdout).toContain("passes");
  expect((await sluice("feed remove scanners")).stdout).toContain("is removed");
  expect((await sluice("feed list")).stdout).toBe("No feeds.\n");
});

it("asks for a decision about a large change", async () => {
  await sluice(`feed add scanners ${file(lines(10))} --mode enforce`);
  expect((await sluice("feed accept scanners")).exit).toBe(1);
  file(lines(40));
  expect((await sluice("feed refresh scanners")).stdout).toContain("sluice feed accept scanners");
  expect((await sluice("feed list")).stdout).toContain("waits for a decision");
  expect((await sluice("feed accept scanners")).stdout).toContain("40 ranges are in force");
  file("");
  await sluice("feed refresh scanners");
  expect((await sluice("feed keep scanners")).stdout).toContain("not accepted");
  expect((await sluice("feed show scanners")).stdout).toContain("40 IPv4");
});

it.each([
  "feed add scanners http://feeds.example.org/list.txt",
  "feed add scanners file:///etc/hostname",
  "feed add scanners ftp://x",
  "feed add scanners AS0",
  "feed add scanners country:XYZ",
  "feed add scanners https://user:password@feeds.example.org/",
  "feed add scanners AS64500 --list customers",
  "feed add scanners AS64500 --every 1s",
  "feed show scanners",
  "feed remove scanners",
])("refuses %s", async (line) => {
  const { exit } = await sluice(line);
  expect(exit).toBe(1);
});
