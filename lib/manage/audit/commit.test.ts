import { describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import type { Snapshot } from "../../redis/snapshot.ts";
import { commit, type Intent, type SlotWrite } from "./commit.ts";
import { testLog } from "./vitest.log.ts";

const log = testLog();
const key = "customer:acme:tier_redis";

function intent(decide: (seen: Snapshot) => SlotWrite[], slot: Partial<Intent<never>["slots"][number]> = {}) {
  return {
    action: "customer.tier",
    reason: "upgrade",
    slots: [{ key, target: "acme", ...slot }],
    decide: (seen: Snapshot) => ({ writes: decide(seen) }),
  };
}

const set = (value: string): SlotWrite[] => [{ slot: 0, to: { value, expiresAt: null } }];

describe("a change", () => {
  it("has a number only when nodes hold what it writes", async () => {
    expect(
      (
        await commit(
          log.signed(),
          intent(() => set("pro"), { key: "sluice:customer:acme" }),
        )
      ).change,
    ).toBeNull();
    expect(await log.client.exists(keys.change())).toBe(0);
    const tracked = intent(() => set("x"), { key: "blocklist:203.0.113.9" });
    expect((await commit(log.signed(), tracked)).change).toBe(1);
    expect((await log.records()).map(({ n, change }) => [n, change])).toEqual([
      [1, null],
      [2, 1],
    ]);
    await log.expectSoundChain(2);
  });

  it("with nothing to write leaves no trace", async () => {
    expect(
      await commit(
        log.signed(),
        intent(() => []),
      ),
    ).toMatchObject({ change: null });
    expect(await log.client.dbsize()).toBe(0);
  });

  it("writes, reads and empties one field of a hash", async () => {
    const field = { key: keys.neverBlock(), field: "203.0.113.0/24" };
    await commit(
      log.signed(),
      intent(() => set("office"), field),
    );
    expect(await log.client.hgetall(keys.neverBlock())).toEqual({ "203.0.113.0/24": "office" });
    await commit(
      log.signed(),
      intent(() => [{ slot: 0, to: null }], field),
    );
    expect(await log.client.exists(keys.neverBlock())).toBe(0);
    expect(
      (await log.records()).map(({ changes: [change] }) => [change?.before?.value, change?.after]),
    ).toEqual([
      [undefined, { value: "office", expiresAt: null }],
      ["office", null],
    ]);
  });

  it("writes, reads and removes a whole hash with its expiry", async () => {
    const hash = { key: "customer:acme:throttle_hash", isHash: true };
    const to = { value: '{"60":"100","3600":"5000"}', expiresAt: Date.now() + 60_000 };
    await log.client.hset(hash.key, { "60": "1", junk: 'x"' });
    await commit(
      log.signed(),
      intent(() => [{ slot: 0, to }], hash),
    );
    expect(await log.client.hgetall(hash.key)).toEqual({ "60": "100", "3600": "5000" });
    expect(await log.client.pexpiretime(hash.key)).toBe(to.expiresAt);
    await commit(
      log.signed(),
      intent(() => [{ slot: 0, to: null }], hash),
    );
    expect(await log.client.exists(hash.key)).toBe(0);
    const [first, second] = (await log.records()).map(({ changes: [change] }) => change?.before);
    expect(first).toEqual({ value: '{"60":"1","junk":"x\\""}', expiresAt: null });
    expect(second).toMatchObject({ value: '{"3600":"5000","60":"100"}' });
  });

  it("does not record what it writes aside", async () => {
    await commit(
      log.signed(),
      intent(() => set("pro"), { isAside: true }),
    );
    expect(await log.client.get(key)).toBe("pro");
    expect(await log.records()).toMatchObject([{ changes: [] }]);
  });

  it("is decided again when one field of a hash was written in between", async () => {
    const hash = { key: "customer:acme:throttle_hash", isHash: true };
    await log.client.hset(hash.key, { "60": "1" });
    const ctx = log.signed();
    const seen: string[] = [];
    await commit(
      ctx,
      intent(({ slots: [slot] }) => {
        seen.push(slot?.value ?? "");
        if (seen.length === 1) void ctx.redis.hset(hash.key, "60", "2");
        return [{ slot: 0, to: { value: '{"60":"3"}', expiresAt: null } }];
      }, hash),
    );
    expect(seen).toEqual(['{"60":"1"}', '{"60":"2"}']);
  });

  it("keeps foreign bytes apart that look alike as text", async () => {
    await log.client.set(key, Buffer.from([0xff]));
    await commit(
      log.signed(),
      intent(() => [{ slot: 0, to: null }]),
    );
    expect(await log.client.exists(key)).toBe(0);
  });

  it("is decided again when a foreign writer was faster", async () => {
    const ctx = log.signed();
    const seen: string[] = [];
    await commit(
      ctx,
      intent(({ slots: [slot] }) => {
        seen.push(slot?.value ?? "");
        // On the same connection, so it arrives between reading and writing.
        if (seen.length === 1) void ctx.redis.set(key, "enterprise");
        return set("pro");
      }),
    );
    expect(seen).toEqual(["", "enterprise"]);
    expect(await log.records()).toMatchObject([{ changes: [{ before: { value: "enterprise" } }] }]);
  });

  it.each([
    ["a new expiry", async () => void (await log.client.expire(key, 50))],
    ["another type", async () => void (await log.client.multi().del(key).rpush(key, "x").exec())],
    ["another record", async () => void (await log.client.hset(keys.auditHead(), "n", 1, "mac", "x"))],
    ["a removal", async () => void (await log.client.del(key))],
  ])("notices %s", async (_, write) => {
    await log.client.set(key, "free", "EX", 100);
    let asked = 0;
    const racing = log.signed({}, racingConnection(write));
    await commit(
      racing,
      intent(() => {
        asked++;
        return set("pro");
      }),
    );
    expect(asked).toBe(2);
    expect(await log.client.get(key)).toBe("pro");
  });

  it("gives up with plain words when others never stop", async () => {
    let writes = 0;
    const racing = log.signed(
      {},
      racingConnection(() => log.client.set(key, String(writes++)), true),
    );
    await expect(
      commit(
        racing,
        intent(() => set("pro")),
        { patienceMs: 300 },
      ),
    ).rejects.toMatchObject({
      code: "changed-since",
      message: "Another program keeps changing the same data. Nothing was written. Try again.",
    });
    expect(await log.records()).toEqual([]);
  });

  it("heals a server that has lost its scripts", async () => {
    await commit(
      log.signed(),
      intent(() => set("pro")),
    );
    await log.client.script("FLUSH");
    await commit(
      log.signed(),
      intent(() => set("free")),
    );
    await log.expectSoundChain(2);
  });
});

describe("all or nothing", () => {
  it("writes nothing when Redis has no memory left", async () => {
    await log.client.config("SET", "maxmemory", "1");
    await expect(
      commit(
        log.signed(),
        intent(() => set("pro")),
      ),
    ).rejects.toThrow("OOM");
    await log.client.config("SET", "maxmemory", "0");
    expect(await log.client.dbsize()).toBe(0);
  });

  it.each([keys.audit(), keys.auditHead()])(
    "says so when %s is not what Sluice keeps there",
    async (damaged) => {
      await log.client.set(damaged, "x");
      const attempt = commit(
        log.signed(),
        intent(() => set("pro")),
      );
      await expect(attempt).rejects.toMatchObject({ code: "not-configured", message: /cannot be continued/ });
      expect(await log.client.get(key)).toBeNull();
    },
  );

  it("goes on after a log that lost its head or its tail, and leaves the gap to be found", async () => {
    for (const tier of ["pro", "free", "pro"])
      await commit(
        log.signed(),
        intent(() => set(tier)),
      );
    await log.client.del(keys.auditHead());
    await commit(
      log.signed(),
      intent(() => set("free")),
    );
    await log.client.del(keys.audit());
    await commit(
      log.signed(),
      intent(() => set("pro")),
    );
    expect((await log.records()).map(({ n }) => n)).toEqual([5]);
  });
});

it("fifty writers on ten connections all land, one after the other", async () => {
  const connections = Array.from({ length: 10 }, () => log.connect());
  const changes = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const slot = { key: `blocklist:203.0.113.${i}`, target: `203.0.113.${i}` };
      const ctx = log.signed({ name: `writer ${i}` }, connections[i % 10]);
      return (
        await commit(
          ctx,
          intent(() => set("x"), slot),
        )
      ).change;
    }),
  );
  const rising = Array.from({ length: 50 }, (_, i) => i + 1);
  expect(changes.toSorted((a, b) => Number(a) - Number(b))).toEqual(rising);
  expect((await log.records()).map(({ change }) => change)).toEqual(rising);
  expect(await log.client.keys("blocklist:*")).toHaveLength(50);
  await log.expectSoundChain(50);
});

/** A connection on which another program writes just before the second script call, or before every second one. */
function racingConnection(write: () => Promise<unknown>, isTireless = false) {
  const redis = log.connect();
  let calls = 0;
  return new Proxy(redis, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name !== "evalsha") return member.bind(target);
      return async (...words: unknown[]) => {
        calls++;
        if (calls === 2 || (isTireless && calls % 2 === 0)) await write();
        return member.apply(target, words);
      };
    },
  });
}
