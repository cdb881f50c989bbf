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

/** A proxy before a server that holds each of its replies back for a given time. */
async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const relay = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => {});
    }
    near.pipe(far);
    far.on("data", (bytes) => setTimeout(() => near.write(bytes), delayMs));
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    // The one cast: a server that listens on TCP has such an address.
    url: `redis://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    delay(ms: number) {
      delayMs = ms;
    },
    async stop() {
      relay.close();
      for (const socket of sockets) socket.destroy();
      await once(relay, "close");
    },
  };
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

/** A pause of this very process delays verdict and time limit alike: it begins when what is asked has been sent. */
async function inTime(asked: Promise<Verdict>): Promise<Verdict> {
  await turns(2);
  const limit = new Promise((resolve) => setTimeout(resolve, 150)).then(() => turns(3));
  const found = await Promise.race([asked, limit]);
  if (!found) throw new Error("no verdict within 150 ms");
  return found;
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

/** What is counted for a client, this question included. */
async function used(ip: string): Promise<number> {
  const { headers, trouble } = await ask(ip);
  expect(trouble).toBeUndefined();
  return loose - Number(/r=(\d+)/.exec(headers.ratelimit ?? "")?.[1]);
}

const troubles = {
  "200 ms away": {
    begin: async () => relay.delay(200),
    end: async () => relay.delay(0),
    reason: "counters-late",
    isCounted: true,
  },
  "a replica, which cannot be written": {
    begin: () => counters.client.replicaof("127.0.0.1", 1),
    end: () => counters.client.replicaof("NO", "ONE"),
    reason: /^counters-(refused|away|late)$/,
    isCounted: false,
  },
  full: {
    begin: () => counters.client.config("SET", "maxmemory-policy", "noeviction", "maxmemory", "1"),
    end: () => counters.client.config("SET", "maxmemory", "0"),
    // A busy machine may be late to refuse.
    reason: /^counters-(refused|late)$/,
    isCounted: false,
  },
};

const answers = [
  ["open", ["pass", "pass", "pass", "pass"], "pass"],
  ["closed", ["throttled", "throttled", "throttled", "throttled"], "throttled"],
  ["model", ["pass", "pass", "pass", "throttled"], "pass"],
] as const;

describe.each(Object.entries(troubles))(
  "while the counters are %s",
  (_, { begin, end, reason, isCounted }) => {
    it.each(answers)(
      "a rule that is %s does so in time, with one line in the log, and counts no hit twice",
      async (onStoreError, strictly, loosely) => {
        await open(onStoreError);
        const [busy, quiet] = ["198.51.100.7", "198.51.100.8"];
        for (let i = 0; i < 5; i++) expect((await ask(busy)).outcome).toBe("pass");

        await begin();
        for (const outcome of strictly) {
          const found = await inTime(ask(quiet, { path: "/strict" }));
          expect(found).toMatchObject({ outcome, trouble: expect.stringMatching(reason) });
        }
        // On for so long that late answers arrive in between.
        let made = 5;
        while (lines.length === 0) {
          const found = await Promise.all(Array.from({ length: 20 }, () => inTime(ask(busy))));
          made += found.length;
          for (const { outcome, trouble } of found) {
            expect(outcome).toBe(loosely);
            expect(trouble).toMatch(reason);
          }
        }
        expect(lines).toEqual([expect.stringContaining("The counters are unavailable")]);

        await end();
        await eventually(async () => expect((await ask("192.0.2.2")).trouble).toBeUndefined());
        expect(lines.slice(1)).toEqual(["sluice: The counters answer again."]);
        const counted = await used(busy);
        expect(counted).toBeGreaterThanOrEqual(6);
        expect(counted).toBeLessThanOrEqual(isCounted ? made + 1 : 6);
      },
    );
  },
);
