import { Cluster } from "ioredis";
import { expect, it, vi } from "vitest";
import { createGuard, type GuardOptions } from "./guard.ts";
import { readOptions } from "./options.ts";

const right = { redis: "redis://127.0.0.1:6379", app: "shop" };
/** As JavaScript, or a typo, may give them: the compiler would refuse some. */
const made = (options: object) => () => createGuard({ ...right, ...options });

it.each([
  [
    { redis: undefined },
    /^createGuard: redis is missing\. Give the address of Redis, .* variable set\? For development .* give "memory:"\.$/,
  ],
  [{ redis: " " }, /^createGuard: redis is missing\./],
  [{ redis: 6379 }, /^createGuard: redis must be an address or an ioredis instance\.$/],
  [{ redis: null }, /^createGuard: redis must be an address/],
  [{ redis: "memory" }, /^createGuard: redis cannot be read: expected redis:\/\/host:port/],
  [
    { redis: "memory:", counters: right.redis },
    /^createGuard: counters must be left out with redis: "memory:"/,
  ],
  [
    { policy: { mode: "enforce", rules: [], tiers: {} } },
    /^createGuard: policy is for redis: "memory:" alone\. With Redis, .* sluice policy set\.$/,
  ],
  [
    { redis: "memory:", policy: { mode: "enforce", rules: [{ name: "a", client: "ip" }], tiers: {} } },
    /^createGuard: policy cannot be used\. rules\[0\]\.algorithm: write one of fixed, /,
  ],
  [{ redis: "redis://a:1,redis://b:2" }, /^createGuard: redis is a cluster\./],
  [
    { redis: "redis://127.0.0.1/cache" },
    /^createGuard: redis cannot be read: the database .* not a number\.$/,
  ],
  [{ app: undefined }, /^createGuard: app is missing: .*"storefront"\.$/],
  [{ app: " " }, /^createGuard: app is missing/],
  [{ app: 7 }, /^createGuard: app is missing/],
  [{ counters: "" }, /^createGuard: counters is empty: leave it out/],
  [
    { counters: "http://cache" },
    /^createGuard: counters cannot be read: expected redis:.* memcached:\/\/host:port or memory:\.$/,
  ],
  [{ counters: "memcached://" }, /^createGuard: The address of memcached cannot be read/],
  [
    { counters: {} },
    /^createGuard: counters must be an address, an ioredis instance or a memcached client\.$/,
  ],
  [{ clients: { tenant: "acme" } }, /^createGuard: clients\.tenant must be a function\.$/],
  [{ trustedProxies: "10.0.0.0/99" }, /^createGuard: trustedProxies cannot be read: .*10\.0\.0\.0\/99/],
  [{ neverBlock: "10.0.0.0/8, x" }, /^createGuard: neverBlock cannot be read: .*"?x"?/],
  [{ log: true }, /^createGuard: log must be a function\.$/],
  [
    { trustedProxy: "10.0.0.0/8" },
    /^createGuard: trustedProxy is not an option\. Did you mean trustedProxies\?$/,
  ],
  [{ zzzzzz: 1 }, /^createGuard: zzzzzz is not an option\. The options are redis, app, counters, /],
])("refuses %j when the guard is made", (options, message) => {
  expect(made(options)).toThrow(message);
  expect(made(options)).toThrow(expect.objectContaining({ name: "DomainError", code: "bad-input" }));
});

it("refuses a cluster for the lists", () => {
  const redis = new Cluster(["redis://127.0.0.1:1"], { lazyConnect: true });
  expect(made({ redis })).toThrow(/^createGuard: redis is a cluster\./);
});

it("refuses no options at all", () => {
  const none = JSON.parse("null");
  expect(() => createGuard(none)).toThrow(/^createGuard: options must be an object/);
});

it("never repeats what may be a password", () => {
  for (const address of [
    "redis://:s3cret#x@cache",
    "redis//:s3cret@cache:1",
    "memcached://ada:s3cret@cache",
  ]) {
    for (const option of ["redis", "counters"]) {
      expect(made({ [option]: address })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("s3cret") }),
      );
    }
  }
  expect(made({ redis: "redis://:s3cret#x@cache" })).toThrow(/%23/);
});

it("keeps counters beside the lists by default", () => {
  const read = (options: Partial<GuardOptions>) => readOptions({ ...right, ...options }).counters;
  expect(read({})).toBe(right.redis);
  expect(read({ counters: undefined })).toBe(right.redis);
  expect(read({ counters: "memory:" })).toBe("memory:");
  expect(read({ counters: "a:1,b:2" })).toBe("a:1,b:2");
  const memcached = {
    incr: async () => 1,
    decr: async () => 1,
    add: async () => true,
    get: async () => undefined,
  };
  expect(read({ counters: memcached })).toBe(memcached);
});

it("names memory: to developers alone", () => {
  vi.stubEnv("NODE_ENV", "production");
  try {
    expect(made({ redis: undefined })).toThrow(/variable set\?$/);
  } finally {
    vi.unstubAllEnvs();
  }
});

it("takes the addresses of the environment where redis is left out, and only there", () => {
  vi.stubEnv("REDIS_URL", undefined);
  vi.stubEnv("COUNTERS_REDIS_URL", undefined);
  expect(() => readOptions({ app: "shop" })).toThrow(/^createGuard: redis is missing/);
  vi.stubEnv("REDIS_URL", "redis://control:6379");
  const placesOf = (options: Partial<GuardOptions>) => {
    const { redis, counters } = readOptions({ app: "shop", ...options });
    return [redis, counters];
  };
  expect(placesOf({})).toEqual(["redis://control:6379", "redis://control:6379"]);
  vi.stubEnv("COUNTERS_REDIS_URL", "redis://counters:6379");
  expect(placesOf({})).toEqual(["redis://control:6379", "redis://counters:6379"]);
  expect(placesOf({ counters: "redis://own:6379" })).toEqual(["redis://control:6379", "redis://own:6379"]);
  expect(placesOf({ redis: right.redis })).toEqual([right.redis, right.redis]);
  expect(() => readOptions({ ...right, redis: undefined })).toThrow(/^createGuard: redis is missing/);
  vi.unstubAllEnvs();
});

it("connects to nothing while Next builds the app, and finds what else is wrong", async () => {
  vi.stubEnv("NEXT_PHASE", "phase-production-build");
  try {
    const counters = "redis://127.0.0.1:1";
    const guard = createGuard({ redis: undefined, counters, app: "shop" });
    expect(guard.status().following).toBeUndefined();
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({ outcome: "pass" });
    expect(() => createGuard({ app: "" })).toThrow(/^createGuard: app is missing/);
  } finally {
    vi.unstubAllEnvs();
  }
});
