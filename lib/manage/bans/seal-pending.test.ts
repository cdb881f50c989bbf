import { beforeEach, describe, expect, it } from "vitest";
import { client, policyText, ruleWith, terms, testBans } from "../../enforce/bans/vitest.bans.ts";
import { writeNote } from "../../enforce/lists/entry.ts";
import { askLists } from "../../enforce/lists/lookup.ts";
import { rangeList } from "../../ip/range-list.ts";
import { listEntries } from "../../observe/lists/scan.ts";
import { search } from "../../observe/lists/search.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { verifyChain } from "../audit/chain.ts";
import { sealFrom } from "../audit/seal.ts";
import { seal } from "../audit/vitest.log.ts";
import { addEntries } from "../lists/add.ts";
import { removeEntries } from "../lists/remove.ts";
import { at, collect } from "../lists/vitest.context.ts";
import { sealPending } from "./seal-pending.ts";
import { startSealing } from "./sealing.ts";

const house = testBans();
const rule = ruleWith();

beforeEach(() => house.client.set(keys.policy(), policyText({ [rule.name]: terms.capSeconds, r: 86_400 })));

async function ban(count: number, from = 0) {
  const node = house.node();
  for (let i = from; i < from + count; i++) node.noteDenial(rule, client(`203.0.113.${i}`), 10);
  await node.send();
}

const sealer = () => ({ ...house.lists.ctx({}, house.lists.log.connect()), seal });
const noneDiscarded = { count: 0, reasons: [] };
const changesOnRecord = async () => (await house.lists.records()).map(({ change }) => change);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("a ban", () => {
  it("is on record as the rule's, with the number and the moment at which it was made", async () => {
    await ban(1);
    const value = (await house.client.get("sluice:live:ban:203.0.113.0")) ?? "";
    const endsAt = await house.client.pexpiretime("sluice:live:ban:203.0.113.0");
    expect(await sealPending(sealer())).toEqual({ sealed: 1, left: 0, discarded: noneDiscarded });
    expect(await house.client.keys("sluice:live:ban:*")).toEqual([]);
    expect(await house.client.get("blocklist:203.0.113.0")).toBe(value);
    expect(await house.client.pexpiretime("blocklist:203.0.113.0")).toBe(endsAt);
    expect(await house.lists.records()).toEqual([
      {
        n: 1,
        at: JSON.parse(value).at,
        actor: "auto:req/ip/1",
        via: "auto:req/ip/1",
        action: "blocklist.ban",
        change: 1,
        reason: "10 denials of req/ip/1 within 60 s at app storefront",
        changes: [
          {
            target: "203.0.113.0",
            before: null,
            after: { value, expiresAt: new Date(endsAt).toISOString() },
          },
        ],
      },
    ]);
    await house.lists.expectSoundChain(1);
    expect(await house.client.exists(keys.pendingBans())).toBe(0);
    expect(await house.client.get(keys.change())).toBe("1");
    expect(await house.client.hkeys(keys.changeProgress(1))).toContain("at");
  });

  it("that waits does not make the log look cut off", async () => {
    const blocked = { list: "blocklist", addresses: [at("198.51.100.9")], reason: "" } as const;
    await addEntries(house.lists.ctx(), blocked);
    await ban(3);
    await house.lists.expectSoundChain(1);
  });

  it("gets a number of its own beside the changes that people make", async () => {
    const people = Array.from({ length: 20 }, (_, i) =>
      addEntries(house.lists.ctx(), { list: "blocklist", addresses: [at(`198.51.100.${i}`)], reason: "" }),
    );
    const nodes = [house.node(), house.node(), house.node(), house.node()];
    const banning = nodes.map(async (node, i) => {
      for (let k = 0; k < 20; k++) {
        node.noteDenial(rule, client(`203.0.113.${20 * i + k}`), 10);
        await node.send();
      }
    });
    await Promise.all([...people, ...banning]);
    await sealPending(sealer());
    const changes = await changesOnRecord();
    expect(changes.sort((one, other) => Number(one) - Number(other))).toEqual(upTo(100));
    expect(await house.client.get(keys.change())).toBe("100");
    await house.lists.expectSoundChain(100);
  });
});

