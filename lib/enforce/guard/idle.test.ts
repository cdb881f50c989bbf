import { createHook } from "node:async_hooks";
import { type AddressInfo, createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { startSentinelSet } from "../../redis/testing-topologies.ts";
import { policySchema } from "../policy/schema.ts";
import { writePolicy } from "../policy/stored.ts";
import { createGuard, type Guard, type GuardOptions } from "./guard.ts";

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
  // Without slack, so that each check waits for Redis.
  const rule = {
    name: "exact",
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 1_000, periodSeconds: 3_600 }],
  };
  const policy = policySchema.parse({ mode: "enforce", rules: [rule], tiers: {} });
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "", policy };
  await server.client.set(keys.policy(), writePolicy(stored));
  // The test's own connection keeps the process alive.
  server.client.disconnect();
});
afterAll(() => server.stop());

const opened = ["TCPSocketWrap", "TCPConnectWrap", "GetAddrInfoReqWrap", "Timeout", "Immediate"];

/** What keeps this process alive, of the kinds that a guard opens. */
function holders(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => opened.includes(kind));
}

/** Of a memcached, by the first word of a line. */
const replies: Readonly<Record<string, string>> = {
  version: "VERSION 1.6.0\r\n",
  get: "END\r\n",
  gets: "END\r\n",
  incr: "NOT_FOUND\r\n",
  add: "STORED\r\n",
};

/** Timers that were made since the call and still run. */
function countTimers() {
  const live = new Set<number>();
  const hook = createHook({
    init: (id, kind) => void (kind === "Timeout" && live.add(id)),
    destroy: (id) => void live.delete(id),
  }).enable();
  return { live, end: () => void hook.disable() };
}

const untilIdle = () => eventually(() => expect(holders()).toEqual([]), 5_000);

async function using(options: Partial<GuardOptions>, test: (guard: Guard) => Promise<void>): Promise<void> {
  const guard = createGuard({ redis: server.url, app: "script", log: () => {}, ...options });
  try {
    await test(guard);
  } finally {
    await guard.close();
  }
}

it("does not keep a process alive while nothing is awaited", () =>
  using({}, async (guard) => {
    expect(await guard.check({ ip: "203.0.113.9", path: "/" })).toMatchObject({ outcome: "pass" });
    await guard.ready();
    await guard.explain({ ip: "203.0.113.9" });
    await untilIdle();
  }));

it.each([
  ["hears of changes", "default"],
  ["polls", "polled"],
])("has at most three timers in a process that %s", async (_, user) => {
  const admin = new Redis(server.url);
  await admin.call("ACL", "SETUSER", "polled", "on", "nopass", "~*", "&*", "+@all", "-client|tracking");
  const timers = countTimers();
  try {
    const url = user === "default" ? server.url : server.url.replace("//", `//${user}:x@`);
    await using({ redis: url }, async (guard) => {
      await guard.ready();
      for (let i = 0; i < 100; i++) await guard.check({ ip: "203.0.113.9", path: "/" });
      await eventually(() => {
        expect(timers.live.size).toBeGreaterThan(0);
        expect(timers.live.size).toBeLessThanOrEqual(3);
      });
    });
    // That of the wait itself may be one.
    await eventually(() => expect(timers.live.size).toBeLessThanOrEqual(1));
  } finally {
    timers.end();
    admin.disconnect();
  }
});

it("keeps one alive while an answer is awaited", () =>
  using({}, async (guard) => {
    const first = guard.check({ ip: "203.0.113.9", path: "/" });
    expect(holders()).not.toEqual([]);
    await first;
    const ready = guard.ready();
    expect(holders()).toContain("Timeout");
    await ready;
    await untilIdle();
    server.freeze();
    try {
      let isAnswered = false;
      const late = guard.check({ ip: "203.0.113.9", path: "/" }).finally(() => {
        isAnswered = true;
      });
      // From here on the question itself is on its way.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect(isAnswered).toBe(false);
      expect(holders()).toContain("Timeout");
      await late;
    } finally {
      server.thaw();
    }
  }));

it("does not keep one alive with Sentinel", async () => {
  const set = await startSentinelSet();
  try {
    for (const { client } of [set.master, set.replica]) client.disconnect();
    await using({ redis: set.url }, async (guard) => {
      await guard.ready();
      expect(await guard.check({ ip: "203.0.113.9", path: "/" })).toMatchObject({ outcome: "pass" });
      await untilIdle();
    });
  } finally {
    await set.stop();
  }
});

it("does not keep one alive with a memcached that answers", async () => {
  let questions = 0;
  // In this process, so its own sockets must not keep it alive. No counter is there yet, and each can be written.
  const memcached = createServer((socket) => {
    socket.unref();
    socket.on("error", () => {});
    socket.on("data", (words) => {
      questions++;
      for (const line of words.toString().split("\r\n").slice(0, -1)) {
        const verb = line.split(" ")[0] ?? "";
        socket.write(replies[verb] ?? "");
      }
    });
  });
  await new Promise<void>((resolve) => memcached.listen(0, "127.0.0.1", resolve));
  memcached.unref();
  // The one cast: a server that listens on TCP has such an address.
  const { port } = memcached.address() as AddressInfo;
  await using({ counters: `memcached://127.0.0.1:${port}` }, async (guard) => {
    await guard.ready();
    await eventually(async () => {
      await guard.check({ ip: "203.0.113.9", path: "/" });
      expect(questions).toBeGreaterThan(0);
    });
    await untilIdle();
  });
  memcached.close();
});

it("does not keep one alive while Redis and the counters are away", async () => {
  const [redis, counters] = [await freePort(), await freePort()];
  const options = { redis: `redis://127.0.0.1:${redis}`, counters: `memcached://127.0.0.1:${counters}` };
  await using(options, async (guard) => {
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({ outcome: "pass" });
    // Between two attempts to connect.
    await untilIdle();
  });
});
