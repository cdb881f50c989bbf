import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import {
  type SentinelSet,
  startCluster,
  startSentinelSet,
  type TestCluster,
} from "../../redis/testing-topologies.ts";
import { laneOf } from "../limits/wire-plan.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { inTime } from "./vitest.in-time.ts";

const plenty = 1_000_000;
/** For a verdict, while two clusters fail over on this machine. */
const enoughMs = 500;
const clients = Array.from({ length: 300 }, (_, i) => `198.51.${i >> 8}.${i & 255}`);

let control: SentinelSet;
let redis: Connection;
let cluster: TestCluster;
let guards: Guard[] = [];
let fallen: TestRedis | undefined;
let lines: string[] = [];

beforeAll(async () => {
  [control, cluster] = await Promise.all([startSentinelSet(), startCluster(1)]);
  redis = connectControl(control.url, "patiently");
}, 60_000);

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  guards = [];
  if (!fallen) return;
  const { client, thaw, restart } = fallen;
  thaw();
  await restart();
  await eventually(async () => {
    expect(await client.cluster("INFO")).toContain("cluster_state:ok");
    expect(await client.info("replication")).not.toContain("master_link_status:down");
  });
  fallen = undefined;
});

afterAll(async () => {
  redis.disconnect();
  await Promise.all([control.stop(), cluster.stop()]);
});

async function open(app: string, counters: string): Promise<Guard> {
  const guard = createGuard({ redis: control.url, counters, app, log: (line) => lines.push(line) });
  guards.push(guard);
  await guard.ready();
  await eventually(async () => expect((await guard.check({ ip: "192.0.2.1" })).trouble).toBeUndefined());
  return guard;
}

async function enforce(rules: PolicyInput["rules"]): Promise<void> {
  const { version } = await readPolicy(redis);
  const by = {
    actor: { name: "ada@example.org", via: "console" as const },
    redis,
    seal: sealFrom("a secret of the tests"),
  };
  await setPolicy(by, {
    policy: { mode: "enforce", rules, tiers: {} },
    basedOn: version,
    reason: "a test",
  });
}

const daily = (limit: number) => [{ limit, periodSeconds: 86_400 }];
const counted: PolicyInput["rules"] = [
  {
    name: "few",
    client: "ip",
    algorithm: "first-hit",
    levels: daily(3),
    match: { only: ["/few"] },
    onStoreError: "model",
  },
  { name: "window", client: "ip", algorithm: "first-hit", levels: daily(plenty) },
  { name: "rolling", client: "ip", algorithm: "rolling-list", levels: daily(plenty), onStoreError: "model" },
];

it("gives the same verdicts on a cluster as on one server", async () => {
  const server = await startRedis();
  try {
    await enforce([
      { name: "a", client: "ip", algorithm: "first-hit", levels: daily(9), match: { only: ["/a", "/b"] } },
      {
        name: "b",
        client: "ip",
        algorithm: "rolling-list",
        levels: daily(8),
        match: { only: ["/b", "/c"] },
      },
      { name: "c", client: "ip", algorithm: "rolling-set", levels: daily(3), match: { only: ["/c"] } },
      { name: "d", client: "ip", algorithm: "gcra", levels: daily(4), match: { only: ["/d"] } },
      { name: "e", client: "ip", algorithm: "sliding", levels: daily(3), match: { only: ["/e"] } },
      { name: "f", client: "ip", algorithm: "fixed", levels: daily(2), match: { only: ["/f"] } },
      { name: "g", client: "ip", algorithm: "earrrl", levels: slow, match: { only: ["/g"] } },
      { name: "user", client: "user", algorithm: "first-hit", levels: daily(50) },
    ]);
    const [one, many] = [await open("one", server.url), await open("many", cluster.url)];
    // A busy machine may answer late; what was counted then is not known, so others ask again.
    await eventually(async () => {
      const users = randomBytes(4);
      const kinds = new Set<string>();
      for (let i = 0; i < 600; i++) {
        const request = requestOf(i, users);
        const [expected, found] = await Promise.all([one.check(request), many.check(request)]);
        expect([expected.trouble, found.trouble]).toEqual([undefined, undefined]);
        kinds.add(`${found.outcome} ${found.rule}`);
        if (textOf(found) === textOf(expected)) continue;
        different.push(`${i}: ${textOf(expected)}, but on the cluster ${textOf(found)}`);
      }
      expect(kinds.size).toBe(9);
    });
    expect(different).toEqual([]);
  } finally {
    await server.stop();
  }
});

const slow = [{ limitPerSecond: 0.000_67, halfLifeSeconds: 3_600 }];
const different: string[] = [];
const textOf = ({ outcome, status, rule, limit, remaining }: Verdict) =>
  [outcome, status, rule, limit, remaining].join(" ");

/** Eleven clients of seven paths in turn; each third request is one user's, whose counts lie in another slot. */
function requestOf(i: number, among: Buffer): GuardRequest {
  const [a = 0, b = 0] = among;
  const authorization = `Basic ${Buffer.from(`${among.toString("hex")}:secret`).toString("base64")}`;
  return {
    ip: `10.${a}.${b}.${(i * 7) % 11}`,
    path: `/${"abcdefg"[(i * 5 + Math.floor(i / 7)) % 7]}`,
    ...(i % 3 === 0 && { headers: { authorization } }),
  };
}

