import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { seal } from "../audit/vitest.log.ts";
import { isCanonical } from "../ip/parse.ts";
import { setMode } from "../policy/set-mode.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { clearEdge } from "./clear.ts";
import { readLimited } from "./limited.ts";
import { type Fingerprint, sendSightings } from "./sightings.ts";
import { readState, readSweeps } from "./state.ts";
import { Sweep, type SweepOptions } from "./sweep.ts";
import { switchEdge } from "./switch.ts";
import { Shelf, standard } from "./vitest.edge.ts";

let server: TestRedis;
let redis: Connection;
let shelf: Shelf;
const sweeps: Sweep[] = [];

beforeEach(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  shelf = new Shelf();
});
afterEach(async () => {
  for (const sweep of sweeps.splice(0)) sweep.stop();
  redis.disconnect();
  await server.stop();
});

function sweeper(dictionaries = [shelf], options: Partial<SweepOptions> = {}) {
  const sweep = new Sweep({ redis, dictionaries, log: () => {}, ...options });
  sweeps.push(sweep);
  return sweep;
}

const signed = () => ({ actor: { name: "ada@example.org", via: "console" }, redis, seal });

const minuteNow = async () => Math.floor(Number((await redis.time())[0]) / 60);

/** So often they came in this minute, as nodes tell it. */
async function come(counts: ReadonlyMap<string, number>): Promise<void> {
  const sightings = [...counts].map(([address, more]) => ({ ...standard(address), ...shown, more }));
  await sendSightings(redis, { minute: await minuteNow(), sightings: { standard: sightings, broad: [] } });
}

/** As a sweep before has decided. */
async function keep(fingerprint: Fingerprint, lastOver: number): Promise<void> {
  const limited = { fingerprint, since: 0, lastOver, count: 500, limit: 120, until: lastOver * 60_000 };
  await redis.hset(keys.edgeLimited(), fingerprint.key, JSON.stringify(limited));
}

const shown = { host: "shop.example", path: "/foo", method: "GET" };
const [one, other] = ["203.0.113.9", "203.0.113.10"];
const keyOfOne = standard(one).key;

it("limits who came too often, tells of it, and lets nobody else feel it", async () => {
  await come(
    new Map([
      [one, 121],
      [other, 120],
    ]),
  );
  await sweeper().once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
  expect(await readLimited(redis)).toMatchObject([
    {
      fingerprint: { ...shown, key: keyOfOne, ip: one, kind: "standard" },
      count: 121,
      limit: 120,
      at: ["shelf"],
    },
  ]);
  expect(await readState(redis)).toMatchObject({
    ...{ isOn: true, mode: "enforce", found: 1, kept: 1 },
    dictionaries: [{ name: "shelf", wished: 1, actual: 1, behindSince: null, trouble: null }],
  });
  expect(await readSweeps(redis, 5)).toMatchObject([{ dictionary: "shelf", added: 1, removed: 0 }]);
  await redis.set(keys.edgeState(), "{");
  await redis.xadd(keys.edgeSweeps(), "*", "sweep", "not JSON");
  expect(await readState(redis)).toBeUndefined();
  expect(await readSweeps(redis, 5)).toHaveLength(1);
});

it("goes on beside what somebody else has written among the counts", async () => {
  await come(new Map([[one, 500]]));
  const strange = [
    "not JSON",
    "{}",
    '["a","b"]',
    JSON.stringify([keyOfOne, "203.0.113.0/24", "", "a", "/", "GET"]),
  ];
  for (const member of strange) await redis.zadd(keys.sightings("standard", await minuteNow()), 900, member);
  await sweeper().once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
});

it("does not change places to and fro where too few fit", async () => {
  shelf.capacity = 1;
  const larger = new Shelf("larger");
  const sweep = sweeper([shelf, larger]);
  await come(new Map([[one, 200]]));
  await sweep.once();
  await come(new Map([[other, 201]]));
  await sweep.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
  expect(larger.keys.size).toBe(2);
  await come(new Map([[other, 200]]));
  await sweep.once();
  expect([...shelf.keys]).toEqual([standard(other).key]);
});

it("lets in with the next sweep who is safelisted, also by somebody else's hand, and counts again once that ends", async () => {
  const sweep = sweeper();
  await come(new Map([[one, 500]]));
  await sweep.once();
  await redis.set("safelist:203.0.113.0/24", "our own");
  await sweep.once();
  expect(shelf.keys.size).toBe(0);
  await redis.del("safelist:203.0.113.0/24");
  await sweep.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
});

