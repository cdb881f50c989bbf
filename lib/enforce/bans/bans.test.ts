import { describe, expect, it } from "vitest";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { connectControl, connectCounters } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis } from "../../redis/testing.ts";
import { startCluster } from "../../redis/testing-topologies.ts";
import { createGuard } from "../guard/guard.ts";
import { readNote } from "../lists/entry.ts";
import { mostPending } from "./bans.ts";
import { client, ruleWith, terms, testBans } from "./vitest.bans.ts";

const house = testBans();
const rule = ruleWith();
const ip = "203.0.113.9";

const entryOf = (address: string) => house.client.get(keys.ban(at(address)));
const bans = () => house.client.keys(`${keys.banPrefix()}*`);
const pending = () => house.client.hlen(keys.pendingBans());

async function deny(node: ReturnType<typeof house.node>, address: string, times: number, by = rule) {
  node.noteDenial(by, client(address), times);
  await node.send();
}

describe("a client that is denied too often", () => {
  it("is banned at the measure and not before, with a note that says why", async () => {
    const node = house.node();
    await deny(node, ip, 9);
    expect(await entryOf(ip)).toBeNull();
    await deny(node, ip, 1);
    const note = readNote((await entryOf(ip)) ?? "");
    expect(note).toEqual({
      reason: "10 denials of req/ip/1 within 60 s at app storefront",
      by: "auto:req/ip/1",
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      via: "auto:req/ip/1",
    });
    expect(Math.abs(Date.parse(note.at ?? "") - Date.now())).toBeLessThan(5_000);
    expect(await house.left(ip)).toBeGreaterThan(595);
    expect(await house.left(ip)).toBeLessThanOrEqual(600);
  });

  it("is counted over all nodes and banned once, however many see it", async () => {
    const nodes = Array.from({ length: 8 }, () => house.node());
    for (const node of nodes) node.noteDenial(rule, client(ip), 10);
    await Promise.all(nodes.map((node) => node.send()));
    expect(await pending()).toBe(1);
    expect(await house.client.keys("blocklist:*")).toEqual([]);
    expect(await house.client.exists(keys.change())).toBe(0);
    expect(await house.client.hget(keys.banHistory(at(ip)), rule.name)).toBe("1");
    expect(await house.left(ip)).toBeLessThanOrEqual(600);
  });

  it("is counted over all nodes when none has seen enough alone", async () => {
    const nodes = Array.from({ length: 8 }, () => house.node());
    await Promise.all(nodes.slice(0, 4).map((node) => deny(node, ip, 2)));
    expect(await entryOf(ip)).toBeNull();
    await Promise.all(nodes.slice(4).map((node) => deny(node, ip, 2)));
    expect(await entryOf(ip)).not.toBeNull();
  });

  it("is counted from zero in each window, and the counts end with it", async () => {
    const brief = ruleWith({ ...terms, withinSeconds: 1 });
    const node = house.node();
    await deny(node, ip, 9, brief);
    const [key = ""] = await house.client.keys("sluice:denials:*");
    await eventually(async () => expect(await house.client.exists(key)).toBe(0));
    await deny(node, ip, 9, brief);
    expect(await entryOf(ip)).toBeNull();
    expect(await house.client.pttl(key)).toBeGreaterThan(0);
  });

  it("is banned twice as long each time, up to the cap", async () => {
    const node = house.node();
    for (const seconds of [600, 1_200, 2_000, 2_000]) {
      await deny(node, ip, 10);
      expect(Math.abs((await house.left(ip)) - seconds)).toBeLessThanOrEqual(5);
      expect(await house.client.ttl(keys.banHistory(at(ip)))).toBeGreaterThan(86_400);
      await house.client.del(keys.ban(at(ip)));
      await house.passGrace(ip);
    }
  });

  it("has its network banned if it speaks IPv6: the rule's, but none that a person would have to confirm", async () => {
    const node = house.node();
    await deny(node, "2001:db8:1:2::1", 5);
    await deny(node, "2001:db8:1:2:ffff::2", 5);
    expect(await entryOf("2001:db8:1:2::/64")).not.toBeNull();
    await deny(node, "2001:db8:2:3::1", 10, ruleWith(terms, { ipv6Prefix: 56 }));
    expect(await entryOf("2001:db8:2::/56")).not.toBeNull();
    await deny(node, "2001:db8:3:4::1", 10, ruleWith(terms, { ipv6Prefix: 32 }));
    expect(await entryOf("2001:db8:3::/48")).not.toBeNull();
    expect(await pending()).toBe(3);
  });

  it("is counted on a cluster, where addresses lie apart", async () => {
    const cluster = await startCluster();
    const counters = connectCounters(cluster.url, "patiently");
    const node = house.node({ counters });
    for (let i = 0; i < 500; i++) node.noteDenial(rule, client(`203.0.${i >> 8}.${i & 255}`), 9);
    await node.send();
    expect(await pending()).toBe(0);
    for (let i = 0; i < 500; i++) node.noteDenial(rule, client(`203.0.${i >> 8}.${i & 255}`), 1);
    await node.send();
    expect(await pending()).toBe(500);
    const sizes = await Promise.all(cluster.nodes.map((each) => each.client.dbsize()));
    expect(Math.min(...sizes)).toBeGreaterThan(50);
    counters.disconnect();
    await cluster.stop();
  });

  it("is blocked at another node within a quarter of a second", async () => {
    const guard = createGuard({ redis: `redis://127.0.0.1:${house.client.options.port}`, app: "other" });
    await guard.ready();
    const node = house.node();
    const block = async (address: string): Promise<number> => {
      await deny(node, address, 10);
      const bannedAt = performance.now();
      const blocked = async () =>
        expect(await guard.check({ ip: address })).toMatchObject({ outcome: "blocked" });
      await eventually(blocked, 10_000);
      return performance.now() - bannedAt;
    };
    // The quickest of three: a busy machine is late itself.
    let tookMs = await block(ip);
    for (let i = 1; i < 3 && tookMs >= 250; i++) tookMs = await block(`198.51.100.${i}`);
    expect(tookMs).toBeLessThan(250);
    await guard.close();
  });
});

