import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Fingerprint, sendSightings } from "../../enforce/edge/sightings.ts";
import { isCanonical } from "../../ip/parse.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { seal } from "../audit/vitest.log.ts";
import { setMode } from "../policy/set-mode.ts";
import { clearEdge } from "./clear.ts";
import { readLimited } from "./limited.ts";
import { readPasses, readState } from "./state.ts";
import { switchEdge } from "./switch.ts";
import { EdgeSync, type EdgeSyncOptions } from "./sync.ts";
import { FakeDictionary, standard } from "./vitest.edge.ts";

let server: TestRedis;
let redis: Connection;
let fake: FakeDictionary;
const syncs: EdgeSync[] = [];

beforeEach(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  fake = new FakeDictionary();
});
afterEach(async () => {
  for (const sync of syncs.splice(0)) sync.stop();
  redis.disconnect();
  await server.stop();
});

function syncOf(dictionaries = [fake], options: Partial<EdgeSyncOptions> = {}) {
  const sync = new EdgeSync({ redis, dictionaries, log: () => {}, ...options });
  syncs.push(sync);
  return sync;
}

const signed = () => ({ actor: { name: "ada@example.org", via: "console" }, redis, seal });

const minuteNow = async () => Math.floor(Number((await redis.time())[0]) / 60);

/** Reports requests of a minute, by default the current one, as nodes do. */
async function report(counts: ReadonlyMap<string, number>, minute?: number): Promise<void> {
  const sightings = [...counts].map(([address, more]) => ({ ...standard(address), ...shown, more }));
  const reported = { minute: minute ?? (await minuteNow()), sightings: { standard: sightings, broad: [] } };
  await sendSightings(redis, reported);
}

/** Stores a client that an earlier pass limited. */
async function storeLimited(fingerprint: Fingerprint, lastOver: number): Promise<void> {
  const limited = { fingerprint, since: 0, lastOver, count: 500, limit: 120, until: lastOver * 60_000 };
  await redis.hset(keys.edgeLimited(), fingerprint.key, JSON.stringify(limited));
}

const shown = { host: "shop.example", path: "/foo", method: "GET" };
const [one, other] = ["203.0.113.9", "203.0.113.10"];
const keyOfOne = standard(one).key;

it("limits only clients over the limit, and reports them", async () => {
  await report(
    new Map([
      [one, 121],
      [other, 120],
    ]),
  );
  await syncOf().once();
  expect([...fake.keys]).toEqual([keyOfOne]);
  expect(await readLimited(redis)).toMatchObject([
    {
      fingerprint: { ...shown, key: keyOfOne, ip: one, kind: "standard" },
      count: 121,
      limit: 120,
      at: ["fake"],
    },
  ]);
  expect(await readState(redis)).toMatchObject({
    ...{ isOn: true, mode: "enforce", found: 1, kept: 1 },
    dictionaries: [{ name: "fake", wished: 1, actual: 1, behindSince: null, trouble: null }],
  });
  expect(await readPasses(redis, 5)).toMatchObject([{ dictionary: "fake", added: 1, removed: 0 }]);
  await redis.set(keys.edgeState(), "{");
  await redis.xadd(keys.edgeSweeps(), "*", "sweep", "not JSON");
  expect(await readState(redis)).toBeUndefined();
  expect(await readPasses(redis, 5)).toHaveLength(1);
});

it("ignores counts that another program wrote", async () => {
  await report(new Map([[one, 500]]));
  const strange = [
    "not JSON",
    "{}",
    '["a","b"]',
    JSON.stringify([keyOfOne, "203.0.113.0/24", "", "a", "/", "GET"]),
  ];
  for (const member of strange) await redis.zadd(keys.sightings("standard", await minuteNow()), 900, member);
  await syncOf().once();
  expect([...fake.keys]).toEqual([keyOfOne]);
});

