import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { keptMs, writeTierEnd } from "../../enforce/customers/tier.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { startMirror } from "../../redis/mirror.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { CustomerDirectory, directoryScripts } from "./directory.ts";
import { type CustomerSearch, findCustomers } from "./search.ts";

const tierKey = (id: string) => `customer:${id}:tier_redis`;
const hashKey = (id: string) => `customer:${id}:throttle_hash`;
const everyone = { beginning: "", group: "all", offset: 0, limit: 1_000 } as const;
const find = (directory: CustomerDirectory, sought: Partial<CustomerSearch> = {}) =>
  findCustomers(directory, defaultPolicy, new SharedOverrides(), { ...everyone, ...sought });
const ids = (directory: CustomerDirectory, sought?: Partial<CustomerSearch>) =>
  find(directory, sought).customers.map(({ id }) => id);

describe("beside Redis", () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it("knows all customers, and each that is added, changed and removed", async () => {
    const directory = new CustomerDirectory();
    await server.client.set(tierKey("b"), "pro");
    await server.client.hset(hashKey("a"), "60", "5", "junk", "x");
    await server.client.set("safelist:192.0.2.1", "x");
    const onCurrent = vi.fn();
    const events = { onCurrent, onLost: vi.fn(), onApplied: vi.fn(), onOther: vi.fn() };
    const mirror = startMirror(server.url, directory, events, directoryScripts);
    await eventually(() => expect(onCurrent).toHaveBeenCalled());
    expect(ids(directory)).toEqual(["a", "b"]);
    await server.client.set(tierKey("Aa"), "gold");
    await server.client.set(hashKey("b"), "no hash");
    await server.client.del(hashKey("a"));
    await eventually(() => expect(ids(directory)).toEqual(["Aa", "b"]));
    await eventually(() => expect(ids(directory, { group: "not-obeyed" })).toContain("b"));
    await server.client.pexpire(tierKey("Aa"), 300);
    await eventually(() => expect(ids(directory)).toEqual(["b"]));
    await server.client.flushall();
    await eventually(() => expect(directory.size).toBe(0));
    mirror.close();
  });
});

