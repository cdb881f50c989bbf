import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { seal } from "../audit/vitest.log.ts";
import { setMode } from "../policy/set-mode.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { clearEdge } from "./clear.ts";
import { readLimited } from "./limited.ts";
import { sendSightings } from "./sightings.ts";
import { readState, readSweeps } from "./state.ts";
import { Sweep } from "./sweep.ts";
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

function sweeper(
  dictionaries = [shelf],
  options: { leaseMs?: number; everyMs?: number; redis?: Connection } = {},
) {
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
    { fingerprint: { ...shown, key: keyOfOne, ip: one, kind: "standard" }, count: 121, limit: 120 },
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
