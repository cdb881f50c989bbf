import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { algorithms } from "@/lib/enforce/algorithms/algorithms.ts";
import { createGuard, type Guard, type GuardOptions } from "@/lib/enforce/guard/guard.ts";
import type { PolicyInput } from "@/lib/enforce/policy/schema.ts";
import { readPolicy } from "@/lib/enforce/policy/versions.ts";
import { sendEvidence } from "@/lib/enforce/stats/report.ts";
import { sealFrom } from "@/lib/manage/audit/seal.ts";
import { SnapshotKeeper } from "@/lib/manage/lists/snapshot-keeper.ts";
import { setPolicy } from "@/lib/manage/policy/set.ts";
import { keys } from "@/lib/redis/keys.ts";
import { eventually, freePort } from "@/lib/redis/testing.ts";
import { type GuardedRedis, secret, startGuardedRedis, withoutLateAnswers } from "./vitest.acl.ts";

vi.mock(import("@/lib/enforce/limits/scales.ts"), async (original) =>
  (await import("@/lib/enforce/guard/vitest.patience.ts")).patientScales(original),
);
vi.mock(import("@/lib/enforce/guard/deadline.ts"), async (original) =>
  (await import("@/lib/enforce/guard/vitest.patience.ts")).patientDeadline(original),
);

let server: GuardedRedis;

beforeAll(async () => {
  server = await startGuardedRedis();
});

beforeEach(() => server.takeRefusals());

afterAll(() => server.stop());

const perHour = (limit: number) => [{ limit, periodSeconds: 3_600 }];

async function enforce(policy: Pick<PolicyInput, "rules" | "tiers">): Promise<void> {
  await server.as("console", async (redis) => {
    const by = { redis, actor: { name: "ada@example.org", via: "console" }, seal: sealFrom(secret) };
    const { version } = await readPolicy(redis);
    await setPolicy(by, { policy: { mode: "enforce", ...policy }, basedOn: version, reason: "a test" });
  });
}

/** A guard to which nothing that it asks for is refused. */
async function withGuard(
  use: (guard: Guard) => Promise<void>,
  options: Partial<GuardOptions> = {},
): Promise<void> {
  const complaints: string[] = [];
  const log = (line: string) => complaints.push(line);
  const guard = createGuard({ redis: server.urlOf("guard"), app: "shop", log, ...options });
  try {
    await guard.ready();
    await use(guard);
  } finally {
    await guard.close();
  }
  expect(withoutLateAnswers(complaints)).toEqual([]);
  expect(await server.takeRefusals()).toEqual([]);
}

async function expectExpiries(counting: GuardedRedis, pattern: string, least: number): Promise<void> {
  await counting.as("inspector", async (redis) => {
    const counters = await redis.keys(pattern);
    expect(counters.length).toBeGreaterThanOrEqual(least);
    for (const counter of counters) expect(await redis.pttl(counter), counter).not.toBe(-1);
  });
}

test("the console's user keeps a snapshot, and the guard's user starts from it", async () => {
  const lines: string[] = [];
  const redis = server.urlOf("console");
  const keeper = new SnapshotKeeper({ redis, log: (line) => lines.push(line), fewestPages: 0 });
  keeper.start();
  try {
    const beats = () => server.as("console", (client) => client.hget(keys.snapshot(), "beats"));
    await eventually(async () => expect(Number(await beats())).toBeGreaterThan(0));
    await withGuard(async () => {});
  } finally {
    await keeper.stop();
  }
  expect(lines).toEqual([]);
});

test("the guard's user reports limits of code, and refunds and resets what they count", () =>
  withGuard(async (guard) => {
    for (const algorithm of algorithms) {
      const rate = [{ limitPerSecond: 1, halfLifeSeconds: 60 }];
      const levels = algorithm === "earrrl" ? rate : perHour(9);
      const limit = guard.limit(algorithm, { levels, algorithm });
      await eventually(async () => expect(await limit.check("acme")).not.toHaveProperty("trouble"));
      expect(await limit.refund("acme")).toBe(!["earrrl", "concurrent"].includes(algorithm));
      expect(await limit.reset("acme")).toBe(true);
      expect(await limit.reset("acme")).toBe(true);
    }
    await eventually(() =>
      server.as("console", async (redis) =>
        expect(await redis.hlen(keys.codeLimits())).toBe(algorithms.length),
      ),
    );
  }));

