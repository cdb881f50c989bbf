import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
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
  rules: [],
  tiers: {},
  attack: { rules: [{ name: "attack/all", client: "ip", algorithm: "fixed", levels: none }] },
});
const signed = { by: "ada@example.org", reason: "an attack" };
const saved = { version: 1, at: "2026-03-28T12:00:00.000Z", ...signed };
const outcomeOf = async (guard: Guard | undefined) => (await guard?.check({ ip: "203.0.113.9" }))?.outcome;

async function fleet(): Promise<Guard[]> {
  for (const app of ["shop", "blog"]) guards.push(createGuard({ redis: server.url, app, log: () => {} }));
  await Promise.all(guards.map((guard) => guard.ready()));
  return guards;
}

const save = (timed: Timed) => server.client.set(keys.policy(), writePolicy({ ...saved, policy, timed }));

describe("attack mode on a node", () => {
  it("denies by the rules that are prepared, ends on every node on time, and no key is written then", async () => {
    await fleet();
    const untilMs = (await redisNow(server.client)) + 1_500;
    await save({ ends: [], attack: { sinceMs: 0, untilMs, ...signed } });
    await Promise.all(
      guards.map((guard) => eventually(async () => expect(await outcomeOf(guard)).toBe("throttled"))),
    );
    const text = await server.client.get(keys.policy());
    await Promise.all(
      guards.map((guard) => eventually(async () => expect(await outcomeOf(guard)).toBe("pass"))),
    );
    expect(await redisNow(server.client)).toBeGreaterThanOrEqual(untilMs);
    expect(await server.client.get(keys.policy())).toBe(text);
  });

  it("ends while Redis is away, too", async () => {
    const [guard] = await fleet();
    const untilMs = (await redisNow(server.client)) + 3_000;
    await save({ ends: [], attack: { sinceMs: 0, untilMs, ...signed } });
    await eventually(async () => expect(await outcomeOf(guard)).toBe("throttled"));
    const other = connectControl(server.url, "patiently");
    await other.call("CLIENT", "PAUSE", "12000", "ALL");
    const pausedAt = performance.now();
    other.disconnect();
    await eventually(async () => expect(await outcomeOf(guard)).toBe("pass"));
    expect(performance.now() - pausedAt).toBeLessThan(11_000);
    await server.client.call("CLIENT", "UNPAUSE").catch(() => {});
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