describe("no client is banned", () => {
  it.each([
    ["by a rule without a ban", ruleWith(undefined, { ban: undefined } as object)],
    ["by a shadowed rule", ruleWith(terms, { mode: "shadow" })],
  ])("%s", async (_, by) => {
    await deny(house.node(), ip, 1_000, by);
    expect(await house.client.dbsize()).toBe(0);
  });

  it.each(["127.0.0.1", "10.1.2.3", "192.0.2.7", "::1"])("who may never be blocked: %s", async (address) => {
    await deny(house.node(), address, 1_000);
    expect(await bans()).toEqual([]);
    expect(await pending()).toBe(0);
  });

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9", "203.0.0.0/16"],
    ["2001:db8:1:2::1", "2001:db8:1::/48"],
  ])("who is safelisted: %s by %s", async (address, entry) => {
    await house.client.set(keys.entry("safelist", at(entry)), "x");
    await deny(house.node(), address, 1_000);
    expect(await bans()).toEqual([]);
    await house.client.del(keys.entry("safelist", at(entry)));
    await deny(house.node(), address, 1);
    expect(await bans()).toHaveLength(1);
  });

  it("that is blocked already", async () => {
    await house.client.set(keys.entry("blocklist", at(ip)), "mine");
    await deny(house.node(), ip, 10);
    expect(await entryOf(ip)).toBeNull();
    expect(await pending()).toBe(0);
  });

  it("while too many bans wait for their record", async () => {
    const fill = "for i = 1, ARGV[1] do redis.call('HSET', KEYS[1], 'x' .. i, '') end";
    await house.client.eval(fill, 1, keys.pendingBans(), mostPending);
    const node = house.node();
    await deny(node, ip, 10);
    expect(await entryOf(ip)).toBeNull();
    await house.client.del(keys.pendingBans());
    await deny(node, ip, 1);
    expect(await entryOf(ip)).not.toBeNull();
    expect(house.lines).toEqual([
      "sluice: no client can be banned now: too many bans wait for their audit record, which a running console writes.",
      "sluice: bans work again.",
    ]);
  });
});

