import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { keptMs, writeTierEnd } from "../customers/tier.ts";
import { customer } from "../customers/vitest.customers.ts";
import { definePolicy } from "../policy/define.ts";
import { writePolicy } from "../policy/stored.ts";
import type { Timed } from "../policy/timed.ts";
import { createGuard, type Guard } from "./guard.ts";

let server: TestRedis;
let guards: Guard[] = [];

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(() => server.client.flushall());
afterEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  guards = [];
});
afterAll(() => server.stop());

const none = [{ limit: 0, periodSeconds: 60 }];
const policy = definePolicy({
  mode: "enforce",
  rules: [
    { name: "plan", client: "customer", algorithm: "fixed", levels: "tier", match: { who: "customers" } },
  ],
  tiers: { enterprise: { levels: none }, pro: { levels: [{ limit: 1_000, periodSeconds: 60 }] } },
  attack: { rules: [{ name: "attack/all", client: "ip", algorithm: "fixed", levels: none }] },
});
const signed = { by: "ada@example.org", reason: "an attack" };
const saved = { version: 1, at: "2026-03-28T12:00:00.000Z", ...signed };
const acme = customer("acme");
const outcomeOf = async (guard: Guard | undefined) => (await guard?.check({ ip: "203.0.113.9" }))?.outcome;

async function fleet(): Promise<Guard[]> {
  for (const app of ["shop", "blog"]) guards.push(createGuard({ redis: server.url, app, log: () => {} }));
  await Promise.all(guards.map((guard) => guard.ready()));
  return guards;
}

const save = (timed: Timed) => server.client.set(keys.policy(), writePolicy({ ...saved, policy, timed }));

/** Begins what ends after so long; again if it is over before it is in force, as on a busy machine. Returns its end. */
async function untilInForce(
  ms: number,
  begin: (untilMs: number) => Promise<unknown>,
  isInForce: () => Promise<void>,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const untilMs = (await redisNow(server.client)) + ms;
    await begin(untilMs);
    try {
      await eventually(isInForce, ms);
      return untilMs;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

const attackFor = (ms: number, isInForce: () => Promise<void>) =>
  untilInForce(ms, (untilMs) => save({ ends: [], attack: { sinceMs: 0, untilMs, ...signed } }), isInForce);

describe("attack mode on a node", () => {
  it("denies by the rules that are prepared, ends on every node on time, and no key is written then", async () => {
    await fleet();
    const outcomes = async () => new Set(await Promise.all(guards.map(outcomeOf)));
    const untilMs = await attackFor(1_500, async () =>
      expect(await outcomes()).toEqual(new Set(["throttled"])),
    );
    const text = await server.client.get(keys.policy());
    await eventually(async () => expect(await outcomes()).toEqual(new Set(["pass"])));
    expect(await redisNow(server.client)).toBeGreaterThanOrEqual(untilMs);
    expect(await server.client.get(keys.policy())).toBe(text);
  });

  it("ends while Redis is away, too", async () => {
    const [guard] = await fleet();
    await attackFor(3_000, async () => expect(await outcomeOf(guard)).toBe("throttled"));
    server.freeze();
    try {
      await eventually(async () => expect(await outcomeOf(guard)).toBe("pass"));
    } finally {
      server.thaw();
    }
  });

  it("is for the apps that it names", async () => {
    const [shop, blog] = await fleet();
    const untilMs = (await redisNow(server.client)) + 60_000;
    await save({ ends: [], attack: { sinceMs: 0, untilMs, apps: ["shop"], ...signed } });
    await eventually(async () => expect(await outcomeOf(shop)).toBe("throttled"));
    expect(await outcomeOf(blog)).toBe("pass");
  });

  it("is known to a node that starts while it is on", async () => {
    const untilMs = (await redisNow(server.client)) + 60_000;
    await save({
      ends: [{ part: "mode", atMs: 1_000, back: "shadow", ...signed }],
      attack: { sinceMs: 0, untilMs, ...signed },
    });
    const [guard] = await fleet();
    // The mode that has ended is over, so the rules are in shadow.
    expect(await outcomeOf(guard)).toBe("pass");
    expect((await guard?.check({ ip: "203.0.113.9" }))?.shadowed).toEqual(["attack/all"]);
  });
});

describe("a customer's tier on a node", () => {
  const tierOf = async (guard: Guard | undefined) =>
    (await guard?.check({ ip: "203.0.113.9", customerId: acme }))?.outcome === "throttled"
      ? "enterprise"
      : "pro";
  beforeEach(() => save({ ends: [] }));

  /** The end first: a node that knows the tier knows it. */
  function endAt(untilMs: number) {
    const end = writeTierEnd({ tier: "enterprise", back: "pro", atMs: untilMs });
    const at = untilMs + keptMs;
    const { client } = server;
    return client
      .multi()
      .set(keys.tierEnd(acme), end, "PXAT", at)
      .set(keys.tier(acme), "enterprise", "PXAT", at)
      .exec();
  }

  async function areAllIn(tier: string) {
    expect(new Set(await Promise.all(guards.map(tierOf)))).toEqual(new Set([tier]));
  }

  it("ends on every node on time, and no key is written then; a node that starts later knows it", async () => {
    await fleet();
    const untilMs = await untilInForce(1_500, endAt, () => areAllIn("enterprise"));
    await eventually(() => areAllIn("pro"));
    expect(await redisNow(server.client)).toBeGreaterThanOrEqual(untilMs);
    expect(await server.client.get(keys.tier(acme))).toBe("enterprise");
    const later = createGuard({ redis: server.url, app: "later", log: () => {} });
    guards.push(later);
    await later.ready();
    expect(await tierOf(later)).toBe("pro");
  });

  it("ends while Redis is away, too", async () => {
    await fleet();
    await untilInForce(3_000, endAt, () => areAllIn("enterprise"));
    server.freeze();
    try {
      await eventually(() => areAllIn("pro"));
    } finally {
      server.thaw();
    }
  });

  it("stays once another program sets it, and is none once one deletes it", async () => {
    await fleet();
    await endAt(await redisNow(server.client));
    await eventually(() => areAllIn("pro"));
    await server.client.set(keys.tier(acme), "enterprise");
    await eventually(() => areAllIn("enterprise"));
    await server.client.del(keys.tier(acme));
    await eventually(() => areAllIn("pro"));
  });
});
