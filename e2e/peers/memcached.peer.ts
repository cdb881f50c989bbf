import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createMemoryScales } from "@/lib/enforce/limits/memory.ts";
import type { CountedRequest, Step, Unweighed, Weighed } from "@/lib/enforce/limits/plan.ts";
import { createMemcachedScales, type MemcachedScales } from "@/lib/enforce/memcached/memcached-scales.ts";
import { eventually, freePort, freeze } from "@/lib/redis/testing.ts";
import { roomInWindow } from "../fixtures/window.ts";

let port: number;
let server: ChildProcess;
const scales: MemcachedScales[] = [];

beforeAll(async () => {
  port = await freePort();
  server = await start();
});
beforeEach(() => tell("flush_all", /^OK/));
afterEach(() => {
  for (const one of scales.splice(0)) one.close();
});
afterAll(() => kill());

/** Started by root, memcached wants to be told whom to work as. */
async function start(): Promise<ChildProcess> {
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const words = ["-l", "127.0.0.1", "-p", String(port), "-U", "0", ...user];
  const child = spawn("memcached", words, { stdio: ["ignore", "ignore", "inherit"] });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error("memcached ended");
    await tell("version", /^VERSION/);
  });
  return child;
}

async function kill(): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

/** What memcached itself says to somebody who types a line. */
function tell(line: string, until = /\r\n$/): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8").on("error", reject);
    let said = "";
    socket.on("data", (text: string) => {
      said += text;
      if (!until.test(said)) return;
      socket.destroy();
      resolve(said.trim());
    });
    socket.on("close", () => reject(new Error(`it said only ${said}`)));
    socket.write(`${line}\r\n`);
  });
}

/** Patient, so that a busy machine changes no verdict. */
async function node(options: { withinMs?: number; clock?: () => number } = {}): Promise<MemcachedScales> {
  const made = createMemcachedScales(`memcached://127.0.0.1:${port}`, { withinMs: 20_000, ...options });
  scales.push(made);
  await eventually(async () => weighed(await made.read(load([stepOf("first")]))), 20_000);
  return made;
}

const stepOf = (rule: string, some: Partial<Step> = {}): Step => ({
  rule,
  algorithm: "fixed",
  limit: 5,
  // No window ends while a test runs, but at midnight of the first of January 1970 plus n years of 366 days.
  periodSeconds: 31_622_400,
  overageWeight: 1,
  isShadowed: false,
  ...some,
});

const load = (steps: readonly Step[], client = "joe", cost = 1): CountedRequest => ({
  plan: { steps },
  clients: steps.map(() => client),
  costs: steps.map(() => cost),
});

function weighed(answer: Weighed | Unweighed): Weighed {
  if (answer.outcome === "unweighed") throw new Error(`${answer.reason}: ${answer.message}`);
  return answer;
}

const keyOf = ({ rule, periodSeconds }: Step, client = "joe") =>
  `rack::attack:${Math.floor(Date.now() / 1_000 / periodSeconds)}:${rule}:${client}`;

const counted = async (step: Step) => /\r\n(\d+) *\r\nEND/.exec(await tell(`get ${keyOf(step)}`, /END/))?.[1];

async function passed(nodes: readonly MemcachedScales[], loads: readonly CountedRequest[]): Promise<number> {
  const answers = loads.map(async (one, i) => weighed((await nodes[i % nodes.length]?.weigh(one)) ?? nobody));
  return (await Promise.all(answers)).filter(({ deniedBy }) => deniedBy < 0).length;
}
const nobody: Unweighed = { outcome: "unweighed", reason: "away", message: "no node" };

it("decides what the model decides, on any traffic", async () => {
  let nowMicros = 0;
  let run = 0;
  const clock = () => nowMicros;
  const real = await node({ clock });
  const hit = fc.record({
    client: fc.constantFrom("a", "b", "two words"),
    costs: fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4)),
    advanceSeconds: fc.constantFrom(0, 0, 0, 1, 30, 60),
  });
  const limits = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9));
  await fc.assert(
    fc.asyncProperty(fc.array(hit, { maxLength: 25 }), limits, fc.boolean(), async (hits, of, isShadowed) => {
      const model = createMemoryScales({ clock });
      const steps = of.map((limit, i) =>
        stepOf(`${run}/${i}`, { limit, periodSeconds: 60 * (i + 1), isShadowed: i === 1 && isShadowed }),
      );
      run++;
      nowMicros = 1_700_000_000_000_000;
      for (const { client, costs, advanceSeconds } of hits) {
        nowMicros += advanceSeconds * 1_000_000;
        const one = { plan: { steps }, clients: steps.map(() => client), costs };
        expect(await real.weigh(one)).toEqual(await model.weigh(one));
      }
    }),
    { numRuns: 300 },
  );
});

it("lets exactly the limit of 1,000 concurrent requests pass, from two nodes", async () => {
  const nodes = [await node(), await node()];
  for (const limit of [0, 1, 137, 999, 1_000]) {
    const step = stepOf(`limit-${limit}`, { limit });
    expect(await passed(nodes, Array(1_000).fill(load([step])))).toBe(limit);
    await eventually(async () => expect((await counted(step)) ?? "0").toBe(String(limit)));
  }
});

it("lets exactly the strictest limit of several rules pass, and charges no rule for the denied", async () => {
  const nodes = [await node(), await node()];
  const steps = [100, 70, 30, 50].map((limit) => stepOf(`of-${limit}`, { limit }));
  expect(await passed(nodes, Array(1_000).fill(load(steps)))).toBe(30);
  for (const step of steps) await eventually(async () => expect(await counted(step)).toBe("30"));
});

