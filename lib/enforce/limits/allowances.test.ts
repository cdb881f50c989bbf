import fc from "fast-check";
import type { Redis } from "ioredis";
import { beforeEach, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { algorithms, models } from "../algorithms/algorithms.ts";
import { Allowances } from "./allowances.ts";
import { unsent } from "./at-most-once.ts";
import type { PassedCharge } from "./late-charges.ts";
import type { CountedRequest, Step, Weighed } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { Modelled, second, startMicros, stepOf, weighed } from "./vitest.differential.ts";

const counters = testCounters();
const limit = 300;
const loose = { limit, slack: 0.1 };
let nowMs = 0;
beforeEach(() => {
  nowMs = startMicros / 1_000;
});

/** The same steps are one plan, as those of a compiled policy are. */
const plans = new Map<string, { readonly steps: readonly Step[] }>();
function loadOf(steps: readonly Step[], client = "203.0.113.9", cost = 1): CountedRequest {
  const name = JSON.stringify(steps);
  const plan = plans.get(name) ?? { steps };
  plans.set(name, plan);
  return { plan, clients: steps.map(() => client), costs: steps.map(() => cost) };
}

/** A process that answers at once where it may, and asks Redis where it has to. */
function nodeOf({
  nodes = 1,
  redis = counters.redis,
  mostClients = 1_000,
  isCluster = false,
  turn = 0,
}: {
  nodes?: number | "unknown";
  redis?: Redis;
  mostClients?: number;
  isCluster?: boolean;
  turn?: number;
} = {}) {
  const scales = createScales(redis, { clock: () => nowMs * 1_000, withinMs: 10_000 });
  let over = 0;
  let asked = 0;
  let sending = Promise.resolve();
  let held = Promise.resolve();
  const sent: PassedCharge[] = [];
  const allowances = new Allowances({
    send(charges) {
      sent.push(...charges);
      sending = held.then(() => scales.chargePassed(charges));
      return sending;
    },
    mostClients,
    isCluster,
    turn,
    momentAt: (ms) => ms * 1_000,
    nodes: () => (nodes === "unknown" ? undefined : nodes),
    onOver: (_, amount) => {
      over += amount;
    },
    clock: () => nowMs,
  });
  allowances.open();
  return {
    allowances,
    scales,
    sent,
    get over() {
      return over;
    },
    idle: () => sending,
    /** Charges are sent after this. */
    hold(until: Promise<void>) {
      held = until;
    },
    get asked() {
      return asked;
    },
    async check(load: CountedRequest): Promise<Weighed> {
      const known = await allowances.find(load);
      if (known) return known;
      asked++;
      const answer = weighed(await scales.weigh(load));
      const found = { ...answer, at: { askedAtMs: nowMs, redisMicros: nowMs * 1_000 } };
      allowances.learn(load, found);
      return found;
    },
  };
}

const countOf = async (load: CountedRequest) => {
  const { readings } = weighed(await nodeOf().scales.read(load));
  return readings.map(({ used }) => used);
};

it("answers from memory, and charges each request once", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose), stepOf("sliding", "other", loose)]);
  const node = nodeOf();
  for (let i = 0; i < 12; i++) {
    const { deniedBy, readings } = await node.check(load);
    expect([deniedBy, readings.map(({ used }) => used)]).toEqual([-1, [i, i]]);
  }
  expect(node.asked).toBe(0);
  await node.allowances.close();
  expect(await countOf(load)).toEqual([12, 12]);
  expect(node.sent).toHaveLength(1);
});

/** Charges what is due, and waits for the answers. */
async function tick(node: ReturnType<typeof nodeOf>) {
  node.allowances.sendDue();
  await node.idle();
}

it("charges what passed after a second at most, or with half of the share", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  for (let i = 0; i < 6; i++) await node.check(load);
  await tick(node);
  expect(node.sent).toHaveLength(0);
  nowMs += 950;
  await tick(node);
  expect(node.sent).toHaveLength(1);
  for (let i = 0; i < 15; i++) await node.check(load);
  await tick(node);
  expect(node.sent).toHaveLength(2);
  expect(node.asked).toBe(0);
  expect(await countOf(load)).toEqual([21]);
});

it("charges in one call what came at different times", async () => {
  const node = nodeOf();
  const steps = [stepOf("fixed", "ip", loose)];
  await node.check(loadOf(steps, "first"));
  nowMs += 600;
  await node.check(loadOf(steps, "second"));
  nowMs += 350;
  await tick(node);
  expect(node.sent.map(({ request }) => request.clients[0])).toEqual(["first", "second"]);
});