/** Steady traffic of all clients, until it is stopped. Every verdict has to be given, and in time. */
class Load {
  readonly made = new Map<string, number>();
  readonly acknowledged = new Map<string, number>();
  /** Whose last verdict was given without counters. */
  readonly troubled = new Set<string>();
  readonly #guard: Guard;
  #isOver = false;
  #failure: unknown;
  readonly #done: Promise<void>;

  constructor(guard: Guard) {
    this.#guard = guard;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
    if (this.#failure) throw this.#failure;
  }

  async #run(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    for (let next = 0; !this.#isOver && next < 100_000; next += 10) {
      for (let i = 0; i < 10; i++) {
        const one = this.#ask(clients[(next + i) % clients.length] ?? "").catch((error: unknown) => {
          this.#failure ??= error;
        });
        underWay.add(one);
        void one.then(() => underWay.delete(one));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(underWay);
  }

  async #ask(ip: string): Promise<void> {
    add(this.made, ip);
    const { outcome, trouble } = await inTime(this.#guard.check({ ip }), enoughMs);
    expect(["pass", "throttled"]).toContain(outcome);
    if (trouble) return void this.troubled.add(ip);
    this.troubled.delete(ip);
    add(this.acknowledged, ip);
  }
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

async function outcomes(guard: Guard, times: number, request: GuardRequest): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < times; i++) found.push((await inTime(guard.check(request), enoughMs)).outcome);
  return found;
}

/** A stall before a test's own trouble may be logged: waits until it is over, and forgets those lines. */
async function expectQuiet(guard: Guard): Promise<void> {
  await eventually(() => expect(guard.status().state).toBe("ready"));
  lines.length = 0;
}

/** What each rule has counted for a client, this question included. */
async function used(guard: Guard, ip: string): Promise<number[]> {
  const { headers, trouble } = await guard.check({ ip });
  expect(trouble).toBeUndefined();
  return [...(headers.ratelimit ?? "").matchAll(/r=(\d+)/g)].map(([, left]) => plenty - Number(left));
}

/** Which of the first masters had a client's counters, as `redis-cli --cluster create` deals the slots out. */
const homeOf = (ip: string) => [5_461, 10_923].filter((first) => laneOf(ip) >= first).length;

const kill = (master: TestRedis) => master.kill();
const freeze = async (master: TestRedis) => master.freeze();

it.each([
  ["is killed, and the others wait for its successor", 0, "yes", kill],
  ["is killed, and the others go on", 1, "no", kill],
  ["falls silent, and the others go on", 2, "no", freeze],
] as const)(
  "answers in time while a master of the counters %s; counts no hit twice and is back within 10 s",
  async (_, index, isWhole, fell) => {
    const master = cluster.nodes[index];
    if (!master) throw new Error("three masters were started");
    for (const { client } of cluster.servers)
      await client.config("SET", "cluster-require-full-coverage", isWhole);
    await enforce(counted);
    const guard = await open(`fell-${index}`, cluster.url);
    const before = new Map<string, readonly number[]>();
    for (const ip of clients) before.set(ip, await eventually(() => used(guard, ip)));
    const load = new Load(guard);
    await eventually(() => expect(load.acknowledged.size).toBe(clients.length));
    await expectQuiet(guard);

    fallen = master;
    await fell(master);
    const affected = clients.find((ip) => homeOf(ip) === index);
    const few = await outcomes(guard, 4, { ip: affected, path: "/few" });
    expect(few).toEqual(["pass", "pass", "pass", "throttled"]);
    await eventually(() => expect(lines).toEqual([expect.stringContaining("The counters are unavailable")]));
    await cluster.promotion(master);
    await eventually(() => expect(load.troubled).toEqual(new Set()), 10_000);
    await eventually(() => expect(lines.slice(1)).toEqual(["sluice: The counters answer again."]));
    await load.stop();

    for (const ip of clients) {
      const totals = await eventually(() => {
        add(load.made, ip);
        return used(guard, ip);
      });
      for (const [rule, total] of totals.entries()) {
        const counted = total - (before.get(ip)?.[rule] ?? 0);
        expect(counted, ip).toBeLessThanOrEqual(load.made.get(ip) ?? 0);
        // What the fallen master had counted last, its replica may not have heard of.
        if (homeOf(ip) !== index) expect(counted, ip).toBeGreaterThan(load.acknowledged.get(ip) ?? 0);
      }
    }
  },
);

it("keeps its lists and rules while the master of the lists is killed, and follows the promoted one", async () => {
  await enforce([{ name: "few", client: "ip", algorithm: "first-hit", levels: daily(3) }]);
  const guard = await open("listening", cluster.url);
  const becomes = (ip: string, outcome: string) =>
    eventually(async () => expect((await inTime(guard.check({ ip }), enoughMs)).outcome).toBe(outcome));
  await control.master.client.set("blocklist:203.0.113.9", "x");
  await becomes("203.0.113.9", "blocked");
  expect(await control.master.client.wait(1, 10_000)).toBeGreaterThanOrEqual(1);
  await expectQuiet(guard);

  await control.master.kill();
  await eventually(() => expect(lines).toEqual([expect.stringContaining("ECONNREFUSED")]));
  expect(await outcomes(guard, 20, { ip: "203.0.113.9" })).toEqual(Array(20).fill("blocked"));
  await becomes("192.0.2.77", "throttled");

  await control.promotion();
  await control.replica.client.set("blocklist:203.0.113.10", "x");
  await becomes("203.0.113.10", "blocked");
  expect(await outcomes(guard, 1, { ip: "203.0.113.9" })).toEqual(["blocked"]);
  await becomes("192.0.2.77", "throttled");
  expect(lines.at(-1)).toContain("answers again");
});
