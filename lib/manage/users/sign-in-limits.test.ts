import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ip, parseIp } from "../../ip/parse.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { SignInLimits } from "./sign-in-limits.ts";

let server: TestRedis;
let redis: Connection;
let seconds: number;
let limits: SignInLimits;

const ip = (text: string) => {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};
const here = ip("198.51.100.24");
const elsewhere = ip("203.0.113.9");
const account = "ops@example.org";
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);
const clock = () => seconds * 1_000_000;

const signedIn = (whose: string, address: Ip) =>
  server.client.hset(
    "sluice:sign-ins",
    whose,
    JSON.stringify({ at: new Date().toISOString(), by: "password", address }),
  );
/** From now on nothing waits. Returns for how long it would have. */
const pausedBy = () => {
  const paused: number[] = [];
  limits = new SignInLimits(redis, { clock, pause: async (ms) => void paused.push(ms) });
  return paused;
};

const fail = (address: Ip | undefined = here, whose = account) =>
  limits.attempt({ address, account: whose }, async () => undefined);
const succeed = (address: Ip | undefined = here, whose = account) =>
  limits.attempt({ address, account: whose }, async () => "in" as const);
const failTimes = async (times: number, address = here) => {
  for (let i = 0; i < times; i++) await fail(address);
};

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  await redis.ping();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await server.client.flushall();
  seconds = 1_790_000_000;
  limits = new SignInLimits(redis, { clock });
});

it("counts failures down, and refuses a sixth attempt within the minute", async () => {
  expect(await limits.attempts({ address: here })).toEqual({ left: 5, of: 5, waitMs: 0 });
  for (const left of [4, 3, 2, 1])
    expect(await fail()).toEqual({ failed: { left, of: 5, waitMs: 0 }, isTried: true });
  expect(await fail()).toEqual({ failed: { left: 0, of: 5, waitMs: 60_000 }, isTried: true });
  seconds += 20;
  let isTried = false;
  const sixth = await limits.attempt({ address: here, account }, async () => {
    isTried = true;
    return "in";
  });
  expect(sixth).toEqual({ failed: { left: 0, of: 5, waitMs: 40_000 }, isTried: false });
  expect(isTried).toBe(false);
  seconds += 40;
  expect(await succeed()).toEqual({ done: "in" });
});

it("does not count who gets in", async () => {
  for (let i = 0; i < 50; i++) expect(await succeed()).toEqual({ done: "in" });
  expect(await limits.attempts({ address: here })).toMatchObject({ left: 5 });
});

it("makes the next wait longer each time", async () => {
  const waits: number[] = [];
  for (let i = 0; i < 30; i++) {
    const failed = await fail();
    if (!("failed" in failed) || failed.failed.left > 0) continue;
    waits.push(failed.failed.waitMs / 1_000);
    seconds += failed.failed.waitMs / 1_000;
  }
  // A minute after five, the rest of 15 min after ten, and of 4 h after twenty of one account.
  expect(waits).toEqual([60, 840, 60, 13_440, 60, expect.any(Number)]);
  expect(waits.at(-1)).toBeGreaterThan(60_000);
});

it("never locks a colleague out for what a stranger does elsewhere", async () => {
  await failTimes(5, elsewhere);
  expect(await succeed(elsewhere)).toMatchObject({ isTried: false });
  expect(await succeed(here)).toEqual({ done: "in" });
  expect(await limits.attempts({ address: here })).toMatchObject({ left: 5 });
});

it("counts an account that does not exist as one that does", async () => {
  for (let i = 0; i < 5; i++)
    expect(await fail(here, `nobody${i}@example.org`)).toMatchObject({ isTried: true });
  expect(await fail(here, "nobody9@example.org")).toMatchObject({ isTried: false });
});

it("counts IPv6 by /64", async () => {
  await failTimes(5, ip("2001:db8:1:2::1"));
  expect(await limits.attempts({ address: ip("2001:db8:1:2:ffff::9") })).toMatchObject({ left: 0 });
  expect(await limits.attempts({ address: ip("2001:db8:1:3::1") })).toMatchObject({ left: 5 });
});

it("counts IPv6 by /48, too, with more room: a tunnel's 65,536 networks are no 65,536 strangers", async () => {
  let tried = 0;
  for (let n = 1; n <= 200; n++) {
    const failed = await fail(ip(`2001:db8:7:${n.toString(16)}::1`), `nobody${n}@example.org`);
    if ("isTried" in failed && failed.isTried) tried++;
  }
  expect(tried).toBe(20);
  expect(await limits.attempts({ address: ip("2001:db8:7:ffff::1") })).toEqual({
    left: 0,
    of: 5,
    waitMs: 60_000,
  });
  expect(await limits.attempts({ address: ip("2001:db8:8::1") })).toMatchObject({ left: 5 });
  seconds += 60;
  expect(await limits.attempts({ address: ip("2001:db8:7:ffff::1") })).toMatchObject({ left: 5 });
});