describe("a ban that was lifted", () => {
  const lift = () =>
    removeEntries(house.lists.ctx(), { list: "blocklist", addresses: [at(ip)], reason: "a customer" });

  it("stays lifted when denials from before it arrive late, by whichever rule", async () => {
    const [node, late] = [house.node(), house.node()];
    const other = ruleWith(terms, { name: "logins" });
    await deny(late, ip, 9, other);
    late.noteDenial(rule, client(ip), 9);
    late.noteDenial(other, client(ip), 9);
    await deny(node, ip, 10);
    await lift();
    await late.send();
    expect(await entryOf(ip)).toBeNull();
    await house.passGrace(ip);
    late.noteDenial(rule, client(ip), 1);
    await deny(late, ip, 1, other);
    expect(await entryOf(ip)).toBeNull();
  });

  it("stays lifted though a node learnt before it that the measure was reached", async () => {
    const slow = connectControl(`redis://127.0.0.1:${house.client.options.port}`, "promptly");
    await slow.ping().catch(() => new Promise((resolve) => slow.once("ready", resolve)));
    let isHeld: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    let letGo: () => void = () => {};
    const time = slow.time.bind(slow);
    // Between the counters' answer and the ban this node is held up.
    slow.time = (async () => {
      isHeld();
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      return time();
    }) as typeof slow.time;
    const late = house.node({ control: slow, counters: slow });
    late.noteDenial(rule, client(ip), 10);
    const sent = late.send();
    await held;
    await deny(house.node(), ip, 10);
    await lift();
    letGo();
    await sent;
    expect(await entryOf(ip)).toBeNull();
    slow.disconnect();
  });

  it("is followed by a longer one when new denials reach the measure", async () => {
    const node = house.node({ graceMs: 200 });
    await deny(node, ip, 10);
    await lift();
    await eventually(async () => {
      expect(await house.client.keys("sluice:denials:*")).toEqual([]);
    });
    await deny(node, ip, 9);
    expect(await entryOf(ip)).toBeNull();
    await deny(node, ip, 1);
    expect(await house.left(ip)).toBeGreaterThan(1_190);
  });
});

describe("keys of another type", () => {
  it("spoil only the address whose counts they are", async () => {
    const node = house.node();
    await deny(node, ip, 1);
    const [key = ""] = await house.client.keys("sluice:denials:*");
    await house.client.del(key);
    await house.client.set(key, "x");
    node.noteDenial(rule, client("203.0.113.10"), 10);
    await deny(node, ip, 10);
    expect(await entryOf(ip)).toBeNull();
    expect(await entryOf("203.0.113.10")).not.toBeNull();
  });

  it.each([
    ["the history", keys.banHistory(at(ip))],
    ["a safelist entry", keys.entry("safelist", at(ip))],
  ])("do no harm: %s", async (_, key) => {
    await house.client.lpush(key, "x");
    await deny(house.node(), ip, 10);
    expect(await house.left(ip)).toBeGreaterThan(595);
    expect(await pending()).toBe(1);
  });

  it("are left alone where the entry would be", async () => {
    await house.client.lpush(keys.entry("blocklist", at(ip)), "x");
    await deny(house.node(), ip, 10);
    expect(await house.client.type(keys.entry("blocklist", at(ip)))).toBe("list");
    expect(await pending()).toBe(0);
  });

  it("prevent bans that could not be recorded, which is said once", async () => {
    await house.client.set(keys.pendingBans(), "x");
    const node = house.node();
    await deny(node, ip, 10);
    await deny(node, ip, 10);
    expect(await bans()).toEqual([]);
    expect(house.lines).toEqual([expect.stringContaining("no client can be banned now: WRONGTYPE")]);
  });
});

describe("while Redis is away", () => {
  it("nothing is thrown, nothing is kept for long, and it works again afterwards", async () => {
    const server = await startRedis();
    const connection = connectControl(server.url, "promptly");
    const node = house.node({ control: connection, counters: connection });
    await server.kill();
    for (let i = 0; i < 100_000; i++) node.noteDenial(rule, { ...client(ip), a: i });
    await deny(node, ip, 10);
    await server.restart();
    await eventually(async () => {
      await deny(node, ip, 10);
      expect(await server.client.exists(keys.ban(at(ip)))).toBe(1);
    });
    expect(house.lines).toEqual([]);
    connection.disconnect();
    await server.stop();
  });
});
