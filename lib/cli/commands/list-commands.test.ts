import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { heartbeat } from "../../enforce/stats/membership.ts";
import { sendReport } from "../../enforce/stats/report.ts";
import { connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;
let folder: string;

beforeAll(async () => {
  server = await startRedis();
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await server.client.flushall();
});

const sluice = (line: string, around = {}) => run(line.split(" "), { redisUrl: server.url, ...around });
const json = async (line: string) => JSON.parse((await sluice(`${line} --json`)).stdout);
const lastAudit = async () => {
  const [[, fields] = ["", []]] = await server.client.xrevrange("sluice:audit", "+", "-", "COUNT", 1);
  return JSON.parse(fields[1] ?? "null");
};

describe.each([
  ["block", "blocklist"],
  ["safelist", "safelist"],
])("sluice %s", (word, list) => {
  it("adds for a week, and reports the expiry", async () => {
    const { exit, stdout } = await sluice(`${word} add 203.0.113.9 2001:DB8::/64 --reason x`);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`203.0.113.9 is on the ${list} until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC \\(1w\\)\\.`),
    );
    expect(stdout).toContain("Change 1: no node is running");
    expect(await server.client.ttl(`${list}:203.0.113.9`)).toBeGreaterThan(604_790);
    expect(await server.client.exists(`${list}:2001:db8::/64`)).toBe(1);
    expect(await lastAudit()).toMatchObject({ action: `${list}.add`, reason: "x", via: "cli" });
    expect((await lastAudit()).actor).toMatch(/^cli:.+/);
  });

  it("adds and removes tags, and lists entries by one", async () => {
    await sluice(`${word} add 203.0.113.9 --tag Bot,asn:64500 --tag b`);
    await sluice(`${word} add 203.0.113.10`);
    const { stdout } = await sluice(`${word} tag 203.0.113.9 203.0.113.10 --tag new --untag b`);
    expect(stdout).toContain("203.0.113.9 is tagged asn:64500 bot new.");
    expect(await lastAudit()).toMatchObject({ action: `${list}.tag` });
    const { entries } = await json(`${word} list --tag bot`);
    expect(entries).toMatchObject([{ address: "203.0.113.9", tags: ["asn:64500", "bot", "new"] }]);
    expect((await sluice(`${word} list --tag new`)).stdout).toContain(
      `2 entries on the ${list} with the tag new.`,
    );
    const absent = await sluice(`${word} tag 203.0.113.11 --tag x`);
    expect([absent.exit, absent.stderr]).toEqual([1, expect.stringContaining("so it has no tags.")]);
    expect((await sluice(`${word} list --tag a,b`)).stderr).toContain("give one tag");
    expect((await sluice(`${word} tag 203.0.113.9`)).stderr).toContain("Give a tag to add or to remove.");
    expect((await sluice(`${word} add 203.0.113.9 --tag no!`)).stderr).toContain('--tag: "no!" is not a tag');
  });

  it("extends and removes all with a tag, each in one record with one undo", async () => {
    await sluice(`${word} add 203.0.113.9 203.0.113.10 --ttl 1h --tag bot`);
    await sluice(`${word} add 203.0.113.11 --ttl 1h`);
    const { stdout } = await sluice(`${word} extend --tag bot --ttl 24h`);
    expect(stdout).toContain("2 of 2 entries with the tag bot extended.");
    expect(await server.client.ttl(`${list}:203.0.113.10`)).toBeGreaterThan(86_400);
    expect(await server.client.ttl(`${list}:203.0.113.11`)).toBeLessThanOrEqual(3_600);
    const counted = await sluice(`${word} remove --tag bot --dry-run`);
    expect(counted.stdout).toContain(`2 entries on the ${list} with the tag bot. Nothing was written.`);
    expect(await server.client.exists(`${list}:203.0.113.9`)).toBe(1);
    const removed = await json(`${word} remove --tag bot --reason over`);
    expect(removed).toMatchObject({ wanted: 2, done: 2, record: 4 });
    expect(await server.client.keys(`${list}:*`)).toEqual([`${list}:203.0.113.11`]);
    expect((await sluice("undo 4")).exit).toBe(0);
    expect(await server.client.keys(`${list}:*`)).toHaveLength(3);
    for (const line of [`${word} remove`, `${word} remove 203.0.113.9 --tag bot`, `${word} extend --dry-run`])
      expect((await sluice(line)).stderr).toContain("Give either addresses or --tag.");
    expect((await sluice([`${word}`, "remove", "--tag", ""].join(" "))).exit).not.toBe(0);
    expect(await server.client.keys(`${list}:*`)).toHaveLength(3);
  });

  it("extends, keeps, and shortens only with --force", async () => {
    await sluice(`${word} add 203.0.113.9 --ttl 1h`);
    expect((await json(`${word} add 203.0.113.9 --ttl 24h`)).outcomes[0].outcome).toBe("extended");
    expect((await sluice(`${word} add 203.0.113.9 --ttl 90s`)).stdout).toContain("Nothing changed");
    expect((await json(`${word} add 203.0.113.9 --ttl 90s --force`)).outcomes[0].outcome).toBe("shortened");
    expect((await sluice(`${word} extend 203.0.113.9 --ttl never`)).stdout).toContain("without expiry");
    expect(await server.client.ttl(`${list}:203.0.113.9`)).toBe(-1);
  });

  it("shows how many requests each entry decided, and a dash where that is unknown", async () => {
    await sluice(`${word} add 203.0.113.9 203.0.113.10 --ttl 1h`);
    expect((await sluice(`${word} list`)).stdout).toMatch(/203\.0\.113\.9 .* - {2,}- /);
    const outcome = word === "block" ? "blocked" : "safelisted";
    const entries = { blocklist: [], safelist: [], [list]: [["203.0.113.9", 1_204]] };
    const report = { counts: new Map([[outcome, 1_204]]), hitters: [], seen: [], entries };
    const redis = connectControl(server.url, "patiently");
    await sendReport(redis, { app: "shop", node: "n", report, nowMs: Date.now() });
    redis.disconnect();
    expect((await sluice(`${word} list --search 203.0.113.9`)).stdout).toMatch(/ 1204 +1204 /);
    expect(await json(`${word} list`)).toMatchObject({
      entries: [{ hits: { hour: 1_204, day: 1_204 } }, { hits: { hour: 0, day: 0 } }],
    });
  });

  it("removes, names ranges that still cover, and accepts absent addresses", async () => {
    await sluice(`${word} add 203.0.113.9 203.0.113.0/24`);
    const { exit, stdout } = await sluice(`${word} remove 203.0.113.9 8.8.8.8 --reason mistake`);
    expect(exit).toBe(0);
    expect(stdout).toContain(
      `203.0.113.9 is removed from the ${list}. It is still covered by 203.0.113.0/24.`,
    );
    expect(stdout).toContain(`8.8.8.8 has no entry of its own on the ${list}`);
    expect(await server.client.exists(`${list}:203.0.113.9`)).toBe(0);
  });

  it("does not extend an absent entry", async () => {
    const { exit, stderr } = await sluice(`${word} extend 8.8.8.8`);
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: `8.8.8.8 is not on the ${list}, so it cannot be extended.\n`,
    });
    expect(await json(`${word} extend 8.8.8.8`)).toMatchObject({
      change: null,
      error: { code: "not-found" },
    });
  });

  it("lists in order, up to a limit, and finds the entries that cover an address", async () => {
    await sluice(`${word} add 203.0.113.9 9.9.9.9 203.0.113.0/24 ::1:2:3 --ttl never`);
    const all = await json(`${word} list`);
    expect(all).toMatchObject({ list, more: false });
    expect(all.entries.map((entry: { address: string }) => entry.address)).toEqual([
      ...["9.9.9.9", "203.0.113.0/24", "203.0.113.9", "::1:2:3"],
    ]);
    expect(await json(`${word} list --limit 2`)).toMatchObject({ more: true, entries: [{}, {}] });
    const found = await json(`${word} list --search 203.0.113.77`);
    expect(found).toMatchObject({
      entries: [{ address: "203.0.113.0/24", expiresAt: null }],
      decisive: { list },
    });
    expect((await sluice(`${word} list --search 203.0.112.0/23`)).stdout).toContain("203.0.113.9 ");
  });

  it("exports a file that import reads", async () => {
    await sluice(`${word} add 203.0.113.9 198.51.100.0/24 --ttl 24h --reason a,b`);
    const file = join(folder, `${list}.csv`);
    expect((await sluice(`${word} export ${file}`)).stdout).toContain("2 entries");
    // Redis says how long an entry has left, so that the moment of its end may differ by a millisecond.
    const timeless = (text: string) => text.replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, "a time");
    const { exit, stdout } = await sluice(`${word} export`);
    expect([exit, timeless(stdout)]).toEqual([0, timeless(await readFile(file, "utf8"))]);
    expect((await json(`${word} export`)).entries).toHaveLength(2);
    await server.client.flushall();
    expect((await json(`${word} export`)).entries).toEqual([]);
    expect((await sluice(`${word} import ${file}`)).stdout).toContain("2 added");
    expect(await sluice(`${word} export`).then(({ stdout }) => stdout)).toContain('"a,b"');
  });
});