describe("an address that many people may share, of a proxy that the settings do not name", () => {
  const shared = [undefined, ip("172.18.0.1"), ip("10.0.0.9"), ip("127.0.0.1"), ip("fd00::1"), ip("::1")];

  const failThere = (address: Ip | undefined, i: number) =>
    limits.attempt({ address, account: `nobody${i}@example.org` }, async () => undefined);

  it.each(shared)("is slowed down after 50 failures a minute, and never refused: %s", async (address) => {
    const paused = pausedBy();
    for (let i = 0; i < 50; i++) await failThere(address, i);
    expect(paused).toEqual([]);
    for (let i = 50; i < 70; i++) expect(await failThere(address, i)).toMatchObject({ isTried: true });
    expect(paused).toEqual(new Array(20).fill(2_000));
    const unlimited = { left: Number.POSITIVE_INFINITY, of: Number.POSITIVE_INFINITY, waitMs: 0 };
    expect(await limits.attempts({ address })).toEqual(unlimited);
    seconds += 60;
    expect(await limits.attempt({ address, account }, async () => "in")).toEqual({ done: "in" });
    expect(paused).toHaveLength(20);
  });

  it("lets a right password in after 2,000 failures", async () => {
    pausedBy();
    const address = ip("172.18.0.1");
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => failThere(address, i)));
    expect(await succeed(address)).toEqual({ done: "in" });
  });

  it("does not delay other clients behind a client whose attempt takes long", async () => {
    const address = ip("172.18.0.1");
    let end = () => {};
    const slow = limits.attempt(
      { address, account },
      () => new Promise<"in">((resolve) => (end = () => resolve("in"))),
    );
    expect(await succeed(address, "other@example.org")).toEqual({ done: "in" });
    end();
    await slow;
  });

  it("may be public, once a user has signed in from there", async () => {
    const origin = { address: elsewhere, isForwarded: true };
    const attempt = (work: () => Promise<"in" | undefined>) => limits.attempt({ ...origin, account }, work);
    for (let i = 0; i < 6; i++) await attempt(async () => undefined);
    expect(await attempt(async () => "in")).toMatchObject({ isTried: false });
    await signedIn("ada@example.org", elsewhere);
    expect(await attempt(async () => "in")).toEqual({ done: "in" });
    expect(await limits.attempts(origin)).toMatchObject({ left: Number.POSITIVE_INFINITY });
    // Without the header it is a client like any other.
    expect(await limits.attempts({ address: elsewhere })).toMatchObject({ left: 0 });
    expect(await limits.attempts({ address: here, isForwarded: true })).toMatchObject({ left: 5 });
  });
});