describe("many bans", () => {
  beforeEach(() => ban(50));

  it("are each on record once and in order, with four sealers at the same time", async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => sealPending(sealer())));
    expect(results.reduce((sum, { sealed }) => sum + sealed, 0)).toBe(50);
    expect(await changesOnRecord()).toEqual(upTo(50));
    await house.lists.expectSoundChain(50);
  });

  it.each([3, 4, 5, 6, 7, 8])(
    "are each on record once when a sealer dies at its command %i",
    async (last) => {
      const dying = sealer();
      const evalsha = dying.redis.evalsha.bind(dying.redis);
      let scripts = 0;
      // The command reaches Redis, but its answer is lost.
      dying.redis.evalsha = ((...words: Parameters<typeof evalsha>) => {
        const answer = evalsha(...words);
        if (++scripts === last) setImmediate(() => dying.redis.disconnect());
        return answer;
      }) as typeof evalsha;
      await expect(sealPending(dying)).rejects.toThrow(/closed/i);
      await house.lists.expectSoundChain((await house.lists.records()).length);
      await sealPending(sealer());
      expect(await changesOnRecord()).toEqual(upTo(50));
      await house.lists.expectSoundChain(50);
    },
  );

  it("wait when there is no time, and are not lost", async () => {
    expect(await sealPending(sealer(), { withinMs: -1 })).toMatchObject({ sealed: 0, left: 50 });
    expect(await sealPending(sealer())).toMatchObject({ sealed: 50, left: 0 });
  });

  it("wait for a process that knows the secret of the log", async () => {
    await addEntries(house.lists.ctx(), { list: "blocklist", addresses: [at("198.51.100.9")], reason: "" });
    const stranger = { ...sealer(), seal: sealFrom("another secret") };
    await expect(sealPending(stranger)).rejects.toThrow("NEXTAUTH_SECRET is not the one");
    expect(await house.client.hlen(keys.pendingBans())).toBe(50);
  });

  it("are put on record by a console as they are made", async () => {
    const url = `redis://127.0.0.1:${house.client.options.port}`;
    const { protectedRanges } = house.lists.ctx();
    const stop = startSealing({
      ...{ redisUrl: url, secret: "a secret that Redis never sees" },
      protectedRanges: () => protectedRanges,
    });
    await eventually(() => house.lists.expectSoundChain(50));
    await ban(2, 50);
    await eventually(() => house.lists.expectSoundChain(52));
    stop();
  });
});

const forged = (given: object) =>
  JSON.stringify({
    ...{ address: "203.0.113.9", rule: "r", reason: "", at: new Date().toISOString() },
    ...{ expiresAt: Date.now() + 600_000, ...given },
  });

