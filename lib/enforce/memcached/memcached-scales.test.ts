import { expect, it } from "vitest";
import type { Algorithm } from "../algorithms/algorithms.ts";
import type { CountedRequest, Step, Unweighed, Weighed } from "../limits/plan.ts";
import { createMemcachedScales, type Memcached } from "./memcached-scales.ts";

const nowMicros = 1_700_000_000_000_000;
const startOfWindow = (periodSeconds: number) => 1_700_000_000 - (1_700_000_000 % periodSeconds);

const stepOf = (rule: string, some: Partial<Step> = {}): Step => ({
  rule,
  algorithm: "fixed",
  limit: 5,
  periodSeconds: 60,
  overageWeight: 1,
  isShadowed: false,
  ...some,
});

const load = (steps: readonly Step[], client = "joe", cost = 1): CountedRequest => ({
  plan: { steps },
  clients: steps.map(() => client),
  costs: steps.map(() => cost),
});

/** A client of an app's own, which lets a test get between two commands. */
class Instance implements Memcached {
  readonly stored = new Map<string, string>();
  readonly expiries = new Map<string, number>();
  onIncr: (key: string) => unknown = () => {};

  async incr(key: string, by: number) {
    await this.onIncr(key);
    return this.#change(key, by);
  }
  async decr(key: string, by: number) {
    return this.#change(key, -by);
  }
  async add(key: string, value: string, expiry: number) {
    if (this.stored.has(key)) return false;
    this.stored.set(key, value);
    this.expiries.set(key, expiry);
    return true;
  }
  async get(key: string) {
    return this.stored.get(key);
  }

  #change(key: string, by: number): number | undefined {
    const value = this.stored.get(key);
    if (value === undefined) return undefined;
    if (!/^\d+ *$/.test(value)) throw new Error("Incr/Decr on non-numeric value");
    this.stored.set(key, String(Math.max(0, Number(value) + by)));
    return Number(this.stored.get(key));
  }
}

function setUp(stored: Record<string, string> = {}) {
  const instance = new Instance();
  for (const [key, value] of Object.entries(stored)) instance.stored.set(key, value);
  const scales = createMemcachedScales(instance, { clock: () => nowMicros });
  return { instance, scales, stored: () => Object.fromEntries(instance.stored) };
}

function weighed(answer: Weighed | Unweighed): Weighed {
  if (answer.outcome === "unweighed") throw new Error(answer.message);
  return answer;
}

const keyOf = (rule: string, client = "joe", periodSeconds = 60) =>
  `rack::attack:${startOfWindow(periodSeconds) / periodSeconds}:${rule}:${client}`;

it("counts in rack-attack's counters, until a second after their window", async () => {
  const { instance, scales, stored } = setUp();
  const answer = weighed(await scales.weigh(load([stepOf("req/ip")], " JOE\u0000", 3)));
  expect(answer.readings).toEqual([{ used: 0, resetMs: 40_000, isOver: false }]);
  expect(stored()).toEqual({ [keyOf("req/ip")]: "3" });
  expect(instance.expiries.get(keyOf("req/ip"))).toBe(41);
});

it("gives a window of more than 30 days the moment of its end, as memcached wants it", async () => {
  const { instance, scales } = setUp();
  const month = 30 * 86_400;
  const year = 366 * 86_400;
  await scales.weigh(load([stepOf("a", { periodSeconds: month }), stepOf("b", { periodSeconds: year })]));
  expect(instance.expiries.get(keyOf("a", "joe", month))).toBe(
    startOfWindow(month) + month + 1 - 1_700_000_000,
  );
  expect(instance.expiries.get(keyOf("b", "joe", year))).toBe(startOfWindow(year) + year + 1);
});

it.each(["with space", "żółw", "x".repeat(250), "line\r\nset a 0 0 1"])(
  "keeps the client %j under a key that memcached takes",
  async (client) => {
    const { instance, scales } = setUp();
    const step = stepOf("a", { limit: 1 });
    expect(weighed(await scales.weigh(load([step], client))).deniedBy).toBe(-1);
    expect(weighed(await scales.weigh(load([step], client))).deniedBy).toBe(0);
    expect(weighed(await scales.weigh(load([step], `${client}2`))).deniedBy).toBe(-1);
    expect([...instance.stored.keys()]).toEqual([
      expect.stringMatching(/^[\da-f]{40}$/),
      expect.stringMatching(/^[\da-f]{40}$/),
    ]);
  },
);