it("does not swap places when too few clients fit", async () => {
  fake.capacity = 1;
  const larger = new FakeDictionary("larger");
  const sync = syncOf([fake, larger]);
  const minute = await minuteNow();
  await report(new Map([[one, 200]]), minute);
  await sync.once();
  await report(new Map([[other, 201]]), minute);
  await sync.once();
  expect([...fake.keys]).toEqual([keyOfOne]);
  expect(larger.keys.size).toBe(2);
  await report(new Map([[other, 200]]), minute);
  await sync.once();
  expect([...fake.keys]).toEqual([standard(other).key]);
});

it("removes a client with the first pass after it is safelisted, also by another program, and limits it again after that", async () => {
  const sync = syncOf();
  await report(new Map([[one, 500]]));
  await sync.once();
  await redis.set("safelist:203.0.113.0/24", "our office");
  await sync.once();
  expect(fake.keys.size).toBe(0);
  await redis.del("safelist:203.0.113.0/24");
  await sync.once();
  expect([...fake.keys]).toEqual([keyOfOne]);
});

it("never denies clients in protected ranges of the settings", async () => {
  const ranges = ["203.0.113.8/31"].filter(isCanonical);
  await report(
    new Map([
      [one, 500],
      [other, 500],
    ]),
  );
  await syncOf([fake], { neverBlock: ranges }).once();
  expect([...fake.keys]).toEqual([standard(other).key]);
});

it("denies no client in shadow, off, or while it is switched off; and all of them again after", async () => {
  const sync = syncOf();
  const ctx = signed();
  await report(new Map([[one, 500]]));
  const isDenied = async () => {
    await sync.once();
    return fake.keys.size === 1;
  };
  expect(await isDenied()).toBe(true);
  for (const mode of ["shadow", "off"] as const) {
    await setMode(ctx, { mode, reason: "" });
    expect(await isDenied(), mode).toBe(false);
    await setMode(ctx, { mode: "enforce", reason: "" });
    expect(await isDenied(), mode).toBe(true);
  }
  await switchEdge(ctx, { isOn: false, reason: "the edge stops customers" });
  expect(await isDenied()).toBe(false);
  expect(await readState(redis)).toMatchObject({ isOn: false, kept: 1, dictionaries: [{ wished: 0 }] });
  await switchEdge(ctx, { isOn: true, reason: "" });
  expect(await isDenied()).toBe(true);
});

it("removes a cleared client, and ignores its earlier requests", async () => {
  const sync = syncOf();
  const minute = await minuteNow();
  await report(
    new Map([
      [one, 500],
      [other, 500],
    ]),
    minute,
  );
  await sync.once();
  const { cleared } = await clearEdge(signed(), { clients: [one], reason: "by phone" });
  expect(cleared).toMatchObject([{ ip: one }]);
  await sync.once();
  expect([...fake.keys]).toEqual([standard(other).key]);
  await report(new Map([[one, 500]]), minute);
  await sync.once();
  expect(fake.keys.size).toBe(1);
});

it("clears a client by any spelling of its address, also if Redis' clock was set back since", async () => {
  const sync = syncOf();
  const fingerprint = standard("2001:db8::9");
  await storeLimited(fingerprint, (await minuteNow()) + 30);
  await sync.once();
  expect([...fake.keys]).toEqual([fingerprint.key]);
  await clearEdge(signed(), { clients: ["2001:DB8:0::0009"], reason: "" });
  await sync.once();
  expect(fake.keys.size).toBe(0);
});

it("is continued by another process after it dies in the middle of a change, without double or stuck keys", async () => {
  let isReached: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  const dead = new FakeDictionary();
  dead.beforeChange = () => {
    isReached();
    return new Promise(() => {});
  };
  await report(new Map([[one, 500]]));
  void syncOf([dead], { leaseMs: 60_000 }).once();
  await reached;
  // The first process is dead, and its lease has run out. Its decisions are stored in Redis.
  fake.keys.add("left by hand");
  const next = syncOf([fake]);
  expect(await next.once()).toBe(false);
  await redis.del(keys.lease("edge"));
  expect(await next.once()).toBe(true);
  expect([...fake.keys]).toEqual([keyOfOne]);
});

