import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { type RedisProxy, startProxy } from "../../redis/testing-proxy.ts";
import { customer } from "../customers/vitest.customers.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";

const twice: PolicyInput["rules"] = [
  { name: "twice", client: "ip", algorithm: "first-hit", levels: [{ limit: 2, periodSeconds: 600 }] },
];

let server: TestRedis;
let distant: RedisProxy;

beforeAll(async () => {
  server = await startRedis();
  distant = await startProxy(server.port, { delayMs: 20 });
  const rights = ["on", ">secret", "~*", "&*", "+@all", "-client|tracking"];
  await server.client.call("ACL", "SETUSER", "polling", ...rights);
});
beforeEach(() => server.client.flushall());
afterAll(async () => {
  await distant.stop();
  await server.stop();
});

const tiers = { small: { levels: [{ limit: 1, periodSeconds: 600 }] } };

async function save(mode: "enforce" | "off", rules = twice): Promise<void> {
  const by = {
    actor: { name: "ada@example.org", via: "console" as const },
    redis: server.client,
    seal: sealFrom("a secret of the tests"),
  };
  const { version } = await readPolicy(server.client);
  await setPolicy(by, { policy: { mode, rules, tiers }, basedOn: version, reason: "a test" });
}

const on = (port: number) => `redis://127.0.0.1:${port}`;

async function withFresh<T>(redis: string, act: (guard: Guard) => Promise<T>): Promise<T> {
  const guard = createGuard({ redis, app: "fresh", log: () => {} });
  try {
    return await act(guard);
  } finally {
    await guard.close();
  }
}

type Asking = (guard: Guard, requests: readonly GuardRequest[]) => Promise<Verdict[]>;

/** In the turn in which the guard was made. */
const atOnce: Asking = (guard, requests) => Promise.all(requests.map((request) => guard.check(request)));

const inTurn: Asking = async (guard, requests) => {
  const verdicts: Verdict[] = [];
  for (const request of requests) verdicts.push(await guard.check(request));
  return verdicts;
};

const acme = customer("acme");

/** Each process has a client of its own. */
const clientOf = (process: number) => `203.0.113.${process}`;
const everyClient = at("203.0.113.0/24");

/**
 * What ten fresh processes answer. On a machine so busy that Redis' answers took more than the 50 ms of a check, a verdict says
 * so, and another process is asked: at most as many again.
 */
async function ask(redis: string, requests: readonly GuardRequest[], asking = atOnce): Promise<Verdict[][]> {
  const inTime: Verdict[][] = [];
  for (let process = 0; process < 20 && inTime.length < 10; process++) {
    const ip = clientOf(process);
    const asked = requests.map((request) => ({ ...request, ip: request.ip ?? ip }));
    const verdicts = await withFresh(redis, (guard) => asking(guard, asked));
    const isLate = ({ trouble }: Verdict) => trouble === "lists-unavailable" || trouble === "counters-late";
    if (!verdicts.some(isLate)) inTime.push(verdicts);
  }
  expect(inTime).toHaveLength(10);
  return inTime;
}

const five: GuardRequest[] = Array.from({ length: 5 }, () => ({ ip: undefined, path: "/" }));
const outcomesOf = (verdicts: readonly Verdict[]) =>
  verdicts.map(({ outcome, trouble = "" }) => `${outcome}${trouble}`).toSorted();
const twoPass = Array(10).fill(["pass", "pass", "throttled", "throttled", "throttled"]);

// Two round trips: lists and policy, then the counters. A password or a database number costs one more before them.
describe.each([
  ["on this machine", () => on(server.port)],
  ["20 ms away", () => on(distant.port)],
  ["that refuses client tracking", () => on(server.port).replace("//", "//polling:secret@")],
])("the first requests of a process, with a Redis %s", (_, redis) => {
  it("follow the saved policy when they come at once, and no counter of another rule is written", async () => {
    await save("enforce");
    expect((await ask(redis(), five)).map(outcomesOf)).toEqual(twoPass);
    const counters = [
      ...(await server.client.keys("rack::attack:*")),
      ...(await server.client.keys("sluice:*req/ip*")),
    ];
    expect(counters).toEqual([]);
  });

  it("follow the saved policy when they come one after the other", async () => {
    await save("enforce");
    expect((await ask(redis(), five, inTurn)).map(outcomesOf)).toEqual(twoPass);
  });

  it("are limited as the customer that they are of", async () => {
    await save("enforce", [{ name: "own", client: "customer", algorithm: "first-hit", levels: "tier" }]);
    await server.client.set(keys.tier(acme), "small");
    for (const [verdict] of await ask(redis(), [{ ip: undefined, customerId: acme }]))
      expect(verdict?.headers["ratelimit-policy"]).toBe('"own";q=1;w=600');
  });

  it("are neither limited nor blocked when the mode is off", async () => {
    await save("off");
    await server.client.set(keys.entry("blocklist", everyClient), "x");
    const outcomes = (await ask(redis(), five)).flatMap(outcomesOf);
    expect(new Set(outcomes)).toEqual(new Set(["pass"]));
  });

  it("follow the policy of a fresh install once Redis has answered that none is saved", async () => {
    for (const [verdict] of await ask(redis(), [{ ip: undefined, path: "/" }]))
      expect(verdict?.headers["ratelimit-policy"]).toContain("req/ip/1");
  });
});