it("keeps the longest key that fits as it is", async () => {
  const { instance, scales } = setUp();
  const client = "x".repeat(250 - keyOf("a", "").length);
  await scales.weigh(load([stepOf("a")], client));
  expect([...instance.stored.keys()]).toEqual([keyOf("a", client)]);
});

it("charges nothing for who is denied at first sight, nor for reading", async () => {
  const { scales, stored } = setUp({ [keyOf("b")]: "5" });
  const steps = [stepOf("a"), stepOf("b"), stepOf("c")];
  const answer = weighed(await scales.weigh(load(steps)));
  expect(answer.deniedBy).toBe(1);
  expect(answer.readings.map(({ used, isOver }) => [used, isOver])).toEqual([
    [0, false],
    [5, true],
    [0, false],
  ]);
  expect(weighed(await scales.read(load([stepOf("a")]))).deniedBy).toBe(-1);
  expect(stored()).toEqual({ [keyOf("b")]: "5" });
});

it("gives all back when another request was quicker at a later counter", async () => {
  const { instance, scales, stored } = setUp({ [keyOf("a")]: "2", [keyOf("b")]: "4", [keyOf("c")]: "1" });
  instance.onIncr = (key) => key === keyOf("b") && instance.stored.set(key, "5");
  const answer = weighed(await scales.weigh(load([stepOf("a"), stepOf("b"), stepOf("c")])));
  expect(answer.deniedBy).toBe(1);
  expect(answer.readings.map(({ used }) => used)).toEqual([2, 5, 1]);
  expect(stored()).toEqual({ [keyOf("a")]: "2", [keyOf("b")]: "5", [keyOf("c")]: "1" });
});

it("tells of a shadowed step, never denies by it, and charges it no further than its limit", async () => {
  const { instance, scales, stored } = setUp({ [keyOf("seen")]: "5", [keyOf("raced")]: "4" });
  instance.onIncr = (key) => key === keyOf("raced") && instance.stored.set(key, "5");
  const steps = [stepOf("seen", { isShadowed: true }), stepOf("raced", { isShadowed: true }), stepOf("a")];
  const answer = weighed(await scales.weigh(load(steps)));
  expect(answer.deniedBy).toBe(-1);
  expect(answer.readings.map(({ isOver }) => isOver)).toEqual([true, true, false]);
  expect(stored()).toEqual({ [keyOf("seen")]: "5", [keyOf("raced")]: "5", [keyOf("a")]: "1" });
});

it("weighs no counter that holds something else, and the others all the same", async () => {
  const { instance, scales, stored } = setUp({ [keyOf("a")]: "hello", [keyOf("b")]: "4" });
  instance.onIncr = (key) => key === keyOf("c") && instance.stored.set(key, "hello");
  const answer = weighed(await scales.weigh(load([stepOf("a"), stepOf("b"), stepOf("c")])));
  expect(answer).toMatchObject({ deniedBy: -1, trouble: [0, 2] });
  expect(stored()).toEqual({ [keyOf("a")]: "hello", [keyOf("b")]: "5", [keyOf("c")]: "hello" });
});

it("counts on when another node makes the counter first", async () => {
  const { instance, scales, stored } = setUp();
  const { add } = instance;
  instance.add = async (key) => {
    instance.add = add;
    instance.stored.set(key, "4");
    return false;
  };
  expect(weighed(await scales.weigh(load([stepOf("a")]))).readings[0]?.used).toBe(4);
  expect(stored()).toEqual({ [keyOf("a")]: "5" });
});

it("reads what memcached leaves behind a number that was lowered", async () => {
  const { scales } = setUp({ [keyOf("a")]: "4 " });
  expect(weighed(await scales.read(load([stepOf("a")]))).readings[0]?.used).toBe(4);
});

it("costs nothing when the request costs nothing", async () => {
  const { scales, stored } = setUp({ [keyOf("b")]: "6" });
  expect(weighed(await scales.weigh(load([stepOf("a")], "joe", 0))).deniedBy).toBe(-1);
  expect(weighed(await scales.weigh(load([stepOf("b")], "joe", 0))).deniedBy).toBe(0);
  expect(stored()).toEqual({ [keyOf("b")]: "6" });
});