it("a ban of a network is sealed for a rule that counts networks, and for no other", async () => {
  const level = { limit: 5, periodSeconds: 60 };
  const client = { ip: { v4: 24, v6: 48 } };
  const rules = [{ name: "net", client, algorithm: "fixed", levels: [level], ban: terms }];
  const policy = { mode: "enforce", rules, tiers: {} };
  await house.client.set(keys.policy(), JSON.stringify({ version: 2, reason: "", policy }));
  await house.client.hset(
    keys.pendingBans(),
    "203.0.113.0/24@1",
    forged({ address: "203.0.113.0/24", rule: "net" }),
  );
  expect(await sealPending(sealer())).toEqual({ sealed: 1, left: 0, discarded: noneDiscarded });
  expect(await house.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.0/24"]);
  const wider = { address: "2001:db8::/32", rule: "net" };
  await house.client.hset(keys.pendingBans(), "2001:db8::/32@1", forged(wider));
  expect(await sealPending(sealer())).toMatchObject({ sealed: 0, discarded: { count: 1 } });
});

it("a ban of an attack rule is sealed where attack mode is on, and not before", async () => {
  const attack = { rules: [ruleWith(terms, { name: "attack/login" })] };
  const on = { sinceMs: 1, untilMs: Date.now() + 3_600_000, by: "ada", reason: "bots" };
  const save = (version: number, more = {}) => {
    const policy = { mode: "enforce", rules: [], tiers: {} };
    return house.client.set(keys.policy(), JSON.stringify({ version, reason: "", policy, attack, ...more }));
  };
  const banned = forged({ rule: "attack/login" });
  await save(2);
  await house.client.hset(keys.pendingBans(), "203.0.113.9@1", banned);
  expect(await sealPending(sealer())).toMatchObject({ sealed: 0, discarded: { count: 1 } });
  await save(3, { timed: { ends: [], attack: on } });
  await house.client.hset(keys.pendingBans(), "203.0.113.9@1", banned);
  expect(await sealPending(sealer())).toEqual({ sealed: 1, left: 0, discarded: noneDiscarded });
});

describe("what no node can have left", () => {
  it.each([
    ["nothing", ""],
    ["no object", "null"],
    ["a list", "[]"],
    ["half of it", '{"address":"203.0.113.9"}'],
    ["no address", forged({ address: "203.0.113.9/24" })],
    ["a network", forged({ address: "203.0.0.0/16" })],
    ["a small network", forged({ address: "203.0.113.0/24" })],
    ["a wide IPv6 network", forged({ address: "2001:db8::/32" })],
    ["no moment", forged({ at: "yesterday" })],
    ["a moment to come", forged({ at: "2090-01-01T00:00:00.000Z", expiresAt: Date.UTC(2090, 1) })],
    ["an end before its beginning", forged({ expiresAt: 1 })],
    ["an end in a hundred years", forged({ expiresAt: Date.now() + 3_155_760_000_000 })],
    ["no end", forged({ expiresAt: 1e300 })],
    ["a rule that the policy does not have", forged({ rule: "other" })],
    ["a life beyond what its rule allows", forged({ expiresAt: Date.now() + 86_400_000 + 120_000 })],
    ["control characters", forged({ reason: "\u001b" })],
    ["a megabyte", forged({ padding: "x".repeat(1_000_000) })],
    ["loopback", forged({ address: "127.0.0.1" })],
    ["a trusted proxy", forged({ address: "10.1.2.3" })],
    ["a protected range", forged({ address: "192.0.2.7" })],
    ["a safelisted address", forged({ address: "198.51.100.7" })],
  ])("is discarded, with its ban, and is not on record: %s", async (_, text) => {
    await house.client.set("safelist:198.51.100.0/24", "the office");
    const address = /"address":"([^"]*)"/.exec(text)?.[1] ?? "203.0.113.9";
    for (const field of ["1", "999999999999999", `${address}@1`, "junk"])
      await house.client.hset(keys.pendingBans(), field, text);
    await ban(1, 100);
    const { sealed, left, discarded } = await sealPending(sealer());
    expect({ sealed, left, count: discarded.count }).toEqual({ sealed: 1, left: 0, count: 4 });
    expect(await house.lists.records()).toMatchObject([
      { change: 1, changes: [{ target: "203.0.113.100" }] },
    ]);
    expect(await house.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.100"]);
    await house.lists.expectSoundChain(1);
  });

  it("never names another address than its field", async () => {
    await house.client.hset(keys.pendingBans(), "203.0.113.7@1", forged({}));
    expect(await sealPending(sealer())).toMatchObject({ sealed: 0, left: 0, discarded: { count: 1 } });
  });

  it("takes the ban under the nodes' key with it", async () => {
    await house.client.set("sluice:live:ban:192.0.2.7", "x", "EX", 600);
    await house.client.hset(keys.pendingBans(), "192.0.2.7@1", forged({ address: "192.0.2.7" }));
    await sealPending(sealer());
    expect(await house.client.exists("sluice:live:ban:192.0.2.7")).toBe(0);
  });

  it("is logged in one line", async () => {
    await house.client.hset(keys.pendingBans(), "1", "x", "192.0.2.7@1", forged({ address: "192.0.2.7" }));
    const lines: string[] = [];
    const { protectedRanges } = house.lists.ctx();
    const url = `redis://127.0.0.1:${house.client.options.port}`;
    const settings = { redisUrl: url, secret: "a secret", protectedRanges: () => protectedRanges };
    const stop = startSealing(settings, (line) => lines.push(line));
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatch(/^sluice: 2 pending bans were discarded: .*protected range/);
    stop();
  });

  it("cannot blind the check for a log that was cut off", async () => {
    const blocked = (address: string) =>
      ({ list: "blocklist", addresses: [at(address)], reason: "" }) as const;
    await addEntries(house.lists.ctx(), blocked("198.51.100.9"));
    await house.client.hset(keys.pendingBans(), "999999999999999", forged({}));
    await sealPending(sealer());
    expect(await changesOnRecord()).toEqual([1, 2]);
    const kept = await house.client.hgetall(keys.auditHead());
    await addEntries(house.lists.ctx(), blocked("198.51.100.10"));
    await house.client.xtrim(keys.audit(), "MINID", "3-0");
    await house.client.xdel(keys.audit(), "3-0");
    await house.client.hset(keys.auditHead(), kept);
    expect((await verifyChain(sealer().redis, seal)).problemCount).toBeGreaterThan(0);
  });
});