it("charges at once, with a share of one request, a client of which one had to wait", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf({ nodes: 20 });
  const pass = async () => {
    await node.check(load);
    await tick(node);
  };
  await pass();
  nowMs += 950;
  await tick(node);
  await pass();
  expect([node.sent.length, node.asked]).toEqual([1, 0]);
  await pass();
  expect([node.sent.length, node.asked]).toEqual([2, 1]);
  await pass();
  await pass();
  expect([node.sent.length, node.asked]).toEqual([4, 1]);
});

it("charges clients that it does not know as soon as they fill a call", async () => {
  const node = nodeOf();
  for (let i = 0; i < 128; i++) await node.check(loadOf([stepOf("fixed", "ip", loose)], `client-${i}`));
  expect(node.sent).toHaveLength(128);
  await node.check(loadOf([stepOf("fixed", "ip", loose)], "another"));
  await tick(node);
  expect(node.sent).toHaveLength(128);
});

/** A rate that hardly decays during a test, so that it shows how many hits were charged. */
const slow = { limit: 10, slack: 0.1, periodSeconds: 86_400 };
const windowAndRate = [
  stepOf("fixed", "ip", { ...loose, periodSeconds: 86_400 }),
  stepOf("earrrl", "rate", slow),
];
const hitsOf = async (load: CountedRequest) => {
  const [requests = 0, rate = 0] = await countOf(load);
  return [requests, Math.round((rate / Math.LN2) * slow.periodSeconds)];
};

it("charges a rate from a client's second request on, which brings the first one along", async () => {
  const load = loadOf(windowAndRate);
  const node = nodeOf();
  for (const hits of [
    [1, 0],
    [2, 2],
    [3, 3],
  ]) {
    await node.check(load);
    nowMs += 950;
    await tick(node);
    expect(await hitsOf(load)).toEqual(hits);
  }
  expect(node.sent.map(({ request }) => request.plan.steps[0]?.algorithm)).toEqual([
    "fixed",
    "fixed",
    "earrrl",
    "fixed",
    "earrrl",
  ]);
  expect(node.asked).toBe(0);
});

it("charges every hit of a rate once, but none of a client with one request", async () => {
  const someClients = fc.array(fc.record({ client: fc.nat(4), wait: fc.constantFrom(0, 0, 950) }), {
    maxLength: 30,
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(someClients, async (requests) => {
      run++;
      const node = nodeOf();
      const loads = [0, 1, 2, 3, 4].map((client) => loadOf(windowAndRate, `run ${run} client ${client}`));
      for (const { client, wait } of requests) {
        await node.check(loads[client] as CountedRequest);
        nowMs += wait;
        await tick(node);
      }
      await node.allowances.close();
      for (const [client, load] of loads.entries()) {
        const came = requests.filter((one) => one.client === client).length;
        expect(await hitsOf(load)).toEqual([came, came === 1 ? 0 : came]);
      }
    }),
    { numRuns: 25 },
  );
});

it("asks earlier where many nodes share a limit: each knows less of the others", async () => {
  const load = loadOf([stepOf("fixed", "ip", { limit: 500, slack: 0.1 })]);
  const others = nodeOf();
  for (let i = 0; i < 299; i++) await others.check(load);
  await others.allowances.close();
  const node = nodeOf({ nodes: 50 });
  await node.check(load);
  await tick(node);
  await node.check(load);
  expect(node.asked).toBe(1);
});

it("lets what passed be counted first where a request has to wait", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push(node.check(load));
  const used = (await Promise.all(answers)).map(({ readings }) => readings[0]?.used);
  expect(used).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(node.asked).toBe(10);
});

it("lets exactly the limit of a single node pass, whatever its slack", async () => {
  const load = loadOf([stepOf("fixed", "ip", { limit, slack: 1 })]);
  const node = nodeOf();
  let passed = 0;
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => node.check(load)));
    passed += answers.filter(({ deniedBy }) => deniedBy < 0).length;
    await tick(node);
  }
  expect(passed).toBe(limit);
  expect(node.over).toBe(0);
});