it("turns nobody away of whom that is never to be done, by whoever's word", async () => {
  const ranges = ["203.0.113.8/31"].filter(isCanonical);
  await come(
    new Map([
      [one, 500],
      [other, 500],
    ]),
  );
  await sweeper([shelf], { neverBlock: ranges }).once();
  expect([...shelf.keys]).toEqual([standard(other).key]);
});

it("turns nobody away in shadow, off, or while it is switched off; and everybody again after", async () => {
  const sweep = sweeper();
  const ctx = signed();
  await come(new Map([[one, 500]]));
  const isAway = async () => {
    await sweep.once();
    return shelf.keys.size === 1;
  };
  expect(await isAway()).toBe(true);
  for (const mode of ["shadow", "off"] as const) {
    await setMode(ctx, { mode, reason: "" });
    expect(await isAway(), mode).toBe(false);
    await setMode(ctx, { mode: "enforce", reason: "" });
    expect(await isAway(), mode).toBe(true);
  }
  await switchEdge(ctx, { isOn: false, reason: "the edge stops customers" });
  expect(await isAway()).toBe(false);
  expect(await readState(redis)).toMatchObject({ isOn: false, kept: 1, dictionaries: [{ wished: 0 }] });
  await switchEdge(ctx, { isOn: true, reason: "" });
  expect(await isAway()).toBe(true);
});

it("lets one in that is cleared by hand, and holds nothing of before against it", async () => {
  const sweep = sweeper();
  await come(
    new Map([
      [one, 500],
      [other, 500],
    ]),
  );
  await sweep.once();
  const { cleared } = await clearEdge(signed(), { clients: [one], reason: "by phone" });
  expect(cleared).toMatchObject([{ ip: one }]);
  await sweep.once();
  expect([...shelf.keys]).toEqual([standard(other).key]);
  await come(new Map([[one, 500]]));
  await sweep.once();
  expect(shelf.keys.size).toBe(1);
});

it("lets one in by any spelling of its address, also when it was turned away by a clock that was set back since", async () => {
  const sweep = sweeper();
  const fingerprint = standard("2001:db8::9");
  await keep(fingerprint, (await minuteNow()) + 30);
  await sweep.once();
  expect([...shelf.keys]).toEqual([fingerprint.key]);
  await clearEdge(signed(), { clients: ["2001:DB8:0::0009"], reason: "" });
  await sweep.once();
  expect(shelf.keys.size).toBe(0);
});

it("is followed by another process when it dies in the midst of a change, and nothing doubles or sticks", async () => {
  let isReached: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  const dead = new Shelf();
  dead.beforeChange = () => {
    isReached();
    return new Promise(() => {});
  };
  await come(new Map([[one, 500]]));
  void sweeper([dead], { leaseMs: 300 }).once();
  await reached;
  // It never comes back. What it had decided is known.
  shelf.keys.add("left by hand");
  const next = sweeper([shelf], { leaseMs: 300 });
  await eventually(async () => expect(await next.once()).toBe(true));
  expect([...shelf.keys]).toEqual([keyOfOne]);
});

it("agrees with a second process that believes the sweep is its own", async () => {
  await come(new Map([[one, 500]]));
  const [first, second] = [sweeper(), sweeper()];
  await first.once();
  await redis.del(keys.lease("edge"));
  await second.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
  await redis.set(`safelist:${one}`, "");
  await second.once();
  expect(shelf.keys.size).toBe(0);
  await redis.del(keys.lease("edge"), `safelist:${one}`);
  // It held the sweep before, and does not know that somebody had it meanwhile.
  await first.once();
  await redis.del(keys.lease("edge"));
  await second.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
  expect(await redis.hlen(keys.edgeLimited())).toBe(1);
});

it("undoes what the one before has changed late", async () => {
  await come(new Map([[one, 500]]));
  let isAsked = false;
  let go = () => {};
  shelf.beforeChange = () => {
    isAsked = true;
    return new Promise((resolve) => {
      go = resolve;
    });
  };
  void sweeper([shelf], { leaseMs: 100 }).once();
  await eventually(() => expect(isAsked).toBe(true));
  shelf.beforeChange = async () => {};
  await redis.set(`safelist:${one}`, "");
  const next = sweeper();
  await eventually(async () => expect(await next.once()).toBe(true));
  go();
  await eventually(() => expect(shelf.keys.size).toBe(1));
  await eventually(async () => {
    await next.once();
    expect(shelf.keys.size).toBe(0);
  });
});

it("does not go by what it knew once its lease has run out and somebody else has swept", async () => {
  await come(new Map([[one, 500]]));
  const [first, byHand] = [sweeper([shelf], { leaseMs: 200 }), sweeper([shelf])];
  await first.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
  await redis.set(`safelist:${one}`, "");
  await eventually(async () => expect(await byHand.once()).toBe(true));
  expect(shelf.keys.size).toBe(0);
  await byHand.close();
  await redis.del(`safelist:${one}`);
  // What it believes to be there is gone.
  await first.once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
});

