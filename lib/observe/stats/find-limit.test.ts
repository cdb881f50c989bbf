import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { at } from "../../at.ts";
import { SharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { decide, readClient } from "../../enforce/guard/pipeline.ts";
import { CheckedRequest, report } from "../../enforce/guard/report.ts";
import type { GuardRequest } from "../../enforce/guard/request.ts";
import { Throttle, type ThrottleNode } from "../../enforce/guard/throttle.ts";
import { createMemoryScales } from "../../enforce/limits/memory.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { Feeds } from "../../enforce/lists/feeds.ts";
import { scopeOf } from "../../enforce/policy/match.ts";
import { type Policy, policySchema, type Rule } from "../../enforce/policy/schema.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { sendClients, sendReport } from "../../enforce/stats/report.ts";
import { StatsTally } from "../../enforce/stats/tally.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { effectOf } from "./rates.ts";
import { ScopeHistory } from "./scope-history.ts";
import { readScopeRates } from "./scope-rates.ts";

let server: TestRedis;
let redis: Connection;
/** A full hour: windows of every period begin here. */
const start = 1_700_006_400;
const hour = 3_600;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(() => server.client.flushall());

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

interface Sent {
  readonly second: number;
  readonly request: GuardRequest & { readonly customerId?: CustomerId };
}

const noLists = { match: () => undefined, feedOf: () => undefined, writerOf: () => undefined };

/** A guard's decisions and reports, on a clock of the test's own, with every request of a second decided in that second. */
async function send(traffic: readonly Sent[], policy: Policy, { lateMs }: { readonly lateMs?: number } = {}) {
  let second = 0;
  const nowMs = () => 1_000 * (start + second) + 500;
  const tally = new StatsTally();
  const node: ThrottleNode = {
    state: {
      policy: { version: 1, reason: "", policy },
      digest: undefined,
      sharedOverrides: new SharedOverrides(),
      feeds: new Feeds(),
      subscribe: () => () => {},
    },
    reporter: {
      countScopes: (scopes) => tally.countScopes(scopes, nowMs()),
      noteShadowed: (...noted) => tally.noteShadowed(...noted),
      noteSharedOverride: () => {},
      noteExempt: () => {},
      redisMs: nowMs,
    },
    knownPolicy: async () => undefined,
    storedLimits: () => undefined,
    log: (line) => expect.fail(line),
    odd: { meetIgnoredLimits: ({ says }) => expect.fail(says) },
  };
  const store = {
    scales: createScales(redis, { withinMs: 10_000, clock: () => 1_000 * nowMs() }),
    keepsFixedWindowsOnly: false,
    close: async () => {},
  };
  const counters = {
    ...{ store, model: createMemoryScales(), noteAnswered: () => {} },
    noteUnavailable: () => expect.fail("a request was not weighed"),
  };
  const throttle = new Throttle(node, counters, undefined, { app: "shop" });
  const denied = new Map<string, number>();
  let next = 0;
  for (; second < hour; second++) {
    const now: Promise<void>[] = [];
    for (let one = traffic[next]; one?.second === second; one = traffic[++next]) {
      const { request } = one;
      const client = readClient(request);
      if (!client) throw new Error(`no address in ${request.ip}`);
      const { customerId } = request;
      const tier = customerId?.startsWith("pro") ? "pro" : undefined;
      const caller = customerId && throttle.callerOf(customerId, { tier, override: undefined }, request);
      const decided = decide(noLists, throttle, request, client, caller, 0);
      now.push(
        Promise.resolve(decided).then((verdict) => {
          const checked = new CheckedRequest(request, client, caller, verdict, 0.1);
          report({ note: (...noted) => tally.note(...noted) }, checked);
          const name = nameOf(policy, checked);
          if (verdict.outcome === "throttled") denied.set(name, (denied.get(name) ?? 0) + 1);
        }),
      );
    }
    await Promise.all(now);
    if (lateMs === undefined) continue;
    const atMs = 1_000 * (start + second + 1) - 1 + lateMs;
    const taken = tally.take();
    const counted = tally.takeClients(atMs);
    if (second % 60 === 59) tally.endMinute();
    await Promise.all([
      taken && sendReport(redis, { app: "shop", node: "n", report: taken, nowMs: atMs }),
      sendClients(redis, counted, atMs),
    ]);
  }
  return denied;
}

/** The client that the only rule of a replay has counted. */
function nameOf({ rules: [rule] }: Policy, { request, client, customerId, caller }: CheckedRequest): string {
  if (rule?.client === "customer") return customerId ?? "";
  const header = request.headers && "x-api-key" in request.headers ? request.headers["x-api-key"] : "";
  if (rule?.client !== "ip") return String(header);
  const isCountedById = rule.match.who === "anonymous" && caller !== undefined;
  return isCountedById ? `customer:${customerId}` : (client?.network(64) ?? "");
}

const judge = (rule: Rule, periodSeconds: number) =>
  readScopeRates(new ScopeHistory(redis), {
    scope: scopeOf(rule)?.key ?? "",
    periodSeconds,
    spanMinutes: 60,
    nowMs: 1_000 * (start + hour) - 1,
  });

const paths = ["/", "/login", "/login/reset", "/session", "/api/cart", "/API/Orders", "/img/a.png"];
const methods = ["GET", "POST", "PUT", "HEAD"];
const customers = ["pro-1", "pro-2", "pro-3", "unknown-1", "unknown-2"] as const;

/** Forty clients, each with habits of its own: some send bursts, and some are a customer's. */
function randomTraffic(seed: number): Sent[] {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => at(from, Math.floor(random() * from.length));
  const clients = Array.from({ length: 40 }, (_, i) => ({
    ip: i % 7 === 6 ? `2001:db8:1:${i}::${i}` : `198.51.100.${i}`,
    customerId: i % 4 === 3 ? (pick(customers) as CustomerId) : undefined,
    paths: [pick(paths), pick(paths), pick(paths)],
    methods: [pick(methods), pick(methods)],
    key: i % 3 === 0 ? `key-${i % 12}` : undefined,
    perSecond: 0.3 / (1 + i / 5),
    burstAt: Math.floor(random() * hour),
  }));
  const traffic: Sent[] = [];
  for (let second = 0; second < hour; second++)
    for (const { ip, customerId, key, perSecond, burstAt, ...habits } of clients) {
      const isBurst = second >= burstAt && second < burstAt + 25;
      const times = Math.floor((isBurst ? 2 : perSecond) + random());
      for (let i = 0; i < times; i++) {
        const request = { ip, path: pick(habits.paths), method: pick(habits.methods) };
        const headers = key === undefined ? {} : { "x-api-key": key };
        traffic.push({ second, request: { ...request, headers, ...(customerId && { customerId }) } });
      }
    }
  return traffic;
}

const periods = [10, 20, 60, 90, 120, 300, 600, 900, 1_800, 3_600];

/** One rule for each period. */
function randomRules(seed: number): Rule[] {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => at(from, Math.floor(random() * from.length));
  const some = <T>(from: readonly T[]): T[] => [pick(from), pick(from)];
  return policySchema.parse({
    ...defaultPolicy,
    rules: periods.map((periodSeconds, i) => ({
      name: `rule-${i}`,
      match: {
        ...(random() < 0.5 && { only: some(paths) }),
        ...(random() < 0.3 && { except: some(paths.slice(1)) }),
        ...(random() < 0.4 && { methods: some(methods.slice(0, 3)) }),
        who: pick(["anyone", "anonymous", "customers"]),
      },
      client: pick(["ip", "ip", "customer", { header: "x-api-key", show: true }]),
      algorithm: "fixed",
      cost: i % 5 === 4 ? 3 : 1,
      levels: [{ limit: 1_000_000, periodSeconds }],
      mode: "shadow",
    })),
  }).rules;
}

it.each([
  { seed: 3, lateMs: 0 },
  { seed: 8, lateMs: 0 },
  { seed: 8, lateMs: 900 },
])(
  "judges ten random rules as the guard decides them, from 10 s to 1 h (seed $seed, reports $lateMs ms late)",
  { timeout: 120_000 },
  async ({ seed, lateMs }) => {
    // The last second of a window is reported in the next one, where an address is counted for all rules at once.
    const isExact = (rule: Rule) => lateMs === 0 || scopeOf(rule)?.isBroad === false;
    const [traffic, rules] = [randomTraffic(seed), randomRules(seed)];
    await send(traffic, { ...defaultPolicy, rules }, { lateMs });
    const answers = [];
    for (const [i, rule] of rules.entries()) {
      if (!isExact(rule)) continue;
      const { found, ...history } = await judge(rule, at(periods, i));
      expect(history).toEqual({ windowSeconds: periods[i], minutes: 60, knownMinutes: 60, isCut: false });
      // About a third of the clients are over it.
      answers.push({ rule, found, limit: found[Math.floor(found.length / 3)]?.peak ?? 1 });
    }
    let over = 0;
    for (const { rule, found, limit } of answers) {
      const levels = rule.levels === "tier" ? [] : rule.levels.map((level) => ({ ...level, limit }));
      const tried = policySchema.parse({ ...defaultPolicy, rules: [{ ...rule, levels, mode: "enforce" }] });
      await server.client.flushall();
      const denied = await send(traffic, tried);
      const predicted = found.filter(({ peak }) => peak > limit).map(({ client }) => client);
      expect([rule, [...predicted].sort()]).toEqual([rule, [...denied.keys()].sort()]);
      over += predicted.length;
      const requests = [...denied.values()].reduce((sum, count) => sum + count, 0);
      if (rule.cost === 1) expect(effectOf(found, limit)).toMatchObject({ clients: denied.size, requests });
    }
    expect(over).toBeGreaterThan(10);
  },
);

it("judges POST /login by POST /login alone", async () => {
  const traffic = Array.from({ length: hour }, (_, second): Sent[] => [
    ...(second >= 1_000 && second < 1_035
      ? [{ second, request: { ip: "203.0.113.9", method: "POST", path: "/login" } }]
      : []),
    { second, request: { ip: `198.51.100.${second % 50}`, method: "GET", path: "/login" } },
    { second, request: { ip: `198.51.100.${second % 50}`, method: "POST", path: "/cart" } },
  ]).flat();
  const rule = {
    ...{ name: "login", client: "ip", algorithm: "fixed", mode: "shadow" },
    ...{
      match: { only: ["/login", "/session"], methods: ["POST"] },
      levels: [{ limit: 5, periodSeconds: 60 }],
    },
  };
  const policy = policySchema.parse({ ...defaultPolicy, rules: [...defaultPolicy.rules, rule] });
  await send(traffic, policy, { lateMs: 0 });
  const { found } = await judge(at(policy.rules, -1 + policy.rules.length), 60);
  expect(found.map(({ client }) => client)).toEqual(["203.0.113.9"]);
  // Second 1,020 begins a minute.
  expect(effectOf(found, 5)).toMatchObject({ clients: 1, requests: 15 + 10 });
  expect((await judge(at(policy.rules, 0), 300)).found).toHaveLength(51);
});

it("counts what a rule counts: a customer without limits by its id, one with limits not at all", async () => {
  const from = (count: number, more: object): Sent[] =>
    Array.from({ length: count }, () => ({ second: 70, request: { ip: "203.0.113.9", path: "/", ...more } }));
  const traffic = [
    ...from(4, {}),
    ...from(9, { customerId: "unknown-1" }),
    ...from(20, { customerId: "pro-1" }),
    ...from(40, { path: "/_next/static/a.js" }),
  ];
  await send(traffic, defaultPolicy, { lateMs: 0 });
  const { found } = await judge(at(defaultPolicy.rules, 0), 300);
  expect(found.map(({ client, peak }) => [client, peak])).toEqual([
    ["customer:unknown-1", 9],
    ["203.0.113.9", 4],
  ]);
});

it("knows that it has no history of a rule", async () => {
  const [rule] = randomRules(1);
  if (!rule) throw new Error("no rule");
  await send([{ second: 5, request: { ip: "203.0.113.9" } }], defaultPolicy, { lateMs: 0 });
  expect(await judge(rule, 10)).toMatchObject({ found: [], knownMinutes: 0 });
  expect(await judge(at(defaultPolicy.rules, 0), 300)).toMatchObject({ knownMinutes: 60 });
});