it("agrees with a second process that also holds the lease", async () => {
  await report(new Map([[one, 500]]));
  const [first, second] = [syncOf(), syncOf()];
  await first.once();
  await redis.del(keys.lease("edge"));
  await second.once();
  expect([...fake.keys]).toEqual([keyOfOne]);
  await redis.set(`safelist:${one}`, "");
  await second.once();
  expect(fake.keys.size).toBe(0);
  await redis.del(keys.lease("edge"), `safelist:${one}`);
  // It held the lease before, and does not know that another process held it since.
  await first.once();
  await redis.del(keys.lease("edge"));
  await second.once();
  expect([...fake.keys]).toEqual([keyOfOne]);
  expect(await redis.hlen(keys.edgeLimited())).toBe(1);
});

it("holds a lease that outlasts the longest pass, and ends soon enough for a takeover within ten seconds", async () => {
  await syncOf().once();
  const leftMs = await redis.pttl(keys.lease("edge"));
  expect(leftMs).toBeGreaterThan(4_000);
  expect(leftMs).toBeLessThanOrEqual(6_000);
});

it("reverts a late change of the process before", async () => {
  await report(new Map([[one, 500]]));
  // The next process reads the dictionary again after this time. The late change must come before.
  fake.longestCallMs = 3_000;
  let isAsked = false;
  let go = () => {};
  fake.beforeChange = () => {
    isAsked = true;
    return new Promise((resolve) => {
      go = resolve;
    });
  };
  void syncOf([fake]).once();
  await eventually(() => expect(isAsked).toBe(true));
  await redis.del(keys.lease("edge"));
  fake.beforeChange = async () => {};
  await redis.set(`safelist:${one}`, "");
  const next = syncOf();
  await eventually(async () => expect(await next.once()).toBe(true));
  go();
  await eventually(() => expect(fake.keys.size).toBe(1));
  await eventually(async () => {
    await next.once();
    expect(fake.keys.size).toBe(0);
  });
});

it("forgets what it read once its lease has run out and another process has made a pass", async () => {
  await report(new Map([[one, 500]]));
  const [first, second] = [syncOf([fake], { leaseMs: 200 }), syncOf([fake])];
  // Of a busy machine, a pass may take longer than the lease.
  const puts = () =>
    eventually(async () => {
      await first.once();
      expect([...fake.keys]).toEqual([keyOfOne]);
    });
  await puts();
  await redis.set(`safelist:${one}`, "");
  await eventually(async () => expect(await second.once()).toBe(true));
  expect(fake.keys.size).toBe(0);
  await second.close();
  await redis.del(`safelist:${one}`);
  // The first process' copy of the dictionary is out of date.
  await puts();
});

it("leaves passes to a process with an edge, and decides itself while there is none", async () => {
  await report(new Map([[one, 500]]));
  const idle = syncOf([]);
  await idle.once();
  expect(await readState(redis)).toMatchObject({ kept: 1, dictionaries: [] });
  const reaching = syncOf([fake]);
  expect(await reaching.once()).toBe(true);
  expect(await idle.once()).toBe(false);
  expect(await reaching.once()).toBe(true);
  expect(await readState(redis)).toMatchObject({ kept: 1, dictionaries: [{ actual: 1 }] });
});

it("keeps the dictionary while Redis hangs, adds no client, and continues after", async () => {
  const impatient = connectControl(server.url, "promptly");
  await eventually(() => expect(impatient.status).toBe("ready"));
  const sync = syncOf([fake], { everyMs: 20, redis: impatient });
  await report(new Map([[one, 500]]));
  const running = sync.run();
  await eventually(() => expect(fake.keys.size).toBe(1));
  server.freeze();
  await pause(400);
  expect([...fake.keys]).toEqual([keyOfOne]);
  server.thaw();
  await redis.set(`safelist:${one}`, "");
  await eventually(() => expect(fake.keys.size).toBe(0));
  sync.stop();
  await running;
  impatient.disconnect();
});

