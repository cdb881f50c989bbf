import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import { type CustomerId, keys, listNames } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { isCustomerId } from "../customers/id.ts";
import type { StoredLimits } from "../policy/client.ts";
import type { Policy } from "../policy/schema.ts";
import { writePolicy } from "../policy/stored.ts";
import { createGuard, type Guard, guardOn } from "./guard.ts";
import { readOptions } from "./options.ts";
import { openInMemory } from "./shared-runtime.ts";
import type { Verdict } from "./verdict.ts";
import { places, policiesOf, requests, some, tooWide } from "./vitest.worlds.ts";

/** The time of both guards, in ms: that of Redis, too, as far as counts are concerned. */
const time = vi.hoisted(() => ({ now: 0 }));

vi.mock(import("../limits/scales.ts"), async (original) => {
  const module = await original();
  const clock = () => time.now * 1_000;
  return { ...module, createScales: (redis) => module.createScales(redis, { clock, withinMs: 10_000 }) };
});

/** A node that remembers a denial says of other rules what they had counted then. Here Redis answers each request. */
vi.mock(import("../limits/known-denials.ts"), async (original) => {
  const { KnownDenials } = await original();
  return {
    KnownDenials: class extends KnownDenials {
      override find() {
        return undefined;
      }
    },
  };
});

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis("--appendonly", "no");
});
afterAll(() => server.stop());

beforeEach(() => {
  time.now = Date.UTC(2026, 6, 1, 12, 34, 56, 789);
  const before = { real: performance.now(), time: time.now };
  vi.spyOn(performance, "now").mockImplementation(() => before.real + time.now - before.time);
});
afterEach(() => vi.restoreAllMocks());

interface World {
  readonly policy: Policy;
  readonly safelist: readonly string[];
  readonly blocklist: readonly string[];
  readonly neverBlock: readonly string[];
  readonly customers: Readonly<Record<string, Partial<StoredLimits>>>;
}

const periods = [10, 60, 3_600];
const limits: fc.Arbitrary<Partial<StoredLimits>> = fc.record({
  tier: fc.constantFrom("free", "pro", "none of the policy", undefined),
  override: fc.constantFrom(
    undefined,
    undefined,
    [{ limit: 1, periodSeconds: 60 }],
    [
      { limit: 2, periodSeconds: 10 },
      { limit: 3, periodSeconds: 3_600 },
    ],
  ),
});
const worlds: fc.Arbitrary<World> = fc.record({
  policy: policiesOf(periods),
  safelist: some([...places, ...tooWide]),
  blocklist: some([...places, ...tooWide]),
  neverBlock: some(places.slice(0, 4)),
  customers: fc.dictionary(fc.constantFrom("1042", "7"), limits),
});
const moments = fc.array(
  fc.record({
    advanceMs: fc.oneof(
      fc.constantFrom(0, 1, ...periods.map((seconds) => seconds * 1_000)),
      fc.integer({ min: 0, max: 120_000 }),
    ),
    asked: fc.array(fc.tuple(requests, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const app = "shop";
const clients = { tenant: ({ method }: { readonly method?: string | undefined }) => method };
const log = () => {};
const digestKey = "a key of the tests";
const version = { version: 1, by: "ada@example.org", reason: "a test" };

async function openOnRedis({ neverBlock, ...world }: World): Promise<Guard> {
  const { client } = server;
  await client.flushall();
  const batch = client.pipeline().set(keys.digestKey(), digestKey);
  const at = new Date(time.now).toISOString();
  batch.set(keys.policy(), writePolicy({ ...version, at, policy: world.policy }));
  for (const list of listNames)
    for (const address of world[list]) batch.set(`${list}:${address}`, "a reason");
  for (const [id, { tier, override = [] }] of Object.entries(world.customers)) {
    if (tier !== undefined) batch.set(`customer:${id}:tier_redis`, tier);
    for (const { periodSeconds, limit } of override)
      batch.hset(`customer:${id}:throttle_hash`, periodSeconds, limit);
  }
  await batch.exec();
  const guard = createGuard({ redis: server.url, app, clients, neverBlock, log });
  await guard.ready();
  return guard;
}

function openWithout({ policy, neverBlock, customers, ...lists }: World): Guard {
  const settings = readOptions({ redis: "memory:", app, clients, neverBlock, log });
  const runtime = openInMemory({ ...settings, digestKey, clock: () => time.now });
  const { node } = runtime;
  node.setPolicy(policy);
  for (const list of listNames)
    for (const address of lists[list]) node.setEntry(list, addressOf(address), "a reason", null);
  for (const [id, of] of Object.entries(customers)) node.setCustomer(idOf(id), of);
  return guardOn(runtime, settings);
}

function addressOf(text: string): Ip | Cidr {
  if (isCanonical(text)) return text;
  throw new Error(`${text} is not canonical`);
}

function idOf(text: string): CustomerId {
  if (isCustomerId(text)) return text;
  throw new Error(`${text} is no id`);
}

/** Only its fields. The last digits of estimates differ, because Lua writes them as text. */
const plain = (of: object) =>
  JSON.parse(
    JSON.stringify(of, (_, value) => (typeof value === "number" ? Number(value.toPrecision(9)) : value)),
  );
const fieldsOf = (verdict: Verdict) => plain({ ...verdict, headers: verdict.headers });

it("decides each request as a guard on Redis does, and explains it in the same words", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(worlds, moments, async (world, traffic) => {
      const [onRedis, inMemory] = [await openOnRedis(world), openWithout(world)];
      try {
        for (const { advanceMs, asked } of traffic) {
          time.now += advanceMs;
          for (const [request, times] of asked) {
            for (let i = 0; i < times; i++) {
              const [wanted, found] = [await onRedis.check(request), await inMemory.check(request)];
              expect(fieldsOf(found)).toEqual(fieldsOf(wanted));
              seen.set(wanted.outcome, (seen.get(wanted.outcome) ?? 0) + 1);
            }
            expect(plain(await inMemory.explain(request))).toEqual(plain(await onRedis.explain(request)));
          }
        }
      } finally {
        await onRedis.close();
      }
    }),
    { numRuns: 120 },
  );
  expect([...seen.keys()].sort()).toEqual(["blocked", "pass", "safelisted", "throttled"]);
}, 120_000);