it("reports what passed above a limit in force, and once for a rule of two levels", async () => {
  const levels = [loose, { ...loose, periodSeconds: 600 }].map((level) => stepOf("fixed", "ip", level));
  const shadowed = { ...stepOf("fixed", "shadow", loose), isShadowed: true };
  const load = loadOf([...levels, shadowed]);
  const one = nodeOf();
  // Another node knows nothing of these.
  for (let i = 0; i < 300; i++) await one.check(load);
  await one.allowances.close();
  const other = nodeOf();
  for (let i = 0; i < 7; i++) await other.check(load);
  nowMs += 950;
  await tick(other);
  expect(other.over).toBe(7);
});

it("asks on a cluster for requests that count several clients", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose), stepOf("fixed", "user", loose)]);
  const node = nodeOf({ isCluster: true });
  await node.check({ ...load, clients: ["203.0.113.9", "joe"] });
  expect(node.asked).toBe(1);
  await node.check(load);
  expect(node.asked).toBe(1);
});

it("lets unknown clients wait for room while Redis has many of them to count", async () => {
  const steps = [stepOf("fixed", "ip", loose)];
  const node = nodeOf();
  let answered = 0;
  const checks = Array.from({ length: 2_000 }, (_, i) =>
    node.check(loadOf(steps, `many ${i}`)).then(() => answered++),
  );
  await Promise.resolve();
  expect(answered).toBeLessThanOrEqual(1_024);
  await Promise.all(checks);
  await node.allowances.close();
  expect(node.asked + node.sent.length).toBe(2_000);
  expect(await countOf(loadOf(steps, "many 1999"))).toEqual([1]);
});

it("charges what is left when it closes, also where an answer is overdue at that moment", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const outcomes: string[] = [];
  const allowances = new Allowances({
    async send(charges) {
      const isSilent = outcomes.length === 0;
      outcomes.push(isSilent ? "unsent" : "sent");
      const moment = { askedAtMs: nowMs, redisMicros: nowMs * 1_000 };
      const readings = [{ used: 0, resetMs: 60_000, isOver: false }];
      for (const charge of charges)
        charge.resolve(
          isSilent ? unsent : { outcome: "weighed", deniedBy: -1, readings, trouble: [], at: moment },
        );
    },
    momentAt: (ms) => ms * 1_000,
    nodes: () => 1,
    clock: () => nowMs,
  });
  allowances.open();
  expect(allowances.find(load)).toBeDefined();
  await allowances.close();
  expect(outcomes).toEqual(["unsent", "sent"]);
});

it("asks for unknown clients where no room comes", async () => {
  const steps = [stepOf("fixed", "ip", loose)];
  const node = nodeOf();
  let goOn = () => {};
  node.hold(new Promise<void>((resolve) => (goOn = resolve)));
  const checks = Array.from({ length: 1_100 }, (_, i) => node.check(loadOf(steps, `many ${i}`)));
  await Promise.all(checks);
  expect(node.asked).toBe(1_100 - 1_024);
  goOn();
  await node.allowances.close();
  expect(node.sent).toHaveLength(1_024);
});

it("asks for unknown clients after it has forgotten one near its limit", async () => {
  const steps = [stepOf("fixed", "ip", loose)];
  const forgetful = nodeOf({ mostClients: 10 });
  for (let i = 0; i < 20; i++) await forgetful.check(loadOf(steps, `few ${i}`));
  expect(forgetful.asked).toBe(0);
  await forgetful.check(loadOf(steps, "busy", 250));
  expect(forgetful.asked).toBe(1);
  for (let i = 0; i < 20; i++) await forgetful.check(loadOf(steps, `others ${i}`));
  expect(forgetful.asked).toBeGreaterThan(10);
});

it("lets four nodes together exceed a limit by its slack at most, and knows by how much they did", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const nodes = Array.from({ length: 4 }, () => nodeOf({ nodes: 4 }));
  let passed = 0;
  for (let round = 0; round < 40; round++) {
    const requests = nodes.flatMap((node) => Array.from({ length: 8 }, () => node.check(load)));
    for (const { deniedBy } of await Promise.all(requests)) if (deniedBy < 0) passed++;
  }
  await Promise.all(nodes.map(({ allowances }) => allowances.close()));
  expect(passed).toBeGreaterThanOrEqual(limit);
  expect(passed).toBeLessThanOrEqual(1.1 * limit);
  expect(await countOf(load)).toEqual([passed]);
  expect(nodes.reduce((sum, { over }) => sum + over, 0)).toBe(passed - limit);
});

