import { beforeEach, describe, expect, it } from "vitest";
import { verifyChain } from "../audit/chain.ts";
import { sealFrom } from "../audit/seal.ts";
import { seal } from "../audit/vitest.log.ts";
import { addEntries } from "../lists/add.ts";
import { at } from "../lists/vitest.context.ts";
import { keys } from "../redis/keys.ts";
import { eventually } from "../redis/testing.ts";
import { sealPending } from "./seal-pending.ts";
import { startSealing } from "./sealing.ts";
import { client, ruleWith, testBans } from "./vitest.bans.ts";

const house = testBans();
const rule = ruleWith();

async function ban(count: number, from = 0) {
  const node = house.node();
  for (let i = from; i < from + count; i++) node.noteDenial(rule, client(`203.0.113.${i}`), 10);
  await node.flush();
}

const sealer = () => ({ redis: house.lists.log.connect(), seal });
const changesOnRecord = async () => (await house.lists.records()).map(({ change }) => change);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("a ban", () => {
  it("is on record as the rule's, with the number and the moment at which it was made", async () => {
    await ban(1);
    const value = (await house.client.get("blocklist:203.0.113.0")) ?? "";
    const endsAt = await house.client.pexpiretime("blocklist:203.0.113.0");
    expect(await sealPending(sealer())).toEqual({ sealed: 1, left: 0 });
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

  it("that waits does not make the log look cut off; one that is gone does", async () => {
    const blocked = { list: "blocklist", addresses: [at("198.51.100.9")], reason: "" } as const;
    await addEntries(house.lists.ctx(), blocked);
    await ban(3);
    await house.lists.expectSoundChain(1);
    await house.client.hset(keys.pendingBans(), "03", "x", "-1", "x", "junk", "x");
    await house.client.hdel(keys.pendingBans(), "3");
    expect((await verifyChain(sealer().redis, seal)).problems).toEqual([
      "Change 4 was made, but the log ends with change 1: its end is missing.",
    ]);
  });

  it("gets a number of its own beside the changes that people make", async () => {
    const people = Array.from({ length: 20 }, (_, i) =>
      addEntries(house.lists.ctx(), { list: "blocklist", addresses: [at(`198.51.100.${i}`)], reason: "" }),
    );
    const nodes = [house.node(), house.node(), house.node(), house.node()];
    const banning = nodes.map(async (node, i) => {
      for (let k = 0; k < 20; k++) {
        node.noteDenial(rule, client(`203.0.113.${20 * i + k}`), 10);
        await node.flush();
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
      // The command reaches Redis, but its answer reaches nobody.
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
    expect(await sealPending(sealer(), { withinMs: -1 })).toEqual({ sealed: 0, left: 50 });
    expect(await sealPending(sealer())).toEqual({ sealed: 50, left: 0 });
  });

  it("wait for somebody who knows the secret of the log", async () => {
    await addEntries(house.lists.ctx(), { list: "blocklist", addresses: [at("198.51.100.9")], reason: "" });
    const stranger = { ...sealer(), seal: sealFrom("another secret") };
    await expect(sealPending(stranger)).rejects.toThrow("NEXTAUTH_SECRET is not the one");
    expect(await house.client.hlen(keys.pendingBans())).toBe(50);
  });

  it("are put on record by a console as they are made", async () => {
    const url = `redis://127.0.0.1:${house.client.options.port}`;
    const stop = startSealing({ redisUrl: url, secret: "a secret that Redis never sees" });
    await eventually(() => house.lists.expectSoundChain(50));
    await ban(2, 50);
    await eventually(() => house.lists.expectSoundChain(52));
    stop();
  });
});

it.each([
  "",
  "null",
  "[]",
  '{"address":"203.0.113.9"}',
  '{"address":"203.0.113.9/24","rule":"r","reason":"","at":"2030-01-01T00:00:00.000Z","expiresAt":1}',
  '{"address":"203.0.113.9","rule":"r","reason":"","at":"yesterday","expiresAt":1}',
  '{"address":"203.0.113.9","rule":"r","reason":"\\u001b","at":"2030-01-01T00:00:00.000Z","expiresAt":1}',
  '{"address":"203.0.113.9","rule":"r","reason":"","at":"2030-01-01T00:00:00.000Z","expiresAt":1e300}',
])("leaves alone what no node can have written: %s", async (text) => {
  await house.client.hset(keys.pendingBans(), "1", text, "junk", text);
  await ban(1);
  expect(await sealPending(sealer())).toEqual({ sealed: 1, left: 2 });
  expect(await changesOnRecord()).toEqual([2]);
});

it("cannot put a record under a person's name", async () => {
  const forged = { address: "203.0.113.9", rule: "ada@example.org", by: "ada@example.org", via: "console" };
  const rest = { reason: "", at: "2030-01-01T00:00:00.000Z", expiresAt: 1 };
  await house.client.hset(keys.pendingBans(), "1", JSON.stringify({ ...forged, ...rest }));
  await sealPending(sealer());
  expect(await house.lists.records()).toMatchObject([
    { actor: "auto:ada@example.org", via: "auto:ada@example.org" },
  ]);
});
