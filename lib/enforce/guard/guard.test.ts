import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listNodes } from "../../observe/stats/nodes.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";

let server: TestRedis;
let guard: Guard;
let lines: string[];

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
  lines = [];
  guard = createGuard({
    redis: server.url,
    app: "shop",
    trustedProxies: "10.9.0.0/24",
    neverBlock: ["198.51.100.7"],
    log: (line) => lines.push(line),
  });
  await guard.ready();
});

afterEach(() => guard.close());

const outcomeOf = async (ip: string) => (await guard.check({ ip })).outcome;
const becomes = (ip: string, outcome: string) =>
  eventually(async () => expect(await outcomeOf(ip)).toBe(outcome), 5_000);

describe("a ban that a node made", () => {
  const ban = (address: string, ms = 60_000) =>
    server.client.set(`sluice:live:ban:${address}`, "x", "PX", ms);

  it("blocks until it ends, and the safelist wins over it", async () => {
    await ban("203.0.113.9");
    await becomes("203.0.113.9", "blocked");
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({ rule: "blocklist:203.0.113.9" });
    await server.client.set("safelist:203.0.113.0/24", "{}");
    await becomes("203.0.113.9", "safelisted");
    await server.client.del("safelist:203.0.113.0/24");
    await becomes("203.0.113.9", "blocked");
    await ban("203.0.113.9", 300);
    await becomes("203.0.113.9", "pass");
  });

  it("blocks the network of an IPv6 client, and is found by a node that starts", async () => {
    await ban("2001:db8:1:2::/64");
    await becomes("2001:db8:1:2::9", "blocked");
    const other = createGuard({ redis: server.url, app: "other" });
    expect(await other.check({ ip: "2001:db8:1:2::9" })).toMatchObject({ outcome: "blocked" });
    await other.ready();
    expect(await other.check({ ip: "2001:db8:1:2::9" })).toMatchObject({ outcome: "blocked" });
    await other.close();
  });

  it("and an entry for the same address are two: each blocks without the other", async () => {
    await ban("203.0.113.9");
    await server.client.set("blocklist:203.0.113.9", "x");
    await becomes("203.0.113.9", "blocked");
    await server.client.del("sluice:live:ban:203.0.113.9");
    await server.client.set("blocklist:203.0.113.10", "x");
    await becomes("203.0.113.10", "blocked");
    expect(await outcomeOf("203.0.113.9")).toBe("blocked");
    await ban("203.0.113.9");
    await server.client.del("blocklist:203.0.113.9", "blocklist:203.0.113.10");
    await becomes("203.0.113.10", "pass");
    expect(await outcomeOf("203.0.113.9")).toBe("blocked");
  });

  it.each([
    ["a wide range", "203.0.0.0/16", "203.0.1.9"],
    ["a range wider than a rule counts", "203.0.112.0/23", "203.0.113.9"],
    ["a wide IPv6 range", "2001:db8::/32", "2001:db8::1"],
    ["a protected address", "198.51.100.7", "198.51.100.7"],
    ["a trusted proxy", "10.9.0.3", "10.9.0.3"],
  ])("is not enforced on what no rule can ban: %s", async (_, address, client) => {
    await ban(address);
    await ban("203.0.113.77");
    await becomes("203.0.113.77", "blocked");
    expect(await outcomeOf(client)).toBe("pass");
  });

  it("is not enforced without an end, or with one in twenty years", async () => {
    await server.client.set("sluice:live:ban:203.0.113.9", "x");
    await ban("203.0.113.10", 631_152_000_000);
    await ban("203.0.113.77");
    await becomes("203.0.113.77", "blocked");
    expect(await outcomeOf("203.0.113.9")).toBe("pass");
    expect(await outcomeOf("203.0.113.10")).toBe("pass");
  });
});