interface Trouble {
  /** In each process, before its first check and after its last one. */
  readonly begin: (guard: Guard) => Promise<void>;
  readonly end: () => void;
}

const none: Trouble = { begin: async () => {}, end: () => {} };

/** The slowest of ten checks in turn. A timer on a busy machine is late: the quickest of five processes counts. */
async function slowest(redis: string, expected: object, { begin, end } = none): Promise<number> {
  const slowestOfEach: number[] = [];
  for (let process = 0; process < 5; process++) {
    const guard = createGuard({ redis, app: "fresh", log: () => {} });
    try {
      await begin(guard);
      const took: number[] = [];
      for (let i = 0; i < 10; i++) {
        const startedAt = performance.now();
        const verdict = await guard.check({ ip: clientOf(process), path: "/", customerId: acme });
        took.push(performance.now() - startedAt);
        expect(verdict).toMatchObject(expected);
      }
      slowestOfEach.push(Math.max(...took));
      end();
    } finally {
      closing.push(guard.close());
    }
  }
  return Math.min(...slowestOfEach);
}

/** A guard waits some seconds for a Redis that does not answer before it is closed. The next process does not. */
const closing: Promise<void>[] = [];
afterEach(async () => void (await Promise.all(closing.splice(0))));

it("wait for counters whose connection opens after that of the lists", async () => {
  await save("enforce");
  const counters = on(distant.port).replace("//", "//polling:secret@");
  const guard = createGuard({ redis: on(server.port), counters, app: "fresh", log: () => {} });
  try {
    const verdicts = await inTurn(
      guard,
      five.map((request) => ({ ...request, ip: clientOf(0) })),
    );
    expect(verdicts.map(({ trouble }) => trouble)).not.toContain("counters-away");
  } finally {
    await guard.close();
  }
});

const unanswered = { outcome: "pass", trouble: "lists-unavailable", headers: {} };

describe("a check takes at most 50 ms, with a named trouble,", () => {
  it("when nothing listens there", async () => {
    const port = await freePort();
    expect(await slowest(on(port), unanswered)).toBeLessThan(50);
  });

  it("when a server accepts connections and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const sockets: Socket[] = [];
    silent.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
    // The one cast: a server that listens on TCP has such an address.
    const { port } = silent.address() as AddressInfo;
    try {
      expect(await slowest(on(port), unanswered)).toBeLessThan(50);
      expect(sockets.length).toBeGreaterThan(0);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it("when Redis is frozen before the process starts, or after it has loaded the lists", async () => {
    const frozen = await startRedis();
    try {
      frozen.freeze();
      expect(await slowest(frozen.url, unanswered)).toBeLessThan(50);
      frozen.thaw();
      const uncounted = { outcome: "pass", trouble: "counters-late" };
      const loaded: Trouble = {
        async begin(guard) {
          await guard.ready();
          frozen.freeze();
        },
        end: () => frozen.thaw(),
      };
      expect(await slowest(frozen.url, uncounted, loaded)).toBeLessThan(50);
      await frozen.client.set(keys.entry("blocklist", everyClient), "x");
      expect(await slowest(frozen.url, { outcome: "blocked" }, loaded)).toBeLessThan(50);
    } finally {
      await frozen.stop();
    }
  });

  // Lists and policy first, then the counters: each of the two waits has its limit.
  it.each([20, 30])("or twice as long as long as Redis answers, each time after %i ms", async (delayMs) => {
    await save("enforce");
    const far = await startProxy(server.port, { delayMs });
    try {
      expect(await slowest(on(far.port), { outcome: expect.any(String) })).toBeLessThan(100);
    } finally {
      await far.stop();
    }
  });
});

it("follow the lists and no rule where what is saved is no policy", async () => {
  const blocked = "198.51.100.9";
  await server.client.set(keys.policy(), "{}");
  await server.client.set(keys.entry("blocklist", at(blocked)), "x");
  const others = Array.from({ length: 20 }, () => ({ ip: "192.0.2.1" }));
  for (const [first, ...rest] of await ask(on(server.port), [{ ip: blocked }, ...others])) {
    expect(first?.outcome).toBe("blocked");
    for (const verdict of rest)
      expect(verdict).toMatchObject({ outcome: "pass", trouble: "policy-unavailable" });
  }
});