test("the guard's user counts by every algorithm, and lets every counter expire", () =>
  withGuard(async (guard) => {
    const once = [{ limit: 3, periodSeconds: 3 }];
    const rate = [{ limitPerSecond: 3, halfLifeSeconds: 1 }];
    const rules = algorithms.map((algorithm) => {
      const rule = { name: algorithm, client: "ip" as const, match: { only: [`/${algorithm}`] } };
      return algorithm === "earrrl"
        ? { ...rule, algorithm, levels: rate }
        : { ...rule, algorithm, levels: once };
    });
    await enforce({ rules, tiers: {} });
    const ip = "203.0.113.20";
    // Requests whose answer is late pass, and are charged afterwards: then no outcome is certain.
    let isLate = false;
    const check = async (algorithm: string) => {
      const verdict = await guard.check({ ip, path: `/${algorithm}` });
      isLate ||= verdict.trouble === "counters-late";
      return verdict;
    };
    const passes = async (...asked: readonly string[]) => {
      for (const algorithm of asked) {
        const verdict = await check(algorithm);
        expect([undefined, "counters-late"], algorithm).toContain(verdict.trouble);
        if (!isLate) expect(verdict, algorithm).toMatchObject({ outcome: "pass" });
      }
    };
    await eventually(async () =>
      expect((await check("gcra")).headers).toHaveProperty("ratelimit-policy", '"gcra";q=3;w=3'),
    );
    await passes(...algorithms);
    await pause(1_800);
    for (const algorithm of algorithms)
      await eventually(async () => {
        const burst = await Promise.all(Array.from({ length: 9 }, () => check(algorithm)));
        expect(
          burst.map(({ outcome }) => outcome),
          algorithm,
        ).toContain("throttled");
      });
    // Of what rolls, the oldest hit is cleared away and the burst is not. EARRRL would mind to be asked so soon.
    await pause(1_800);
    await passes("rolling-list", "rolling-set");
    await pause(4_200);
    await passes(...algorithms);
    await expectExpiries(server, `*:${ip}`, 5);
  }));

test("the guard's user settles requests", () =>
  withGuard(async (guard) => {
    const rule = { client: "ip" as const, match: { only: ["/settled"] }, levels: perHour(2) };
    await enforce({
      rules: [
        { ...rule, name: "at-once", algorithm: "concurrent" },
        { ...rule, name: "login", algorithm: "fixed", countWhen: "failed" },
        { ...rule, name: "tokens", algorithm: "rolling-set", cost: "request", levels: perHour(100) },
      ],
      tiers: {},
    });
    const check = () => guard.check({ ip: "203.0.113.21", path: "/settled", cost: 20 });
    await eventually(async () => {
      const verdict = await check();
      await verdict.settle({ failed: false, cost: 1 });
      expect(verdict.headers).toHaveProperty("ratelimit-policy");
      expect(verdict.isOpen).toBe(false);
    });
    for (let i = 0; i < 3; i++) await (await check()).settle({ failed: i < 2, cost: 2 });
    expect((await check()).rule).toBe("login");
    await expectExpiries(server, "*:203.0.113.21", 2);
  }));

test("the guard's user counts on a cluster, and takes charges back there", async () => {
  const bus = String(await freePort());
  const asCluster = ["--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-announce-ip", "127.0.0.1"];
  const cluster = await startGuardedRedis(...asCluster);
  try {
    await cluster.as("inspector", async (redis) => {
      await redis.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      await eventually(async () => expect(await redis.cluster("INFO")).toContain("cluster_state:ok"));
    });
    const url = cluster.urlOf("guard");
    await withGuard(
      async (guard) => {
        const many = (["fixed", "first-hit", "rolling-list", "rolling-set", "sliding", "gcra"] as const).map(
          (algorithm) => ({ name: algorithm, client: "ip" as const, algorithm, levels: perHour(9) }),
        );
        const last = { name: "user", client: "user", algorithm: "first-hit", levels: perHour(1) } as const;
        await enforce({ rules: [...many, last], tiers: {} });
        const check = (ip: string, user: string) => guard.check({ ip, user });
        await eventually(async () =>
          expect((await check("203.0.113.50", "joe")).headers.ratelimit ?? "").toContain('"user";r=0'),
        );
        // Denied in the user's slot, after that of the address was charged.
        const deniedAddresses: string[] = [];
        for (let i = 1; i <= 40 && deniedAddresses.length < 6; i++) {
          const ip = `203.0.113.${100 + i}`;
          const passed = await check(`198.51.100.${i}`, `joe${i}`);
          const denied = await check(ip, `joe${i}`);
          // On a busy machine one slot may answer too late. Then the charge in the other is taken back.
          if (passed.trouble || denied.trouble) continue;
          expect(denied).toMatchObject({ outcome: "throttled", rule: "user" });
          deniedAddresses.push(ip);
        }
        expect(deniedAddresses.length).toBeGreaterThanOrEqual(3);
        await expectExpiries(cluster, "*", 5);
        await cluster.as("inspector", async (redis) => {
          expect(await redis.keys("sluice:rolling-*:{198.51.100.*}")).not.toEqual([]);
          for (const ip of deniedAddresses) expect(await redis.keys(`sluice:rolling-*:{${ip}}`)).toEqual([]);
        });
      },
      { counters: `${url},${url}` },
    );
    expect(await cluster.takeRefusals()).toEqual([]);
  } finally {
    await cluster.stop();
  }
});