it("leaves it to who reaches an edge, and decides by itself as long as nobody does", async () => {
  await come(new Map([[one, 500]]));
  const idle = sweeper([]);
  await idle.once();
  expect(await readState(redis)).toMatchObject({ kept: 1, dictionaries: [] });
  const reaching = sweeper([shelf]);
  expect(await reaching.once()).toBe(true);
  expect(await idle.once()).toBe(false);
  expect(await reaching.once()).toBe(true);
  expect(await readState(redis)).toMatchObject({ kept: 1, dictionaries: [{ actual: 1 }] });
});

it("keeps to what it knows while Redis hangs, lets nobody new be turned away, and goes on by itself", async () => {
  const impatient = connectControl(server.url, "promptly");
  await eventually(() => expect(impatient.status).toBe("ready"));
  const sweep = sweeper([shelf], { everyMs: 20, redis: impatient });
  await come(new Map([[one, 500]]));
  const running = sweep.run();
  await eventually(() => expect(shelf.keys.size).toBe(1));
  server.freeze();
  await pause(400);
  expect([...shelf.keys]).toEqual([keyOfOne]);
  server.thaw();
  await redis.set(`safelist:${one}`, "");
  await eventually(() => expect(shelf.keys.size).toBe(0));
  sweep.stop();
  await running;
  impatient.disconnect();
});

it("lets in who has cooled down while Redis is away, and nobody before that", async () => {
  const cut = connectControl(server.url, "promptly");
  await eventually(() => expect(cut.status).toBe("ready"));
  const sweep = sweeper([shelf], { redis: cut });
  await come(new Map([[one, 500]]));
  await keep(standard(other), (await minuteNow()) + 5);
  await sweep.once();
  expect(shelf.keys.size).toBe(2);
  cut.disconnect();
  // The first has cooled down by then, and the other has not.
  const clock = vi.spyOn(Date, "now").mockReturnValueOnce(Date.now() + 12 * 60_000);
  expect(await sweep.once()).toBe(false);
  clock.mockRestore();
  await eventually(() => expect([...shelf.keys]).toEqual([standard(other).key]));
});

it("rests after trouble with one edge, and does not let the others wait", async () => {
  const broken = new Shelf("broken");
  broken.isDown = true;
  await come(new Map([[one, 500]]));
  await sweeper([broken, shelf]).once();
  expect(shelf.keys.size).toBe(1);
  expect(await readState(redis)).toMatchObject({
    dictionaries: [{ name: "broken", actual: null, trouble: expect.any(String) }, { actual: 1 }],
  });
});

it("finds who is to be turned away behind however many whom nobody may", async () => {
  const sightings = Array.from({ length: 1_500 }, (_, i) => ({
    ...{ ...standard(`10.0.${i >> 8}.${i & 255}`), ...shown, more: 1_000 + i },
  }));
  await sendSightings(redis, { minute: await minuteNow(), sightings: { standard: sightings, broad: [] } });
  await come(new Map([[one, 500]]));
  await redis.hset(keys.neverBlock(), "10.0.0.0/16", "{}");
  await sweeper().once();
  expect([...shelf.keys]).toEqual([keyOfOne]);
});

it("lets another process try when it reaches none of its edges, and tries again itself", async () => {
  const broken = new Shelf("broken");
  broken.isDown = true;
  await come(new Map([[one, 500]]));
  const far = sweeper([broken]);
  expect(await far.once()).toBe(true);
  expect(await far.once()).toBe(false);
  expect(await sweeper().once()).toBe(true);
  expect(shelf.keys.size).toBe(1);
  await redis.del(keys.lease("edge"));
  await eventually(async () => expect(await far.once()).toBe(true));
});

it("lets an edge rest that is slow to change, unless somebody is to be let in", async () => {
  shelf.restMs = 60_000;
  const sweep = sweeper();
  await come(new Map([[one, 500]]));
  await sweep.once();
  await come(new Map([[other, 500]]));
  await sweep.once();
  expect(shelf.calls).toBe(1);
  await redis.set(`safelist:${one}`, "");
  await sweep.once();
  expect([...shelf.keys]).toEqual([standard(other).key]);
});

it("keeps the worst thousand of a hundred thousand, and says how many there are", async () => {
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
  await sweeper().once();
  expect(shelf.keys.size).toBe(1_000);
  expect(shelf.keys).toEqual(new Set(sightings.slice(-1_000).map(({ key }) => key)));
  expect(await readState(redis)).toMatchObject({ found: 100_000, kept: 1_000 });
});