describe("an account that fails from many addresses", () => {
  const stranger = (i: number) => ip(`203.0.${i >> 8}.${i & 255}`);

  it("is slowed down after 50 within an hour, and never locked, whatever strangers do", async () => {
    const paused = pausedBy();
    for (let i = 0; i < 50; i++) await fail(stranger(i));
    expect(paused).toEqual([]);
    for (let i = 50; i < 300; i++) expect(await fail(stranger(i))).toMatchObject({ isTried: true });
    expect(paused).toEqual(new Array(250).fill(2_000));
    expect(await succeed(here)).toEqual({ done: "in" });
    expect(await succeed(here, "other@example.org")).toEqual({ done: "in" });
    expect(paused).toHaveLength(251);
    seconds += 3_600;
    expect(await succeed(here)).toEqual({ done: "in" });
    expect(paused).toHaveLength(251);
  });

  it("gives attempts turns, one in 2 s, and puts the address of the last sign-in first", async () => {
    await signedIn(account, here);
    const ends: (() => void)[] = [];
    limits = new SignInLimits(redis, {
      clock,
      pause: () => new Promise<void>((resolve) => ends.push(resolve)),
    });
    for (let i = 0; i < 50; i++) await fail(stranger(i));
    let tried = 0;
    let refused = 0;
    const attempts = Array.from({ length: 200 }, async (_, i) => {
      const failed = await limits.attempt({ address: stranger(100 + i), account }, async () => void tried++);
      if ("isTried" in failed && !failed.isTried) refused++;
      return failed;
    });
    await eventually(() => expect(refused).toBe(185));
    for (let turn = 0; turn < 15; turn++) {
      await eventually(() => expect(ends).toHaveLength(1));
      expect(tried).toBe(turn);
      expect(await succeed(here)).toEqual({ done: "in" });
      ends.pop()?.();
      await eventually(() => expect(tried).toBe(turn + 1));
    }
    expect((await Promise.all(attempts)).at(-1)).toMatchObject({ failed: { left: 0, waitMs: 30_000 } });
    expect(tried).toBe(15);
  });

  it("takes the network of an IPv6 address for where it signed in last, and no address of a proxy", async () => {
    for (let i = 0; i < 50; i++) await fail(stranger(i));
    const paused = pausedBy();
    const waits = async (from: Parameters<typeof limits.attempts>[0]) => {
      const { length } = paused;
      await limits.attempt({ ...from, account }, async () => "in");
      return paused.length > length;
    };
    await signedIn(account, ip("2001:db8:1:2::3"));
    expect(await waits({ address: ip("2001:db8:1:9::7") })).toBe(false);
    expect(await waits({ address: ip("2001:db8:2:2::3") })).toBe(true);
    await signedIn(account, elsewhere);
    expect(await waits({ address: elsewhere })).toBe(false);
    expect(await waits({ address: elsewhere, isForwarded: true })).toBe(true);
    await signedIn(account, ip("172.18.0.1"));
    expect(await waits({ address: ip("172.18.0.1") })).toBe(true);
  });

  it("says so once an hour", async () => {
    pausedBy();
    const begun: number[] = [];
    for (let i = 1; i <= 120; i++) {
      const failed = await fail(stranger(i));
      if ("beginsSlowdown" in failed) begun.push(i);
    }
    expect(begun).toEqual([50]);
  });

  it("waits for real", async () => {
    for (let i = 0; i < 50; i++) await fail(stranger(i));
    const from = performance.now();
    await succeed(here);
    expect(performance.now() - from).toBeGreaterThan(1_990);
  });

  it("does not make an address wait that has no attempts left", async () => {
    const paused = pausedBy();
    for (let i = 0; i < 60; i++) await fail(stranger(i));
    paused.length = 0;
    await failTimes(5);
    expect(await succeed()).toMatchObject({ isTried: false });
    expect(paused).toHaveLength(5);
  });
});

it("looks at five passwords of forty that are sent at once", async () => {
  let looked = 0;
  const attempts = Array.from({ length: 40 }, () =>
    limits.attempt({ address: here, account }, async () => {
      looked++;
      await new Promise((resolve) => setImmediate(resolve));
      return undefined;
    }),
  );
  await Promise.all(attempts);
  expect(looked).toBe(5);
});

it("goes on with the next when one throws", async () => {
  const broken = limits.attempt({ address: here, account }, () => Promise.reject(new Error("Redis is away")));
  const next = succeed();
  await expect(broken).rejects.toThrow("Redis is away");
  expect(await next).toEqual({ done: "in" });
});

it("keeps its counters where no rule and no node's account reaches them, and only as long as they count", async () => {
  await fail();
  const names = (await server.client.keys("*")).toSorted();
  expect(names).toHaveLength(8);
  expect(names[0]).toBe(`sluice:sign-in-failures:14400:account:${digest(`${here}|${account}`)}`);
  for (const name of names) {
    expect(name).toMatch(/^sluice:sign-in-failures:/);
    expect(await server.client.pttl(name)).toBeGreaterThan(0);
    expect(await server.client.pttl(name)).toBeLessThanOrEqual(86_400_000);
  }
});

it.each(["x", "5", "999999 99999999999999999", "-1 5"])(
  "takes a counter that holds %s for an empty one",
  async (text) => {
    await server.client.set(`sluice:sign-in-failures:60:address:${digest(here)}`, text);
    await server.client.lpush(`sluice:sign-in-failures:900:address:${digest(here)}`, text);
    expect(await fail()).toMatchObject({ failed: { left: 4 } });
    expect(await limits.attempts({ address: here })).toMatchObject({ left: 4 });
  },
);

describe("while the counters are away", () => {
  it("goes by its own model, which knows the failures before", async () => {
    await failTimes(2);
    await server.kill();
    try {
      expect(await limits.attempts({ address: here })).toMatchObject({ left: 3 });
      await failTimes(3);
      expect(await succeed()).toMatchObject({ failed: { left: 0 }, isTried: false });
      expect(await succeed(elsewhere)).toEqual({ done: "in" });
      seconds += 60;
      expect(await succeed()).toEqual({ done: "in" });
    } finally {
      await server.restart();
    }
  });
});