it("never lets more pass than the limit when requests of different cost race, and what is left over fits", async () => {
  const nodes = [await node(), await node()];
  const step = stepOf("cents", { limit: 200_000 });
  const costs = Array.from({ length: 600 }, (_, i) => 1 + ((i * 7_919) % 5_000));
  const answers = await Promise.all(
    costs.map(async (cost, i) => weighed((await nodes[i % 2]?.weigh(load([step], "joe", cost))) ?? nobody)),
  );
  const spent = costs.reduce((sum, cost, i) => sum + (answers[i]?.deniedBy === -1 ? cost : 0), 0);
  expect(spent).toBeLessThanOrEqual(200_000);
  await eventually(async () => expect(await counted(step)).toBe(String(spent)));
  expect(await passed(nodes, [load([step], "joe", 200_001 - spent)])).toBe(0);
  expect(await passed(nodes, [load([step], "joe", 200_000 - spent)])).toBe(1);
});

it("spends nothing of the first rule when the second one denies", async () => {
  const one = await node();
  const steps = [stepOf("wide", { limit: 10 }), stepOf("narrow", { limit: 2 })];
  const verdicts: number[] = [];
  for (let i = 0; i < 4; i++) verdicts.push(weighed(await one.weigh(load(steps))).deniedBy);
  expect(verdicts).toEqual([-1, -1, 1, 1]);
  expect(await counted(stepOf("wide"))).toBe("2");
});

it("lets counters live until a second after their window, as rack-attack does, however long it is", async () => {
  const one = await node();
  await roomInWindow(60, 10);
  for (const periodSeconds of [60, 86_400, 30 * 86_400, 31_622_400]) {
    const step = stepOf("req/ip", { periodSeconds });
    const before = Date.now() / 1_000;
    await one.weigh(load([step]));
    const left = Number(/t(\d+)/.exec(await tell(`mg ${keyOf(step)} t`))?.[1]);
    const after = Date.now() / 1_000;
    const expiresAt = (Math.floor(before / periodSeconds) + 1) * periodSeconds + 1;
    // Both clocks have whole seconds.
    expect(left).toBeGreaterThanOrEqual(expiresAt - after - 2);
    expect(left).toBeLessThanOrEqual(expiresAt - before + 2);
  }
});

it("starts anew in the next window", async () => {
  const one = await node();
  const step = stepOf("short", { limit: 1, periodSeconds: 1 });
  expect(await passed([one], [load([step])])).toBe(1);
  await eventually(async () => expect(await passed([one], [load([step])])).toBe(1), 3_000);
});

it("leaves a counter alone that holds something else, and weighs the others", async () => {
  const one = await node();
  const foreign = stepOf("foreign");
  await tell(`set ${keyOf(foreign)} 0 0 5\r\nhello`, /STORED/);
  const answer = weighed(await one.weigh(load([foreign, stepOf("ours")])));
  expect(answer).toMatchObject({ deniedBy: -1, trouble: [0] });
  expect(await counted(stepOf("ours"))).toBe("1");
  expect(await tell(`get ${keyOf(foreign)}`, /END/)).toContain("hello");
});

it("is away at once while memcached is down, and back when it is", async () => {
  const one = await node({ withinMs: 40 });
  // An answer that was late may have been counted, so the limit leaves room for several.
  const step = stepOf("outage", { limit: 1_000 });
  expect((await eventually(async () => weighed(await one.weigh(load([step]))))).deniedBy).toBe(-1);
  await kill();
  await eventually(async () => expect(await one.weigh(load([step]))).toMatchObject({ reason: "away" }));
  const took: number[] = [];
  for (let i = 0; i < 100; i++) {
    const startedAt = performance.now();
    expect(await one.weigh(load([step]))).toMatchObject({ reason: "away" });
    took.push(performance.now() - startedAt);
  }
  // The median, because the machine may be busy for a moment.
  expect(took.sort((a, b) => a - b)[50]).toBeLessThan(5);
  server = await start();
  const back = await eventually(async () => weighed(await one.read(load([step]))));
  expect(back.readings[0]?.used).toBe(0);
  let tries = 0;
  const counting = await eventually(async () =>
    weighed(await one.weigh(load([stepOf(`after-outage-${tries++}`)]))),
  );
  expect(counting.readings[0]?.used).toBe(0);
});

it("is late while memcached is frozen, and counts each hit once at most", async () => {
  const one = await node({ withinMs: 40 });
  const step = stepOf("frozen", { limit: 1_000 });
  await eventually(async () => weighed(await one.weigh(load([stepOf("warm", { limit: 1_000 })]))));
  freeze(server);
  try {
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.weigh(load([step]))));
    expect(new Set(answers.map((answer) => "reason" in answer && answer.reason))).toEqual(new Set(["late"]));
    const took: number[] = [];
    for (let i = 0; i < 10; i++) {
      const startedAt = performance.now();
      expect(await one.weigh(load([step]))).toMatchObject({ outcome: "unweighed" });
      took.push(performance.now() - startedAt);
    }
    // The machine may be busy for a moment; who waits for an answer takes 40 ms every time.
    expect(Math.min(...took)).toBeLessThan(20);
  } finally {
    server.kill("SIGCONT");
  }
  const back = await eventually(async () => weighed(await one.read(load([step]))));
  expect(back.readings[0]?.used).toBeLessThanOrEqual(50);
});
