import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseIp } from "../ip/parse.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
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
const clock = () => seconds * 1_000_000;

const fail = (address = here, whose = account) =>
  limits.attempt({ address, account: whose }, async () => undefined);
const succeed = (address = here, whose = account) =>
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

it("counts failures down, and lets nobody try a sixth time within the minute", async () => {
  expect(await limits.attempts(here)).toEqual({ left: 5, of: 5, waitMs: 0 });
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
  expect(await limits.attempts(here)).toMatchObject({ left: 5 });
});

it("makes whoever goes on wait longer each time", async () => {
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
  expect(await limits.attempts(here)).toMatchObject({ left: 5 });
});

it("counts an account that does not exist as one that does", async () => {
  for (let i = 0; i < 5; i++)
    expect(await fail(here, `nobody${i}@example.org`)).toMatchObject({ isTried: true });
  expect(await fail(here, "nobody9@example.org")).toMatchObject({ isTried: false });
});

it("counts IPv6 by /64, and whoever has no address as one", async () => {
  await failTimes(5, ip("2001:db8:1:2::1"));
  expect(await limits.attempts(ip("2001:db8:1:2:ffff::9"))).toMatchObject({ left: 0 });
  expect(await limits.attempts(ip("2001:db8:1:3::1"))).toMatchObject({ left: 5 });
  for (let i = 0; i < 5; i++) await limits.attempt({ address: undefined, account }, async () => undefined);
  expect(await limits.attempts(undefined)).toMatchObject({ left: 0 });
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

it("keeps its counters as Sluice's other rules do", async () => {
  await fail();
  const names = (await server.client.keys("*")).toSorted();
  expect(names).toHaveLength(7);
  expect(names[0]).toBe(`sluice:first-hit:14400:signin/account:${here}|${account}`);
});

describe("while the counters are away", () => {
  it("goes by its own model, which knows the failures before", async () => {
    await failTimes(2);
    await server.kill();
    try {
      expect(await limits.attempts(here)).toMatchObject({ left: 3 });
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
