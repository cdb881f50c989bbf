import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { suspendCustomer } from "../../manage/customers/suspend.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { customer } from "../customers/vitest.customers.ts";
import { createGuard, type Guard } from "./guard.ts";

const acme = customer("acme");
const request = { ip: "203.0.113.9", customerId: acme };
const stepMs = 5;

let server: TestRedis;
const guards: Guard[] = [];

beforeAll(async () => {
  server = await startRedis();
  await server.client.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-client|tracking");
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(guards.splice(0).map((guard) => guard.close()));
  await server.client.flushall();
});
afterAll(() => server.stop());

/** What nodes have sent is answered, and they have read the answers, some times in turn. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await server.client.ping();
    await new Promise(setImmediate);
  }
}

/** Waits on a clock that moves only here, so that a busy machine takes no time. Returns how long it took by this clock. */
async function elapsedUntil(isDone: () => boolean | Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  for (let step = 0; step < 2_000; step++) {
    await settle();
    if (await isDone()) return performance.now() - startedAt;
    vi.advanceTimersByTime(stepMs);
  }
  throw new Error("it did not come");
}

const outcomes = () => Promise.all(guards.map(async (guard) => (await guard.check(request)).outcome));

it.each([
  ["with client tracking", () => server.url, "tracking", 25],
  ["by polling", () => `redis://app:secret@127.0.0.1:${server.port}`, "polling", 250],
] as const)("a suspension is in force on two nodes in time, %s", async (_, url, following, withinMs) => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
  });
  for (const app of ["shop", "forum"]) guards.push(createGuard({ redis: url(), app, log: () => {} }));
  await elapsedUntil(() => guards.every((guard) => guard.status().state === "ready"));
  expect(guards.map((guard) => guard.status().following?.by)).toEqual([following, following]);
  expect(await outcomes()).toEqual(["pass", "pass"]);
  const actor = { name: "ada@example.org", via: "console" } as const;
  const ctx = { actor, redis: server.client, seal: sealFrom("a secret of the tests") };
  await suspendCustomer(ctx, { id: acme, expiresInMs: null, reason: "abuse" });
  const tookMs = await elapsedUntil(async () => (await outcomes()).every((outcome) => outcome === "blocked"));
  expect(tookMs).toBeLessThanOrEqual(withinMs);
});