it.each([
  ["without slack", { limit }],
  ["with fewer than ten requests for each node", { limit: 30, slack: 0.5 }],
])("asks for every request %s", async (_, some) => {
  const load = loadOf([stepOf("fixed", "ip", some), stepOf("earrrl", "rate", { limit: 10, slack: 0.1 })]);
  const node = nodeOf({ nodes: 4 });
  for (let i = 0; i < 5; i++) await node.check(load);
  expect(node.asked).toBe(5);
});

it("asks for every request as long as the number of nodes is unknown", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf({ nodes: "unknown" });
  for (let i = 0; i < 5; i++) await node.check(load);
  expect(node.asked).toBe(5);
});

it("asks for a cost above the share, and from four fifths of the limit on", async () => {
  const node = nodeOf();
  const steps = [stepOf("fixed", "ip", loose)];
  await node.check(loadOf(steps, "a", 31));
  await node.check(loadOf(steps, "a", 31));
  expect(node.asked).toBe(2);
  await node.check(loadOf(steps, "b", 240));
  await node.check(loadOf(steps, "b"));
  await node.check(loadOf(steps, "b"));
  expect(node.asked).toBe(5);
});

it("counts a request in the window in which it came, though it is charged in the next", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  nowMs = Math.ceil(nowMs / 60_000) * 60_000 - 100;
  for (let i = 0; i < 7; i++) await node.check(load);
  nowMs += 200;
  for (let i = 0; i < 3; i++) await node.check(load);
  await node.allowances.close();
  expect(await countOf(load)).toEqual([3]);
});

/** Shortly before a window of a minute ends, a client has used its limit. The answer took this long on its way to the node. */
async function filledBeforeEnd(
  node: ReturnType<typeof nodeOf>,
  load: CountedRequest,
  { leftMs = 0, wayMs = 0 },
) {
  nowMs = Math.ceil(nowMs / 60_000) * 60_000 - leftMs;
  const full = { ...load, costs: [limit] };
  const moment = { askedAtMs: nowMs - wayMs, redisMicros: nowMs * 1_000 };
  node.allowances.learn(full, { ...weighed(await node.scales.weigh(full)), at: moment });
}

it("knows a count until its window ends by Redis' clock, however late the answer came", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  await filledBeforeEnd(node, load, { leftMs: 100, wayMs: 40 });
  nowMs += 99;
  expect((await node.check(load)).deniedBy).toBe(0);
  nowMs += 1;
  expect((await node.check(load)).deniedBy).toBe(-1);
  expect(node.asked).toBe(1);
});

it.each([
  [0, 0],
  [1, 400],
])("charges what passed soon after its window has ended, in the node's turn (%s)", async (turn, afterMs) => {
  const steps = [60, 600].map((periodSeconds) => stepOf("fixed", "ip", { ...loose, periodSeconds }));
  const load = loadOf(steps);
  const node = nodeOf({ turn });
  nowMs = Math.ceil(nowMs / 600_000) * 600_000 + 60_000 - 100;
  for (let i = 0; i < 7; i++) await node.check(load);
  nowMs += 100 + afterMs - 1;
  await tick(node);
  expect(node.sent).toHaveLength(0);
  nowMs += 1;
  await tick(node);
  expect(node.sent).toHaveLength(1);
  nowMs -= afterMs + 1;
  expect(await countOf(load)).toEqual([7, 7]);
});

it("keeps what passed in its window, where the charge for it has to be sent again in the next", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const sent: PassedCharge[] = [];
  const allowances = new Allowances({
    async send(charges) {
      sent.push(...charges);
      for (const charge of charges) charge.resolve(unsent);
    },
    momentAt: (ms) => ms * 1_000,
    nodes: () => 4,
    clock: () => nowMs,
  });
  allowances.open();
  nowMs = Math.ceil(nowMs / 60_000) * 60_000 - 1;
  const endMicros = (nowMs + 1) * 1_000;
  expect(allowances.find(load)).toBeDefined();
  nowMs += 1_000;
  allowances.sendDue();
  const moment = { askedAtMs: nowMs, redisMicros: nowMs * 1_000 };
  const readings = [{ used: 0, resetMs: 59_001, isOver: false }];
  allowances.learn(load, { outcome: "weighed", deniedBy: -1, readings, trouble: [], at: moment });
  expect(allowances.find(load)).toBeDefined();
  const moments = sent.map(({ atMicros }) => atMicros);
  expect(moments).toEqual([endMicros - 1_000]);
  expect(sent[0]?.request.costs).toEqual([1]);
});