it("removes a client after its cool-down while Redis is away, and not before", async () => {
  const cut = connectControl(server.url, "promptly");
  await eventually(() => expect(cut.status).toBe("ready"));
  const sync = syncOf([fake], { redis: cut });
  await report(new Map([[one, 500]]));
  await storeLimited(standard(other), (await minuteNow()) + 5);
  await sync.once();
  expect(fake.keys.size).toBe(2);
  cut.disconnect();
  // The first has cooled down by then, and the other has not.
  const clock = vi.spyOn(Date, "now").mockReturnValueOnce(Date.now() + 12 * 60_000);
  expect(await sync.once()).toBe(false);
  clock.mockRestore();
  await eventually(() => expect([...fake.keys]).toEqual([standard(other).key]));
});

it("pauses after a failure of one edge, and does not delay the others", async () => {
  const broken = new FakeDictionary("broken");
  broken.isDown = true;
  await report(new Map([[one, 500]]));
  await syncOf([broken, fake]).once();
  expect(fake.keys.size).toBe(1);
  expect(await readState(redis)).toMatchObject({
    dictionaries: [{ name: "broken", actual: null, trouble: expect.any(String) }, { actual: 1 }],
  });
});

it("finds a client over the limit behind many that may not be denied", async () => {
  const sightings = Array.from({ length: 1_500 }, (_, i) => ({
    ...{ ...standard(`10.0.${i >> 8}.${i & 255}`), ...shown, more: 1_000 + i },
  }));
  await sendSightings(redis, { minute: await minuteNow(), sightings: { standard: sightings, broad: [] } });
  await report(new Map([[one, 500]]));
  await redis.hset(keys.neverBlock(), "10.0.0.0/16", "{}");
  await syncOf().once();
  expect([...fake.keys]).toEqual([keyOfOne]);
});

it("lets another process try if it reaches none of its edges, and retries later", async () => {
  const broken = new FakeDictionary("broken");
  broken.isDown = true;
  await report(new Map([[one, 500]]));
  const far = syncOf([broken]);
  expect(await far.once()).toBe(true);
  expect(await far.once()).toBe(false);
  expect(await syncOf().once()).toBe(true);
  expect(fake.keys.size).toBe(1);
  await redis.del(keys.lease("edge"));
  await eventually(async () => expect(await far.once()).toBe(true));
});

it("pauses after a change of a slow edge, unless a client must be removed", async () => {
  fake.restMs = 60_000;
  const sync = syncOf();
  await report(new Map([[one, 500]]));
  await sync.once();
  await report(new Map([[other, 500]]));
  await sync.once();
  expect(fake.calls).toBe(1);
  await redis.set(`safelist:${one}`, "");
  await sync.once();
  expect([...fake.keys]).toEqual([standard(other).key]);
});

it("does not pause after a read that changes nothing", async () => {
  fake.restMs = 60_000;
  const sync = syncOf();
  await sync.once();
  await report(new Map([[one, 500]]));
  await sync.once();
  expect([...fake.keys]).toEqual([keyOfOne]);
});

it("keeps the worst thousand of a hundred thousand, and reports their number", async () => {
  const sightings = Array.from({ length: 100_000 }, (_, i) => {
    const address = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    return { ...standard(address), ...shown, more: 121 + i };
  });
  const minute = await minuteNow();
  for (let i = 0; i < sightings.length; i += 10_000)
    await sendSightings(redis, {
      minute,
      sightings: { standard: sightings.slice(i, i + 10_000), broad: [] },
    });
  await syncOf().once();
  expect(fake.keys.size).toBe(1_000);
  expect(fake.keys).toEqual(new Set(sightings.slice(-1_000).map(({ key }) => key)));
  expect(await readState(redis)).toMatchObject({ found: 100_000, kept: 1_000 });
});
