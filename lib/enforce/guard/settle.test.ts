import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually, inOneWindow, startRedis, type TestRedis } from "../../redis/testing.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { newClient, save } from "./vitest.nodes.ts";

const hour = 3_600;
let server: TestRedis;
let guards: Guard[] = [];

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(async () => {
  await server.client.flushall();
  await inOneWindow(server.client, hour);
});
afterEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  guards = [];
});
afterAll(async () => {
  await server.stop();
});

type RuleInput = PolicyInput["rules"][number];

const login: RuleInput = {
  name: "login",
  client: "ip",
  algorithm: "fixed",
  levels: [{ limit: 3, periodSeconds: hour }],
  countWhen: "failed",
};
const atOnce: RuleInput = {
  name: "at-once",
  client: "ip",
  algorithm: "concurrent",
  levels: [{ limit: 2, periodSeconds: 60 }],
};
const tokens: RuleInput = {
  name: "tokens",
  client: "ip",
  algorithm: "fixed",
  cost: "request",
  levels: [{ limit: 1_000, periodSeconds: hour }],
};

async function open(...rules: RuleInput[]): Promise<Guard> {
  await save(server, rules);
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  guards.push(guard);
  await guard.ready();
  return guard;
}

const usedOf = async (guard: Guard, request: GuardRequest) =>
  Object.fromEntries(
    (await guard.explain(request)).steps.flatMap(({ rules = [] }) =>
      rules.map(({ rule, used }) => [rule, used]),
    ),
  );

const isPass = ({ outcome }: Verdict) => outcome === "pass";

it("counts only sign-ins that failed, however many succeed", async () => {
  const guard = await open(login);
  const request = { ip: newClient() };
  for (let i = 0; i < 20; i++) {
    const verdict = await guard.check(request);
    expect(verdict).toMatchObject({ outcome: "pass", isOpen: true });
    await verdict.settle({ failed: false, status: 200 });
    expect(verdict.isOpen).toBe(false);
  }
  expect(await usedOf(guard, request)).toEqual({ login: 0 });
  for (let i = 0; i < 3; i++) await (await guard.check(request)).settle({ failed: true });
  const denied = await guard.check(request);
  expect(denied).toMatchObject({ outcome: "throttled", rule: "login", remaining: 0, isOpen: false });
  expect(denied.retryAfterSeconds).toBeGreaterThan(1);
  expect(await server.client.keys("sluice:held:*")).toEqual([]);
});

it("counts the statuses that the rule names", async () => {
  const guard = await open({ ...login, countWhen: { status: [401, 403] } });
  const request = { ip: newClient() };
  for (const status of [200, 401, 404, 403, undefined, 500])
    await (await guard.check(request)).settle({ status, failed: true });
  expect(await usedOf(guard, request)).toEqual({ login: 2 });
});

it("lets no more requests through than may still fail, and the next one at once when one of them ends", async () => {
  const guard = await open(login);
  const request = { ip: newClient() };
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => guard.check(request)));
  expect(verdicts.filter(isPass)).toHaveLength(3);
  // What may end at any moment is neither waited for nor remembered.
  expect(verdicts.find((verdict) => !isPass(verdict))?.retryAfterSeconds).toBe(1);
  const { steps } = await guard.explain(request);
  expect(steps.flatMap(({ rules = [] }) => rules.map(({ says }) => says))).toEqual([
    expect.stringContaining("login: 3 of 3 per 1 h, 3 of them reserved for"),
  ]);
  await verdicts.find(isPass)?.settle({ failed: false });
  expect((await guard.check(request)).outcome).toBe("pass");
  expect((await guard.check(request)).outcome).toBe("throttled");
});

it("has at most so many requests of a client at once", async () => {
  const guard = await open(atOnce);
  const request = { ip: newClient() };
  const first = await guard.check(request);
  const second = await guard.check(request);
  const third = await guard.check(request);
  expect([first, second, third].map(({ outcome }) => outcome)).toEqual(["pass", "pass", "throttled"]);
  expect(third).toMatchObject({ limit: 2, remaining: 0, retryAfterSeconds: 1, isOpen: false });
  expect((await guard.check({ ip: newClient() })).outcome).toBe("pass");
  const { steps } = await guard.explain(request);
  expect(steps.flatMap(({ rules = [] }) => rules.map(({ says }) => says))).toEqual([
    expect.stringMatching(
      /^at-once: 2 of 2 at once for .*: denied, until a request ends, \d+ s at the latest\.$/,
    ),
  ]);
  await first.settle();
  await first.settle();
  await third.settle();
  expect(await usedOf(guard, request)).toEqual({ "at-once": 1 });
  expect((await guard.check(request)).outcome).toBe("pass");
  expect((await guard.check(request)).outcome).toBe("throttled");
});

it("never has more at once than the limit, under any interleaving of a busy client", async () => {
  const guard = await open({ ...atOnce, levels: [{ limit: 5, periodSeconds: 60 }] });
  const request = { ip: newClient() };
  let [running, most, passed] = [0, 0, 0];
  const visit = async () => {
    for (let turn = 0; turn < 20; turn++) {
      const verdict = await guard.check(request);
      if (!isPass(verdict)) continue;
      running++;
      passed++;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running--;
      await verdict.settle({ status: 200 });
    }
  };
  await Promise.all(Array.from({ length: 50 }, visit));
  expect(most).toBe(5);
  expect(passed).toBeGreaterThan(5);
  expect(await usedOf(guard, request)).toEqual({ "at-once": 0 });
});

