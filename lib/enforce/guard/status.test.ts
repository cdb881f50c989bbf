import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard, type GuardOptions } from "./guard.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);

let server: TestRedis;
let guard: Guard;
let lines: string[];

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(async () => {
  lines = [];
  await server.client.flushall();
});
afterEach(async () => {
  vi.useRealTimers();
  await guard.close();
});
afterAll(() => server.stop());

function open(options: Partial<GuardOptions> = {}): void {
  guard = createGuard({ redis: server.url, app: "shop", log: (line) => lines.push(line), ...options });
}

const becomes = (state: string, why?: RegExp) =>
  eventually(() => {
    const status = guard.status();
    expect(status.state).toBe(state);
    if (why) expect(status.why).toMatch(why);
    return status;
  });

/** Some time later. */
const later = () => new Promise((resolve) => setTimeout(resolve, 30));

/** The state lasts, and so does the moment at which it began. */
async function expectSameSince(): Promise<Date> {
  const { state, since } = guard.status();
  await later();
  await guard.check({ ip: "203.0.113.9", path: "/" });
  expect(guard.status()).toMatchObject({ state, since });
  return since;
}

async function startSilent(): Promise<{ port: number; stop(): void }> {
  const sockets: Socket[] = [];
  const silent: Server = createServer((socket) => sockets.push(socket.on("error", () => {})));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  return {
    // The one cast: a server that listens on TCP has such an address.
    port: (silent.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy();
      silent.close();
    },
  };
}

it("names a server that accepts connections and does not answer, while the guard starts and afterwards", async () => {
  const silent = await startSilent();
  try {
    open({ redis: `redis://127.0.0.1:${silent.port}` });
    expect(guard.status()).toMatchObject({ state: "starting", why: "Lists and policy are being loaded." });
    const noAnswer = new RegExp(
      `^Redis at 127\\.0\\.0\\.1:${silent.port} does not answer\\..* all requests pass`,
    );
    const starting = await becomes("starting", noAnswer);
    expect(Date.now() - starting.since.getTime()).toBeLessThan(2_000);
    const degraded = await becomes("degraded", noAnswer);
    expect(degraded.since.getTime()).toBeGreaterThan(starting.since.getTime());
    await eventually(() =>
      expect(lines).toEqual([expect.stringMatching(/^sluice: Redis at .* does not answer\./)]),
    );
  } finally {
    silent.stop();
  }
});

it("names a Redis that stops answering", async () => {
  const own = await startRedis();
  try {
    open({ redis: own.url });
    await guard.ready();
    own.freeze();
    await becomes("degraded", /^Redis at .* does not answer\. .* stay in force as last known\.$/);
  } finally {
    await own.stop();
  }
});

it("begins with each state, and not within one", async () => {
  open();
  const { since: started } = guard.status();
  await guard.ready();
  const { since: ready } = await becomes("ready");
  expect(ready.getTime()).toBeGreaterThanOrEqual(started.getTime());
  // Everything is loaded again, and nothing was missing.
  await server.client.flushall();
  expect(await expectSameSince()).toEqual(ready);
  await later();
  await server.kill();
  const { since: away } = await becomes("degraded");
  expect(away.getTime()).toBeGreaterThan(ready.getTime());
  expect(await expectSameSince()).toEqual(away);
  await server.restart();
  const { since: back } = await becomes("ready");
  expect(back.getTime()).toBeGreaterThan(away.getTime());
  expect(await expectSameSince()).toEqual(back);
});

it("is degraded while what is saved is no policy, and ready from the moment of one that is", async () => {
  await server.client.set(keys.policy(), "{}");
  open();
  await guard.ready();
  await becomes("degraded", /^The policy in Redis cannot be used\. No rule is enforced; the lists are\.$/);
  const unusable = await expectSameSince();
  await later();
  await server.client.del(keys.policy());
  const { since } = await becomes("ready");
  expect(since.getTime()).toBeGreaterThan(unusable.getTime());
  expect(await expectSameSince()).toEqual(since);
});

it("is degraded while the counters are away, also where no request misses them", async () => {
  const counters = await startRedis();
  try {
    open({ counters: counters.url });
    await guard.ready();
    const { since: ready } = await becomes("ready");
    await later();
    await counters.kill();
    const why = /^The counters are unavailable\. Nothing accepts connections at .* Each rule does what/;
    const { since: away } = await becomes("degraded", why);
    expect(away.getTime()).toBeGreaterThan(ready.getTime());
    expect(await expectSameSince()).toEqual(away);
    await counters.restart();
    const { since: back } = await becomes("ready");
    expect(back.getTime()).toBeGreaterThan(away.getTime());
    expect(await expectSameSince()).toEqual(back);
  } finally {
    await counters.stop();
  }
});

it("logs an outage again every five minutes, with how long it has lasted", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  open({ redis: `redis://127.0.0.1:${await freePort()}` });
  // Connections fail in real time: between two steps of the clock, they may.
  const pass = async (ms: number) => {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(ms);
  };
  while (lines.length === 0) await pass(50);
  const line = /^sluice: Nothing accepts connections at .* all requests pass\.$/;
  expect(lines).toEqual([expect.stringMatching(line)]);
  for (let second = 0; second < 10 * 60; second++) await pass(1_000);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/: all requests pass\. This has lasted 5 min\.$/),
    expect.stringMatching(/: all requests pass\. This has lasted 10 min\.$/),
  ]);
});