describe("what is refused", () => {
  it("names every address that cannot be read, and changes nothing", async () => {
    const { exit, stderr } = await sluice("block add 9.9.9.9 300.1.1.1 1.2.3.4/24");
    expect(exit).toBe(1);
    expect(stderr).toContain("300.1.1.1 is not an IPv4 address: each part is at most 255.");
    expect(stderr).toContain("the range is 1.2.3.0/24");
    expect(await server.client.keys("*")).toEqual([]);
    const { error } = await json("block add 9.9.9.9 300.1.1.1 1.2.3.4/24");
    expect(Object.keys(error.fields)).toEqual(["address 2", "address 3"]);
  });

  it.each([
    ["block add 1.2.3.4 --ttl soon", "ttl"],
    ["block add 1.2.3.4 --ttl 11y", "ttl"],
    ["block extend 1.2.3.4 --ttl 2030-99-99", "ttl"],
    ["block add 1.2.3.4 --confirm x", "confirm"],
    ["block list --search junk", "search"],
    ["block list --limit 0", "limit"],
    ["explain 10.0.0.0/8", "ip"],
    ["never-block add 1.2.3.4.5", "range"],
    ["never-block add 0.0.0.0/1", "range"],
    ["block import /nowhere/at/all", "file"],
    ["block export /nowhere/at/all", "file"],
    ["block export /dev/null", "file"],
    ["block list --redis nonsense", "REDIS_URL"],
  ])("%s: the field is named", async (line, field) => {
    const { exit, stdout } = await sluice(`${line} --json`);
    expect(exit).toBe(1);
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe("bad-input");
    expect(Object.keys(error.fields)).toEqual([field]);
  });

  it("is an address under lockout protection, while the others are added", async () => {
    const environment = { trustedProxies: "10.9.0.0/24", neverBlock: "198.51.100.7" };
    await sluice("never-block add 192.0.2.0/24 --reason office");
    const { exit, stdout, stderr } = await sluice(
      "block add 203.0.113.9 127.0.0.1 10.9.0.5 198.51.100.7 192.0.2.1 9.0.0.0/8 10.16.0.0/20",
      { environment },
    );
    expect(exit).toBe(1);
    expect(stdout).toContain("203.0.113.9 is on the blocklist");
    expect(stderr).toMatch(
      /loopback[\s\S]*trusted proxy[\s\S]*SLUICE_NEVER_BLOCK[\s\S]*office[\s\S]*wider than \/16[\s\S]*--confirm 10\.16\.0\.0\/20/,
    );
    expect(await server.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.9"]);
    expect((await sluice("block add 10.16.0.0/20 --confirm 10.16.0.0/20")).exit).toBe(0);
  });

  it("is any change without the secret, while reading works", async () => {
    const environment = { secret: undefined };
    const { exit, stderr } = await sluice("block add 1.2.3.4", { environment });
    expect(exit).toBe(1);
    expect(stderr).toContain("NEXTAUTH_SECRET is not set");
    expect((await sluice("block list", { environment })).exit).toBe(0);
    expect(await server.client.keys("*")).toEqual([]);
  });

  it("is every command without REDIS_URL", async () => {
    const { exit, stderr } = await run(["block", "list"], {});
    expect(exit).toBe(1);
    expect(stderr).toContain("REDIS_URL is not set");
  });
});

it("protects ranges, lists them with those of the environment, and removes the protection", async () => {
  await sluice("never-block add 192.0.2.0/24 --reason office");
  const { stdout } = await sluice("never-block list", { environment: { neverBlock: "198.51.100.7" } });
  expect(stdout).toMatch(/192\.0\.2\.0\/24 .*office/);
  expect(stdout).toContain("198.51.100.7");
  expect((await json("never-block add 192.0.2.0/24")).outcome).toBe("kept");
  expect(await json("never-block remove 192.0.2.0/24")).toMatchObject({ outcome: "removed", change: 2 });
  expect(await json("never-block remove 192.0.2.0/24")).toMatchObject({ outcome: "absent", change: null });
});

it("waits until the nodes have applied a change, and names one that lags", async () => {
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  const patiently = { appliedWithinMs: 10_000 };
  await sluice("block add 203.0.113.8", patiently);
  expect((await sluice("block add 203.0.113.9", patiently)).stdout).toMatch(
    /Change 2: applied on 1 of 1 node in \d+ ms\./,
  );
  expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
  const stuck = { id: "stuck@there", app: "shop", version: "0", host: "there", startedAt: 0, change: 1 };
  await heartbeat(server.client, {
    ...stuck,
    replicaAgeMs: 0,
    safelisted: 0,
    blocklisted: 0,
    unknownClients: 0,
  });
  const { exit, stdout } = await sluice("block remove 203.0.113.9", { appliedWithinMs: 3_000 });
  expect(exit).toBe(0);
  expect(stdout).toContain("Change 3: applied on 1 of 2 nodes. Still waiting for stuck@there.");
  await guard.close();
});

it("prints untrusted text harmlessly, flags entries that are not enforced, and leaves no partial file", async () => {
  await server.client.set("blocklist:0.0.0.0/0", "\u001b[2Jred\u202e");
  const safe = "<U+001B>[2Jred<U+202E>";
  expect((await sluice("block list")).stdout).toMatch(/0\.0\.0\.0\/0 .*NOT ENFORCED, it is wider than \/16/);
  for (const line of ["block list", "block list --search 1.2.3.4", "explain 1.2.3.4"]) {
    expect((await sluice(line)).stdout).toContain(safe);
  }
  expect((await sluice("block export", { isTTY: true })).stdout).toContain(safe);
  expect((await sluice("block export --json")).stdout).toContain("\\u001b[2Jred\\u202e");
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
});