it("holds nothing for a request that another rule denies, and lets it pass in shadow", async () => {
  const only: RuleInput = {
    ...login,
    name: "all",
    countWhen: undefined,
    levels: [{ limit: 1, periodSeconds: hour }],
  };
  const guard = await open(atOnce, login, only);
  const request = { ip: newClient() };
  const verdicts = [await guard.check(request), await guard.check(request)];
  expect(verdicts.map(({ rule }) => rule)).toEqual([undefined, "all"]);
  expect(await usedOf(guard, request)).toEqual({ "at-once": 1, login: 1, all: 1 });

  await guard.close();
  const watching = await open({ ...atOnce, mode: "shadow" }, { ...login, mode: "shadow" });
  const watched = { ip: newClient() };
  const seen = [];
  for (let i = 0; i < 5; i++) seen.push(await watching.check(watched));
  expect(seen.map(({ shadowed }) => shadowed)).toEqual([
    [],
    [],
    ["at-once"],
    ["at-once", "login"],
    ["at-once", "login"],
  ]);
  await Promise.all(seen.map((verdict) => verdict.settle({ failed: true })));
  expect(await usedOf(watching, watched)).toEqual({ "at-once": 0, login: 3 });
});

it("corrects a cost once: charges more, or gives some back", async () => {
  for (const algorithm of ["fixed", "first-hit", "rolling-list", "rolling-set", "sliding", "gcra"] as const) {
    const guard = await open({ ...tokens, name: algorithm, algorithm });
    const request = { ip: newClient(), cost: 100 };
    const verdict = await guard.check(request);
    expect(verdict.isOpen).toBe(false);
    await guard.check({ ...request, cost: 7 });
    await verdict.settle({ status: 200 });
    await verdict.settle({ cost: 30 });
    await verdict.settle({ cost: 500 });
    const used = async () => (await usedOf(guard, request))[algorithm];
    expect(Math.round((await used()) ?? 0), algorithm).toBe(37);
    await (await guard.check(request)).settle({ cost: 900 });
    expect(Math.round((await used()) ?? 0), algorithm).toBe(937);
    expect((await guard.check(request)).outcome).toBe("throttled");
    await (await guard.check({ ...request, cost: 63 })).settle({ cost: 0 });
    expect((await guard.check({ ...request, cost: 50 })).outcome, algorithm).toBe("pass");
    await guard.close();
  }
});

it("corrects what has passed without asking, in any order of the calls", async () => {
  const guard = await open({ ...tokens, slack: 0.5 });
  const request = { ip: newClient(), cost: 10 };
  await guard.check(request);
  await eventually(async () =>
    expect((await guard.check({ ip: newClient(), cost: 1 })).outcome).toBe("pass"),
  );
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => guard.check(request)));
  await Promise.all(verdicts.map((verdict, i) => verdict.settle({ cost: i % 2 === 0 ? 1 : 12 })));
  await eventually(async () => expect(await usedOf(guard, request)).toEqual({ tokens: 10 + 5 * 1 + 5 * 12 }));
});

it("charges the corrected cost of a request that counts by its outcome", async () => {
  const guard = await open({ ...tokens, countWhen: "failed" });
  const request = { ip: newClient(), cost: 400 };
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => guard.check(request)));
  expect(third?.outcome).toBe("throttled");
  await first?.settle({ failed: true, cost: 150 });
  await second?.settle({ failed: false, cost: 150 });
  expect(await usedOf(guard, request)).toEqual({ tokens: 150 });
});

it("does nothing for what it cannot read, and never throws", async () => {
  const guard = await open(login, tokens);
  const request = { ip: newClient(), cost: 5 };
  for (const odd of [null, 7, "text", { status: "401" }, { cost: -1 }, { cost: Number.NaN }, { cost: "9" }])
    await (await guard.check(request)).settle(odd as object);
  expect(await usedOf(guard, request)).toEqual({ login: 0, tokens: 35 });
  const last = await guard.check(request);
  await server.client.call("CLIENT", "KILL", "TYPE", "normal");
  await expect(last.settle({ failed: true, cost: 1 })).resolves.toBeUndefined();
  for (const ip of [undefined, "203.0.113.1"]) {
    await server.client.set(keys.entry("blocklist", "203.0.113.1" as never), "a test");
    await (await guard.check({ ip })).settle({ failed: true });
  }
});

it("settles in this process what it counts while the counters are away", async () => {
  const guard = await open({ ...atOnce, onStoreError: "model" }, { ...login, onStoreError: "model" });
  const request = { ip: newClient() };
  await guard.check(request);
  await server.client.config("SET", "maxmemory", "1");
  try {
    const verdicts = [await guard.check(request), await guard.check(request), await guard.check(request)];
    expect(verdicts.map(({ outcome, trouble, isOpen }) => [outcome, trouble, isOpen])).toEqual([
      ["pass", "counters-refused", true],
      ["pass", "counters-refused", true],
      ["throttled", "counters-refused", false],
    ]);
    await verdicts[0]?.settle({ failed: true });
    expect((await guard.check(request)).outcome).toBe("pass");
  } finally {
    await server.client.config("SET", "maxmemory", "0");
  }
});