describe("an entry of any writer", () => {
  it("is enforced, and the safelist wins over it", async () => {
    await server.client.setex("blocklist:203.0.113.9", 604_800, "x");
    await becomes("203.0.113.9", "blocked");
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({
      status: 403,
      rule: "blocklist:203.0.113.9",
    });
    await server.client.set("safelist:203.0.113.0/24", "{}");
    await becomes("203.0.113.9", "safelisted");
    await server.client.del("safelist:203.0.113.0/24", "blocklist:203.0.113.9");
    await becomes("203.0.113.9", "pass");
  });

  it("is enforced in any spelling of the client's address", async () => {
    await server.client.set("blocklist:1.2.3.4", "x");
    await server.client.set("blocklist:2001:db8:1:2::/64", "x");
    await becomes("::ffff:102:304", "blocked");
    await becomes("2001:0DB8:1:2::ffff", "blocked");
    expect(await outcomeOf("2001:db8:1:3::1")).toBe("pass");
  });

  it("is no longer enforced when it ends", async () => {
    await server.client.psetex("blocklist:203.0.113.9", 2_000, "x");
    await becomes("203.0.113.9", "blocked");
    await becomes("203.0.113.9", "pass");
  });

  it("holds a key with a comma in its name apart from its neighbour", async () => {
    await server.client.mset("blocklist:junk,blocklist:1.1.1.1", "x", "blocklist:2.2.2.2", "x");
    await becomes("2.2.2.2", "blocked");
    expect(await outcomeOf("1.1.1.1")).toBe("pass");
  });

  it("never breaks lockout protection", async () => {
    const refused = [
      "0.0.0.0/0",
      "127.0.0.1",
      "10.9.0.0/24",
      "10.9.0.5",
      "198.51.100.0/24",
      "10.0.0.0/8",
      "::/0",
    ];
    for (const entry of refused) await server.client.set(`blocklist:${entry}`, "x");
    await server.client.set("safelist:0.0.0.0/0", "x");
    await server.client.set("blocklist:203.0.113.9", "x");
    await becomes("203.0.113.9", "blocked");
    for (const ip of ["8.8.8.8", "127.0.0.1", "10.9.0.5", "198.51.100.7", "10.1.1.1", "::1"])
      expect(await outcomeOf(ip)).toBe("pass");
  });

  it("is not enforced where Redis names a range that is never blocked", async () => {
    await server.client.set("blocklist:192.0.2.7", "x");
    await becomes("192.0.2.7", "blocked");
    await server.client.hset("sluice:live:never-block", "192.0.2.0/24", "{}");
    await becomes("192.0.2.7", "pass");
  });

  it.each([
    ["lpush", "blocklist:203.0.113.9", "x"],
    ["set", "blocklist:203.0.113.9/32", "x"],
    ["set", "blocklist:203.0.113.9/24", "x"],
    ["set", "blocklist:", "x"],
    ["set", `blocklist:${"9".repeat(1_000)}`, "x"],
  ])("does no harm when malformed: %s %s", async (command, ...words) => {
    await server.client.call(command, ...words);
    await server.client.set("blocklist:192.0.2.1", "x");
    await becomes("192.0.2.1", "blocked");
    expect(await outcomeOf("203.0.113.9")).toBe("pass");
  });
});

it("protects ranges that are never blocked from its first answer on", async () => {
  await server.client.hset("sluice:live:never-block", "192.0.2.0/24", "{}");
  await server.client.set("blocklist:192.0.2.7", "x");
  for (let i = 0; i < 10; i++) {
    const fresh = createGuard({ redis: server.url, app: `fresh ${i}`, log: () => {} });
    const outcomes = [await fresh.check({ ip: "192.0.2.7" })];
    await fresh.ready();
    outcomes.push(await fresh.check({ ip: "192.0.2.7" }));
    await fresh.close();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["pass", "pass"]);
  }
});