it("shows a tier that ends with what follows it, and that one from then on", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const directory = new CustomerDirectory();
    const end = writeTierEnd({ tier: "enterprise", back: "pro", atMs: 0 });
    directory.put(tierKey("acme"), keptMs + 60_000, "enterprise");
    directory.put("customer:acme:tier_end", keptMs + 60_000, end);
    directory.put(tierKey("once"), 60_000, "free");
    expect(find(directory).customers).toMatchObject([
      { id: "acme", tier: "enterprise", tierEnd: { endsInMs: 60_000, back: "pro" } },
      { id: "once", tier: "free", tierEnd: { endsInMs: 60_000, back: undefined } },
    ]);
    vi.advanceTimersByTime(60_000);
    expect(find(directory).customers).toMatchObject([{ id: "acme", tier: "pro", tierEnd: undefined }]);
    expect(ids(directory, { group: "tier:pro" })).toEqual(["acme"]);
    directory.put(tierKey("acme"), -1, "enterprise");
    expect(find(directory).customers).toMatchObject([{ tier: "enterprise", tierEnd: undefined }]);
    directory.put(tierKey("acme"), -2);
    expect(find(directory).customers).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it("finds each customer's limits, and counts the kinds", () => {
  const directory = new CustomerDirectory();
  directory.put(tierKey("free1"), -1, "free");
  directory.put(tierKey("free2"), -1, " Free ");
  directory.put(tierKey("pro1"), -1, "pro");
  directory.put(hashKey("pro1"), 60_000, ["60", "5"]);
  directory.put(hashKey("own"), -1, ["60", "5", "x", "y"]);
  directory.put(tierKey("gold"), -1, "gold");
  directory.put(tierKey("odd"), -1, "{}");
  directory.put(hashKey("long"), -1, []);
  const { counts, total, customers } = find(directory);
  expect(Object.fromEntries(counts)).toEqual({
    all: 7,
    "tier:free": 2,
    "tier:pro": 1,
    "tier:gold": 1,
    "no-tier": 3,
    "own-levels": 2,
    "not-obeyed": 4,
  });
  expect(total).toBe(7);
  expect(customers.find(({ id }) => id === "pro1")).toEqual({
    id: "pro1",
    tier: "pro",
    override: { levels: [{ limit: 5, periodSeconds: 60 }], endsInMs: expect.any(Number) },
    levels: [{ limit: 5, periodSeconds: 60 }],
    isFlagged: false,
  });
  expect(customers.find(({ id }) => id === "free1")?.levels).toBe(defaultPolicy.tiers.free?.levels);
  expect(customers.find(({ id }) => id === "gold")?.levels).toBeUndefined();
  expect(ids(directory, { group: "not-obeyed" })).toEqual(["gold", "long", "odd", "own"]);
  expect(ids(directory, { group: "tier:free" })).toEqual(["free1", "free2"]);
  expect(ids(directory, { beginning: "FREE" })).toEqual(["free1", "free2"]);
  expect(find(directory, { beginning: "free", group: "own-levels" })).toMatchObject({
    total: 0,
    customers: [],
  });
  expect(find(directory, { offset: 2, limit: 2 })).toMatchObject({ total: 7, customers: [{}, {}] });
});

it("keeps its order through whatever happens", () => {
  const id = fc.stringMatching(/^[a-cA-C1]{1,3}$/);
  const step = fc.oneof(
    fc.record({ does: fc.constant("tier" as const), id, tier: fc.constantFrom("pro", "free", undefined) }),
    fc.record({ does: fc.constant("levels" as const), id, tier: fc.constantFrom("60", undefined) }),
    fc.constant({ does: "look" as const, id: "", tier: undefined }),
    fc.constant({ does: "reload" as const, id: "", tier: undefined }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), id, (steps, beginning) => {
      const directory = new CustomerDirectory();
      const model = new Map<string, string>();
      for (const { does, id, tier } of steps) {
        const key = does === "tier" ? tierKey(id) : hashKey(id);
        if (does === "look") find(directory);
        else if (does === "reload") reload(directory, model);
        else {
          directory.put(key, -1, does === "tier" ? tier : tier && [tier, "1"]);
          if (tier === undefined) model.delete(key);
          else model.set(key, tier);
        }
      }
      const known = [...new Set([...model.keys()].map((key) => key.split(":")[1] ?? ""))];
      const order = (text: string) => `${text.toLowerCase()}\0${text}`;
      const expected = known.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
      expect(ids(directory)).toEqual(expected);
      const begins = (text: string) => text.toLowerCase().startsWith(beginning.toLowerCase());
      expect(ids(directory, { beginning })).toEqual(expected.filter(begins));
    }),
  );
});

function reload(directory: CustomerDirectory, model: ReadonlyMap<string, string>) {
  directory.begin();
  for (const [key, value] of model) directory.load(key, -1, key.endsWith("_hash") ? [value, "1"] : value);
  directory.finish();
}

it("sorts everything when many changed, and ends what is over", async () => {
  const directory = new CustomerDirectory();
  for (let i = 0; i < 600; i++) directory.put(tierKey(`c${i}`), -1, "pro");
  expect(find(directory).total).toBe(600);
  directory.put(tierKey("c1"), 300, "free");
  directory.put(hashKey("c2"), 300, ["60", "5"]);
  expect(find(directory, { beginning: "c2", limit: 1 }).customers[0]?.override).toBeDefined();
  // They end one after the other.
  await eventually(() => {
    expect(find(directory).total).toBe(599);
    expect(find(directory, { beginning: "c2", limit: 1 }).customers[0]).toMatchObject({
      override: undefined,
    });
  });
});
