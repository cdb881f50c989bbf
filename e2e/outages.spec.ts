import { expect, test } from "./fixtures/storefront-test.ts";

const offender = "203.0.113.9";
const newcomer = "192.0.2.44";
/** Another one each time: nobody of them asks so much that a rule would mind. */
let visits = 0;
const visitor = () => `198.18.${(++visits >> 8) & 255}.${visits & 255}`;

/** Asks as the offender and as a visitor, without a pause, until told to stop; then says what was answered. */
function traffic(status: (from: string) => Promise<number>) {
  const seen = { offender: new Set<number>(), visitor: new Set<number>(), requests: 0 };
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const [first, second] = await Promise.all([status(offender), status(visitor())]);
      seen.offender.add(first);
      seen.visitor.add(second);
      seen.requests += 2;
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return seen;
  };
}

test.beforeEach(async ({ shop }) => {
  await shop.redis.client.set(`blocklist:${offender}`, "x");
  await expect.poll(() => shop.status(offender)).toBe(403);
});

/** In the log as soon as an outage is known, whatever its cause. */
const outage = "Lists and policy stay in force as last known.";

/** The truth, as Redis holds it now, reaches the shop within ten seconds. */
const withinTenSeconds = { timeout: 10_000 };

test("Redis is killed and comes back with its data", async ({ shop }) => {
  const stop = traffic(shop.status);
  await shop.redis.kill();
  const refused = `Nothing accepts connections at 127.0.0.1:${shop.redis.port} (ECONNREFUSED).`;
  await expect.poll(() => shop.server.output()).toContain(refused);
  for (let i = 0; i < 200; i++) expect(await shop.status(offender)).toBe(403);
  await shop.redis.restart();
  await shop.redis.client.set(`blocklist:${newcomer}`, "x");
  await expect.poll(() => shop.status(newcomer), withinTenSeconds).toBe(403);
  expect(await stop()).toMatchObject({ offender: new Set([403]), visitor: new Set([200]) });
});

test("Redis is frozen for longer than anybody waits, and thaws", async ({ shop }) => {
  const stop = traffic(shop.status);
  const lines = () => shop.server.output().split(outage).length;
  const before = lines();
  shop.redis.freeze();
  try {
    await expect.poll(lines, withinTenSeconds).toBe(before + 1);
  } finally {
    shop.redis.thaw();
  }
  await shop.redis.client.set(`blocklist:${newcomer}`, "x");
  await expect.poll(() => shop.status(newcomer), withinTenSeconds).toBe(403);
  const seen = await stop();
  expect(seen).toMatchObject({ offender: new Set([403]), visitor: new Set([200]) });
  expect(seen.requests).toBeGreaterThan(200);
});

test("Redis is flushed", async ({ shop }) => {
  const stop = traffic(shop.status);
  await shop.redis.client.flushall();
  await expect.poll(() => shop.status(offender), withinTenSeconds).toBe(200);
  await shop.redis.client.set(`blocklist:${newcomer}`, "x");
  await expect.poll(() => shop.status(newcomer), withinTenSeconds).toBe(403);
  expect((await stop()).visitor).toEqual(new Set([200]));
});

for (const [who, filter] of [
  ["every connection", ["TYPE", "normal"]],
  ["the target of tracking alone", ["TYPE", "pubsub"]],
] as const) {
  test(`${who} is cut`, async ({ shop }) => {
    const stop = traffic(shop.status);
    for (let i = 0; i < 5; i++) {
      await shop.redis.client.call("CLIENT", "KILL", ...filter, "SKIPME", "yes");
      if (who === "every connection") await shop.redis.client.call("CLIENT", "KILL", "TYPE", "pubsub");
      await shop.redis.client.set(`blocklist:192.0.2.${i}`, "x");
      await expect.poll(() => shop.status(`192.0.2.${i}`), withinTenSeconds).toBe(403);
    }
    expect(await stop()).toMatchObject({ offender: new Set([403]), visitor: new Set([200]) });
  });
}

test("Redis comes back empty", async ({ shop }) => {
  const stop = traffic(shop.status);
  await shop.redis.restartEmpty();
  await expect.poll(() => shop.status(offender), withinTenSeconds).toBe(200);
  await shop.redis.client.set(`blocklist:${newcomer}`, "x");
  await expect.poll(() => shop.status(newcomer), withinTenSeconds).toBe(403);
  expect((await stop()).visitor).toEqual(new Set([200]));
});

test.afterAll(({ shop }) => {
  expect(shop.server.output()).not.toMatch(/unhandled|TypeError|at .*\.js:/i);
});