it("answers from Redis before its own copy is loaded, with the same rules", async () => {
  await server.client.mset(
    "blocklist:203.0.113.0/24",
    "x",
    "blocklist:198.51.100.7",
    "x",
    "safelist:203.0.113.7",
    "x",
  );
  const fresh = createGuard({ redis: server.url, app: "fresh", neverBlock: "198.51.100.7", log: () => {} });
  try {
    expect((await fresh.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
    expect((await fresh.check({ ip: "203.0.113.7" })).outcome).toBe("safelisted");
    expect((await fresh.check({ ip: "198.51.100.7" })).outcome).toBe("pass");
  } finally {
    await fresh.close();
  }
});

it.each([undefined, "", "junk", "1.2.3.0/24", "fe80::1%eth0", "9".repeat(1_000)])(
  "passes the unknown client %j",
  async (ip) => {
    expect(await guard.check({ ip })).toMatchObject({
      outcome: "pass",
      status: 200,
      trouble: "unknown-client",
    });
  },
);

it("says once that it cannot know who asks, and lets doctor know how often", async () => {
  for (let i = 0; i < 3; i++) await guard.check({ ip: undefined });
  expect(lines).toEqual([expect.stringContaining("export { register }")]);
  await eventually(
    async () => expect(await listNodes(server.client)).toMatchObject([{ unknownClients: 3 }]),
    10_000,
  );
});

it("shares its node with a guard of the same settings, until the last of them closes", async () => {
  const settings = { redis: server.url, app: "twins", log: () => {} };
  const [one, two] = [createGuard(settings), createGuard(settings)];
  await one.close();
  await one.close();
  await two.ready();
  await server.client.set("blocklist:203.0.113.9", "x");
  await eventually(async () => expect((await two.check({ ip: "203.0.113.9" })).outcome).toBe("blocked"));
  await two.close();
  const never = createGuard({ ...settings, redis: "redis://127.0.0.1:1" });
  const waiting = expect(never.ready()).rejects.toThrow(
    "The guard was closed before it had loaded the lists.",
  );
  await never.close();
  await waiting;
});

it("survives a logger that fails", async () => {
  const fragile = createGuard({
    redis: server.url,
    app: "fragile",
    log: () => {
      throw new Error("the log is full");
    },
  });
  expect(await fragile.check({ ip: "nobody" })).toMatchObject({ outcome: "pass" });
  await fragile.close();
});

describe("when Redis is in trouble", () => {
  beforeEach(async () => {
    await server.client.set("blocklist:203.0.113.9", "x");
    await becomes("203.0.113.9", "blocked");
  });

  const seesNewEntry = async () => {
    await server.client.set("blocklist:192.0.2.1", "x");
    await eventually(async () => expect(await outcomeOf("192.0.2.1")).toBe("blocked"));
  };

  it.each(["normal", "pubsub"])("finds its way back when every %s connection is killed", async (type) => {
    await server.client.call("CLIENT", "KILL", "TYPE", type);
    expect(await outcomeOf("203.0.113.9")).toBe("blocked");
    await seesNewEntry();
  });

  it("finds a write that was announced to no node", async () => {
    const listener = /id=(\d+) .*name=sluice-listener/.exec(String(await server.client.client("LIST")))?.[1];
    await server.client
      .multi()
      .call("CLIENT", "KILL", "ID", listener ?? "")
      .set("blocklist:192.0.2.1", "x")
      .exec();
    await becomes("192.0.2.1", "blocked");
  });

  it("takes a flushed server at its word, however often, and calls it no outage", async () => {
    for (let i = 0; i < 20; i++) await server.client.flushall();
    await becomes("203.0.113.9", "pass");
    await seesNewEntry();
    expect(lines).toEqual([]);
  });

  it("listens after its next reconnection once it may", async () => {
    await server.client.call("ACL", "SETUSER", "deaf", "on", "nopass", "~*", "+@all", "resetchannels");
    const deaf = createGuard({ redis: server.url.replace("//", "//deaf:x@"), app: "deaf", log: () => {} });
    try {
      await eventually(() => expect(deaf.status().following?.by).toBe("polling"));
      expect((await deaf.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
      await server.client.call("ACL", "SETUSER", "deaf", "allchannels");
      await server.client.call("CLIENT", "KILL", "USER", "deaf");
      await eventually(() => expect(deaf.status().following?.by).toBe("tracking"));
      await server.client.set("blocklist:192.0.2.1", "x");
      await eventually(async () => expect((await deaf.check({ ip: "192.0.2.1" })).outcome).toBe("blocked"));
    } finally {
      await deaf.close();
    }
  });

  it("holds the lists while it is away, and says so once", async () => {
    await server.kill();
    await eventually(() => expect(lines).toHaveLength(1));
    for (let i = 0; i < 50; i++) expect(await outcomeOf("203.0.113.9")).toBe("blocked");
    await server.restart();
    await becomes("203.0.113.9", "pass");
    expect(lines).toEqual([
      expect.stringMatching(
        /^sluice: Nothing accepts .*ECONNREFUSED.* Lists and policy stay in force as last known\.$/,
      ),
      expect.stringMatching(/answers again\. 0 blocklist and 0 safelist entries are in force\.$/),
    ]);
    await seesNewEntry();
  });
});

it("loses no write that lands while it loads", async () => {
  const entries = Array.from(
    { length: 200_000 },
    (_, i) => `blocklist:11.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  );
  for (let i = 0; i < entries.length; i += 10_000)
    await server.client.mset(entries.slice(i, i + 10_000).flatMap((key) => [key, "x"]));
  const late = createGuard({ redis: server.url, app: "late", log: () => {} });
  try {
    const written = Array.from({ length: 10_000 }, (_, i) => `12.0.${i >> 8}.${i & 255}`);
    const removed = entries.filter((_, i) => i % 40 === 0).map((key) => key.slice("blocklist:".length));
    for (let i = 0; i < 5_000; i += 50) {
      const pipeline = server.client.pipeline();
      for (const ip of written.slice(2 * i, 2 * i + 100)) pipeline.set(`blocklist:${ip}`, "x");
      for (const ip of removed.slice(i, i + 50)) pipeline.del(`blocklist:${ip}`);
      await pipeline.exec();
    }
    await late.ready();
    const outcomes = (ips: string[]) =>
      Promise.all(ips.map(async (ip) => (await late.check({ ip })).outcome));
    await eventually(async () => expect(new Set(await outcomes(written))).toEqual(new Set(["blocked"])));
    expect(new Set(await outcomes(removed))).toEqual(new Set(["pass"]));
  } finally {
    await late.close();
  }
});

it("is known to the fleet while it lives, and no longer", async () => {
  const mine = async () => (await listNodes(server.client)).filter(({ app }) => app === "brief");
  const brief = createGuard({ redis: server.url, app: "brief", log: () => {} });
  await brief.ready();
  await eventually(async () => expect(await mine()).toMatchObject([{ app: "brief", version: "0.1.0" }]));
  await brief.close();
  expect(await mine()).toEqual([]);
});