it.each([
  ["SERVER_ERROR out of memory", "refused"],
  ["socket hang up", "away"],
])("takes back what it charged before %s", async (message, reason) => {
  const { instance, scales, stored } = setUp({ [keyOf("a")]: "2" });
  instance.onIncr = (key) => key === keyOf("b") && Promise.reject(new Error(message));
  const answer = await scales.weigh(load([stepOf("a"), stepOf("b")]));
  expect(answer).toEqual({ outcome: "unweighed", reason, message });
  expect(stored()).toEqual({ [keyOf("a")]: "2" });
});

it("is late within 50 ms whatever a client waits for, and charges no further", async () => {
  const attempt = async (): Promise<number> => {
    const { instance, scales, stored } = setUp();
    let goOn = (): void => {};
    instance.onIncr = (key) =>
      key === keyOf("a") &&
      new Promise<void>((resolve) => {
        goOn = resolve;
      });
    const startedAt = performance.now();
    expect(await scales.weigh(load([stepOf("a"), stepOf("b")]))).toMatchObject({ reason: "late" });
    const tookMs = performance.now() - startedAt;
    goOn();
    await new Promise(setImmediate);
    expect(stored()).toEqual({ [keyOf("a")]: "0" });
    return tookMs;
  };
  // The quickest of five: a busy machine is late itself.
  let tookMs = await attempt();
  for (let i = 1; i < 5 && tookMs >= 50; i++) tookMs = await attempt();
  expect(tookMs).toBeLessThan(50);
});

it("gives up on a server that forgets each counter at once", async () => {
  const { instance, scales } = setUp();
  instance.add = async () => false;
  expect(await scales.weigh(load([stepOf("a")]))).toMatchObject({ reason: "refused" });
});

const mixed: Step[] = (["fixed", "rolling-list", "earrrl"] satisfies Algorithm[]).map((algorithm) =>
  stepOf(`by-${algorithm}`, { algorithm }),
);
const refusal =
  "memcached keeps fixed windows only: rule by-rolling-list is rolling-list, rule by-earrrl is earrrl. " +
  'Choose algorithm "fixed", or counters on Redis.';

it("refuses to weigh what needs more than fixed windows, and says which rules do", async () => {
  const { scales, stored } = setUp();
  const expected = { outcome: "unweighed", reason: "refused", message: refusal };
  expect(await scales.weigh(load(mixed))).toEqual(expected);
  expect(await scales.read(load(mixed))).toEqual(expected);
  expect(stored()).toEqual({});
});

it("names a rule of several refused levels once", async () => {
  const { scales } = setUp();
  expect(await scales.weigh(load([...mixed, ...mixed]))).toMatchObject({ message: refusal });
});

it.each([
  ["redis://127.0.0.1:6379", /cannot be read/],
  ["memcached://", /cannot be read/],
  ["memcached://host:70000", /cannot be read/],
  ["memcached://me:secret@host:11211", /without user or password/],
  ["memcached://a:11211,b:11211", /one server/],
])("refuses the address %s without repeating it", (address, message) => {
  expect(() => createMemcachedScales(address)).toThrow(message);
  expect(() => createMemcachedScales(address)).not.toThrow(/secret/);
});

it("takes an empty plan for passed", async () => {
  const { scales } = setUp();
  expect(weighed(await scales.weigh(load([]))).deniedBy).toBe(-1);
});

it("gives back what is counted and never more, and forgets a client", async () => {
  const instance = new Instance();
  const scales = createMemcachedScales(instance, { clock: () => nowMicros });
  const steps = [stepOf("a"), stepOf("b", { periodSeconds: 3_600 })];
  for (const _ of [1, 2, 3]) await scales.weigh(load(steps));
  expect(await scales.refund(load(steps, "joe", 2))).toBe(true);
  expect([...instance.stored.values()]).toEqual(["1", "1"]);
  expect(await scales.refund(load(steps, "joe", 2))).toBe(false);
  expect(await scales.forget(load(steps))).toBe(true);
  expect([...instance.stored.values()]).toEqual(["0", "0"]);
  expect(await scales.refund(load([stepOf("c", { algorithm: "gcra" })]))).toBe(false);
});
