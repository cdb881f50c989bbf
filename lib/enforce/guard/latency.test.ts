import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { readPolicy } from "../policy/versions.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { inTime } from "./vitest.in-time.ts";

const loose = 1_000_000;
let control: TestRedis;
let redis: Connection;
let counters: TestRedis;
let relay: Relay;
let guard: Guard;
let lines: string[];

beforeAll(async () => {
  control = await startRedis();
  redis = connectControl(control.url, "patiently");
});

beforeEach(async () => {
  counters = await startRedis();
  relay = await startRelay(counters.port);
  lines = [];
});

afterEach(async () => {
  await guard.close();
  await relay.stop();
  await counters.stop();
});

afterAll(async () => {
  redis.disconnect();
  await control.stop();
});

type Relay = Awaited<ReturnType<typeof startRelay>>;

/** A proxy before a server that holds its replies back until they are released. */
async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let isHolding = false;
  const relay = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => {});
    }
    near.pipe(far);
    far.on("data", (bytes) => {
      if (isHolding) held.push(() => near.write(bytes));
      else near.write(bytes);
    });
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    // The one cast: a server that listens on TCP has such an address.
    url: `redis://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    hold(isOn: boolean) {
      isHolding = isOn;
    },
    release() {
      for (const write of held.splice(0)) write();
    },
    async stop() {
      relay.close();
      for (const socket of sockets) socket.destroy();
      await once(relay, "close");
    },
  };
}

/** A stall before the test's own trouble may be logged: waits until it is over, and forgets those lines. */
async function untilQuiet(): Promise<void> {
  await eventually(async () => {
    expect((await ask("192.0.2.1")).trouble).toBeUndefined();
    expect(guard.status().state).toBe("ready");
  });
  lines.length = 0;
}

async function open(onStoreError: "open" | "closed" | "model"): Promise<void> {
  const { version } = await readPolicy(redis);
  const rule = { client: "ip", onStoreError } as const;
  const per = (limit: number) => [{ limit, periodSeconds: 3_600 }];
  await setPolicy(
    {
      actor: { name: "ada@example.org", via: "console" },
      redis,
      seal: sealFrom("a secret of the tests"),
    },
    {
      policy: {
        mode: "enforce",
        rules: [
          { ...rule, name: "strict", match: { only: ["/strict"] }, algorithm: "first-hit", levels: per(3) },
          {
            ...rule,
            name: "loose",
            match: { except: ["/strict"] },
            algorithm: "rolling-list",
            levels: per(loose),
          },
        ],
        tiers: {},
      },
      basedOn: version,
      reason: "a test",
    },
  );
  const log = (line: string) => lines.push(line);
  guard = createGuard({ redis: control.url, counters: relay.url, app: "shop", log });
  await guard.ready();
  await eventually(async () => expect((await ask("192.0.2.1")).trouble).toBeUndefined());
}

const ask = (ip: string, request: Partial<GuardRequest> = {}) => guard.check({ ip, path: "/", ...request });

/** Asks until the counters answer in time, on a busy machine not always with the first question. */
async function askUntilCounted(ip: string): Promise<{ readonly verdict: Verdict; readonly asked: number }> {
  let asked = 0;
  const verdict = await eventually(async () => {
    asked++;
    const found = await ask(ip);
    expect(found.trouble).toBeUndefined();
    return found;
  });
  return { verdict, asked };
}

const troubles = {
  late: {
    begin: async () => relay.hold(true),
    async end() {
      relay.hold(false);
      relay.release();
    },
    reason: "counters-late",
  },
  "a replica, which cannot be written": {
    begin: () => counters.client.replicaof("127.0.0.1", 1),
    end: () => counters.client.replicaof("NO", "ONE"),
    reason: /^counters-(refused|away|late)$/,
  },
  full: {
    begin: () => counters.client.config("SET", "maxmemory-policy", "noeviction", "maxmemory", "1"),
    end: () => counters.client.config("SET", "maxmemory", "0"),
    // A busy machine may be late to refuse.
    reason: /^counters-(refused|late)$/,
  },
};

const answers = [
  ["open", ["pass", "pass", "pass", "pass"], "pass"],
  ["closed", ["throttled", "throttled", "throttled", "throttled"], "throttled"],
  ["model", ["pass", "pass", "pass", "throttled"], "pass"],
] as const;

describe.each(Object.entries(troubles))("while the counters are %s", (_, { begin, end, reason }) => {
  it.each(answers)(
    "a rule that is %s does so in time, with one line in the log, and counts no hit twice",
    async (onStoreError, strictly, loosely) => {
      await open(onStoreError);
      const [busy, quiet] = ["198.51.100.7", "198.51.100.8"];
      // Of the busy client: none is counted twice, and one that was refused is not counted.
      let mostCounted = 0;
      for (let i = 0; i < 5; i++) {
        const { verdict, asked } = await askUntilCounted(busy);
        expect(verdict.outcome).toBe("pass");
        mostCounted += asked;
      }
      await untilQuiet();

      await begin();
      for (const outcome of strictly) {
        const found = await inTime(ask(quiet, { path: "/strict" }));
        expect(found).toMatchObject({ outcome, trouble: expect.stringMatching(reason) });
        relay.release();
      }
      // On for so long that late answers arrive in between.
      while (lines.length === 0) {
        const found = await Promise.all(Array.from({ length: 20 }, () => inTime(ask(busy))));
        for (const { outcome, trouble } of found) {
          if (trouble === "counters-late") mostCounted++;
          expect(outcome).toBe(loosely);
          expect(trouble).toMatch(reason);
        }
        relay.release();
      }
      expect(lines).toEqual([expect.stringContaining("The counters are unavailable")]);

      await end();
      await eventually(async () => expect((await ask("192.0.2.2")).trouble).toBeUndefined());
      expect(lines.slice(1)).toEqual(["sluice: The counters answer again."]);
      const { verdict, asked } = await askUntilCounted(busy);
      const counted = loose - Number(/r=(\d+)/.exec(verdict.headers.ratelimit ?? "")?.[1]);
      expect(counted).toBeGreaterThanOrEqual(6);
      expect(counted).toBeLessThanOrEqual(mostCounted + asked);
    },
  );
});