it("cannot put a record under a person's name", async () => {
  const text = forged({ rule: "ada@example.org", by: "ada@example.org", via: "console" });
  await house.client.hset(keys.pendingBans(), "203.0.113.9@1", text);
  expect(await sealPending(sealer())).toMatchObject({
    discarded: { reasons: ["the policy has no rule ada@example.org that bans so long or so wide"] },
  });
  expect(await house.lists.records()).toEqual([]);
});

it.each([
  [11, 1],
  [10, 0],
])(
  "a ban of a rule that is gone is judged by the ten newest versions: by version %i of 20, %i sealed",
  async (its, sealed) => {
    await ban(1);
    for (let version = 10; version <= 20; version++) {
      const longest = version === its ? { [rule.name]: terms.capSeconds } : { other: 600 };
      await house.client.hset(keys.policyVersions(), String(version), policyText(longest, version));
    }
    await house.client.set(keys.policy(), policyText({ other: 600 }, 20));
    expect(await sealPending(sealer())).toMatchObject({ sealed, left: 0 });
  },
);

describe("beside other writers", () => {
  const entry = (address: string) => house.client.get(`blocklist:${address}`);

  it("an entry of a person that lasts longer stays; one that ends earlier is extended", async () => {
    await ban(2);
    await house.client.set("blocklist:203.0.113.0", "mine");
    await house.client.set("blocklist:203.0.113.1", "brief", "EX", 60);
    await sealPending(sealer());
    expect(await entry("203.0.113.0")).toBe("mine");
    expect(await house.client.ttl("blocklist:203.0.113.1")).toBeGreaterThan(500);
    expect(await house.client.keys("sluice:live:ban:*")).toEqual([]);
    await house.lists.expectSoundChain(2);
  });

  it("an entry that is prolonged keeps what a person wrote, also its tags, and not what a rule did", async () => {
    await ban(2);
    const at = new Date().toISOString();
    const note = writeNote({ reason: "fraud", by: "ada", at, via: "console" });
    await house.client.set("blocklist:203.0.113.0", note, "EX", 60);
    const ofRule = writeNote({ reason: "", by: "auto:r", at, via: "auto:r", tags: ["crowd"] });
    await house.client.set("blocklist:203.0.113.1", ofRule, "EX", 60);
    await sealPending(sealer());
    expect(await entry("203.0.113.0")).toBe(note);
    expect(await house.client.ttl("blocklist:203.0.113.0")).toBeGreaterThan(500);
    expect(await entry("203.0.113.1")).toContain("auto:req/ip/1");
    expect(await entry("203.0.113.1")).toContain('"tags":["crowd"]');
    await house.lists.expectSoundChain(2);
  });

  it("a ban that a node tried to end before it was sealed is an entry all the same", async () => {
    await ban(1);
    await house.client.del("sluice:live:ban:203.0.113.0");
    await sealPending(sealer());
    expect(await house.client.ttl("blocklist:203.0.113.0")).toBeGreaterThan(590);
  });

  it("a ban that is over by the time is on record, and is no entry", async () => {
    const [since, until] = [Date.now() - 86_400_000, Date.now() - 80_000_000];
    const text = forged({ at: new Date(since).toISOString(), expiresAt: until });
    await house.client.hset(keys.pendingBans(), "203.0.113.9@1", text);
    expect(await sealPending(sealer())).toMatchObject({ sealed: 1 });
    expect(await entry("203.0.113.9")).toBeNull();
    await house.lists.expectSoundChain(1);
  });

  it("an earlier node's ban keeps the number that it was given, also when it was lifted before", async () => {
    await addEntries(house.lists.ctx(), { list: "blocklist", addresses: [at("198.51.100.9")], reason: "" });
    await house.client.set(keys.change(), "2");
    await house.client.hset(keys.pendingBans(), "2", forged({}));
    await sealPending(sealer());
    expect(await changesOnRecord()).toEqual([1, 2]);
    expect(await entry("203.0.113.9")).toBeNull();
    await house.lists.expectSoundChain(2);
  });

  it("an earlier node's ban that Redis refused is made an entry", async () => {
    await house.client.hset(keys.pendingBans(), "1", forged({}));
    await sealPending(sealer());
    expect(await entry("203.0.113.9")).toContain("auto:r");
    expect(await changesOnRecord()).toEqual([1]);
    await house.lists.expectSoundChain(1);
  });
});