test("the guard's user knows customers by what the console's user writes", () =>
  withGuard(async (guard) => {
    const minute = (limit: number) => ({ levels: [{ limit, periodSeconds: 60 }] });
    await enforce({
      rules: [{ name: "req/customer", client: "customer", algorithm: "gcra", levels: "tier" }],
      tiers: { free: minute(1), pro: minute(5) },
    });
    const request = { ip: "203.0.113.30", customerId: "1042" };
    const limited = (limit: number) =>
      eventually(async () =>
        expect((await guard.check(request)).headers["ratelimit-policy"]).toBe(
          `"req/customer";q=${limit};w=60`,
        ),
      );
    await server.sluice("customer", "tier", "1042", "free");
    await limited(1);
    await eventually(async () => expect((await guard.check(request)).outcome).toBe("throttled"));
    await server.sluice("customer", "tier", "1042", "pro");
    await eventually(async () => expect((await guard.check(request)).outcome).toBe("pass"));
    await limited(5);
    await server.sluice("customer", "limit", "1042", "9/60s");
    await limited(9);
    // A node that starts now reads what is stored already.
    await withGuard(async (other) => {
      const { headers } = await other.check(request);
      expect(headers["ratelimit-policy"]).toBe('"req/customer";q=9;w=60');
    });
  }));

test("the guard's user bans by a rule that bans, and the console's user puts that on record", () =>
  withGuard(async (guard) => {
    const ban = { after: 3, withinSeconds: 60, forSeconds: 60, capSeconds: 600 };
    const rule = { name: "login", client: "ip", algorithm: "first-hit", ban } as const;
    await enforce({ rules: [{ ...rule, levels: perHour(1) }], tiers: {} });
    const check = () => guard.check({ ip: "203.0.113.40" });
    await eventually(async () => expect((await check()).outcome).toBe("blocked"));
    const lifted = await server.sluice("block", "remove", "203.0.113.40", "--reason", "a mistake");
    expect(lifted).toMatchObject({ exit: 0 });
    await eventually(async () => expect((await check()).outcome).toBe("throttled"));
    const audit = await server.as("inspector", (redis) => redis.xrange("sluice:audit", "-", "+"));
    expect(JSON.stringify(audit)).toContain("auto:login");
  }));

test("the guard's user keeps evidence: it fills a client's list, replaces samples, and drops the least denied client", () =>
  server.as("guard", async (redis) => {
    const send = (nowMs: number, clients: readonly string[]) => {
      const denied = clients.map((ip) => ({
        ...{
          ip,
          network: ip,
          method: "GET",
          host: "",
          path: "/",
          userAgent: "",
          outcome: "blocked" as const,
        },
        ...{ rule: "x", customerId: "1042", standsFor: 1, nthOfIp: 1, nthOfCustomer: 1 },
      }));
      return sendEvidence(redis, {
        ...{ app: "shop", node: "n", nowMs, seen: denied, evidence: { denied, passed: [] } },
      });
    };
    const start = Date.now();
    // The last two: a sample that replaces another, and one that comes too soon.
    for (let second = 0; second < 42; second++) await send(start + 1_000 * second, ["203.0.113.9"]);
    await send(start + 41_100, ["203.0.113.9"]);
    const others = Array.from({ length: 2_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    await send(start + 50_000, others);
    const asConsole = await server.as("console", async (console) => [
      await console.llen(keys.evidence("denied", "ip", "203.0.113.9")),
      await console.zcard(keys.evidenceIndex("denied", "ip")),
      await console.exists(keys.evidence("denied", "ip", "10.0.0.0")),
    ]);
    expect(asConsole).toEqual([40, 2_000, 0]);
    expect(await server.takeRefusals()).toEqual([]);
  }));