it("shares what passed among the plans of a client", async () => {
  const step = stepOf("fixed", "ip", loose);
  const one = loadOf([step]);
  const other = loadOf([step, stepOf("fixed", "login", loose)]);
  const node = nodeOf();
  for (let i = 0; i < 30; i++) {
    await node.check(one);
    await node.check(other);
  }
  await node.allowances.close();
  expect(await countOf(one)).toEqual([60]);
});

it("forgets a client, or all of them, and still charges what passed", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  for (const forget of [() => node.allowances.clear(), () => node.allowances.forgetClient("203.0.113.9")]) {
    const before = node.asked;
    for (let i = 0; i < 3; i++) await node.check(load);
    forget();
    await node.check(load);
    expect(node.asked).toBe(before + 1);
  }
  await node.allowances.close();
  expect(await countOf(load)).toEqual([8]);
});

it("asks again after a charge that failed, and counts that at most once", async () => {
  const load = loadOf([stepOf("fixed", "ip", loose)]);
  const node = nodeOf();
  await node.check(load);
  await node.check(load);
  await counters.client.script("FLUSH");
  await counters.client.set("rack::attack:x", "1");
  const { pipeline } = counters.redis;
  counters.redis.pipeline = () => {
    throw new Error("LOADING");
  };
  try {
    await node.allowances.close();
  } finally {
    counters.redis.pipeline = pipeline;
  }
  node.allowances.open();
  await node.check(load);
  expect(node.asked).toBe(1);
  await node.check(loadOf([stepOf("fixed", "ip", loose)], "another"));
  expect(node.asked).toBe(2);
  expect(await countOf(load)).toEqual([1]);
});

const chargeable = algorithms.filter((name) => !models[name].keepsHits);

it.each(chargeable)("%s: a charge counts what the model counts, and denies nothing", async (algorithm) => {
  const hits = fc.array(
    fc.record({
      cost: fc.integer({ min: 1, max: algorithm === "gcra" ? 2 : 9 }),
      advanceMicros: fc.integer({ min: 0, max: 70 * second }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(hits, async (all) => {
      await counters.client.flushall();
      // What a meter holds ends by Redis' own clock: it must not be over before the next hit. A cost of 1 lasts 2.4 s.
      const step = stepOf(algorithm, "ip", { limit: algorithm === "gcra" ? 25 : 1_000_000 });
      const [node, model] = [nodeOf(), new Modelled(step)];
      for (const { cost, advanceMicros } of all) {
        nowMs += Math.round(advanceMicros / 1_000);
        const found = new Promise<Weighed>((resolve) => {
          const settle = (answer: unknown) => resolve(answer as Weighed);
          // A limit that is passed by far.
          const request = loadOf([{ ...step, limit: algorithm === "gcra" ? step.limit : 1 }], "a", cost);
          const atMicros = nowMs * 1_000;
          void node.scales.chargePassed([{ request, resolve: settle, atMicros, isOfKnown: false }]);
        });
        const { used } = model.hit("a", cost, nowMs * 1_000);
        expect((await found).readings[0]?.used).toBeCloseTo(used, 6);
      }
    }),
    { numRuns: 30 },
  );
});

it.each([1, 100])(
  "%i charges at once: windows end, and a key that Sluice did not write stays as it is",
  async (count) => {
    const steps = [stepOf("fixed", "ip", loose), stepOf("fixed", "other", loose)];
    const node = nodeOf();
    const clients = Array.from({ length: count }, (_, i) => `client-${i}`);
    const keysOf = (client: string) =>
      ["ip", "other"].map((rule) => keys.fixedWindow(rule, Math.floor(nowMs / 60_000)) + client);
    const [foreign = "", whole = ""] = keysOf("client-0");
    await counters.client.lpush(foreign, "of another program");
    const charge = async () => {
      for (const client of clients) await node.check(loadOf(steps, client));
      nowMs += 950;
      await tick(node);
    };
    await charge();
    expect(await counters.client.type(foreign)).toBe("list");
    const kept = [whole, ...clients.slice(1).flatMap(keysOf)];
    for (const key of kept) {
      expect(await counters.client.get(key)).toBe("1");
      const lifeMs = await counters.client.pttl(key);
      expect(lifeMs).toBeGreaterThan(0);
      expect(lifeMs).toBeLessThanOrEqual(61_000);
    }
    // A window that was evicted begins again, and ends.
    for (const key of kept) await counters.client.del(key);
    await charge();
    await expect.poll(() => Promise.all(kept.map((key) => counters.client.pttl(key)))).not.toContain(-1);
  },
);