describe("before it is sealed, a ban", () => {
  const of = { list: "blocklist", addresses: [at("203.0.113.0")], reason: "a customer" } as const;

  it("is lifted like an entry, and does not come back", async () => {
    await ban(1);
    const { outcomes } = await removeEntries(house.lists.ctx(), of);
    expect(outcomes).toMatchObject([{ outcome: "removed" }]);
    expect(await sealPending(sealer())).toMatchObject({ sealed: 0 });
    expect(await house.client.exists("blocklist:203.0.113.0", "sluice:live:ban:203.0.113.0")).toBe(0);
    expect(await house.lists.records()).toMatchObject([
      { action: "blocklist.ban" },
      { action: "blocklist.remove" },
    ]);
    await house.lists.expectSoundChain(2);
  });

  it("is found by a search, by the walk through the list, and by a node that has not loaded the lists", async () => {
    await ban(1);
    const ctx = house.lists.ctx();
    const found = await search(ctx.redis, "203.0.113.0", ctx.protectedRanges);
    expect(found.decisive).toMatchObject({ address: "203.0.113.0", note: { by: "auto:req/ip/1" } });
    expect(found.decisive?.expiresAt).toBeGreaterThan(Date.now());
    expect(await collect(listEntries(ctx.redis, "blocklist"))).toMatchObject([{ address: "203.0.113.0" }]);
    const lists = await askLists(ctx.redis, client("203.0.113.0"), () => rangeList([]));
    expect(lists.match("blocklist", client("203.0.113.0"))).toBe("203.0.113.0");
  });

  it("that left no record is recorded when a person lifts it", async () => {
    const value = writeNote({ reason: "", by: "auto:r", at: new Date().toISOString(), via: "auto:r" });
    await house.client.set("sluice:live:ban:203.0.113.0", value, "EX", 600);
    await removeEntries(house.lists.ctx(), of);
    expect(await house.lists.records()).toMatchObject([{ actor: "auto:r" }, { action: "blocklist.remove" }]);
    expect(await house.client.keys("*:203.0.113.0")).toEqual([]);
  });

  it("that left no record is recorded by a console that has seen it for long", async () => {
    const value = writeNote({ reason: "", by: "auto:r", at: new Date().toISOString(), via: "auto:r" });
    await house.client.set("sluice:live:ban:203.0.113.0", value, "EX", 600);
    await house.client.set("sluice:live:ban:192.0.2.7", value, "EX", 600);
    const { protectedRanges } = house.lists.ctx();
    const stop = startSealing({
      redisUrl: `redis://127.0.0.1:${house.client.options.port}`,
      secret: "a secret that Redis never sees",
      protectedRanges: () => protectedRanges,
      bansOlderThan: () => ["203.0.113.0", "192.0.2.7", "no address"],
    });
    await eventually(async () => expect(await house.client.keys("sluice:live:ban:*")).toEqual([]));
    stop();
    expect(await house.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.0"]);
    await house.lists.expectSoundChain(1);
  });

  it("that no node can have made is removed when a person lifts it", async () => {
    await house.client.set("sluice:live:ban:203.0.113.0", "x", "EX", 600);
    await removeEntries(house.lists.ctx(), of);
    expect(await house.lists.records()).toEqual([]);
    expect(await house.client.keys("*:203.0.113.0")).toEqual([]);
  });
});
