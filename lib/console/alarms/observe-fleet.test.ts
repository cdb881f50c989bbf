import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { readAlarms } from "../../manage/alarms/store.ts";
import { keys } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { FleetObserver } from "./observe-fleet.ts";

let server: TestRedis;
let guard: Guard;

beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  await theCatalogue().ready;
});

afterAll(async () => {
  await guard.close();
  theCatalogue().close();
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  for (const name of ["console", "catalogue", "statistics", "shared answers", "networks"]) forgetOnce(name);
  await server.stop();
  vi.unstubAllEnvs();
});

it("reads every kind, finds an attack while it goes on", async () => {
  const troubles: string[] = [];
  const observer = new FleetObserver((line) => troubles.push(line));
  const { redis } = theConsole();
  /** A pass that keeps what the observers remember, as the keeper does. */
  const pass = async () => {
    const observed = await observer.observe(await readAlarms(redis));
    if (observed.memory.size > 0) await redis.hset(keys.alarmMemory(), Object.fromEntries(observed.memory));
    return observed;
  };
  const first = await pass();
  expect(new Set(first.readKinds)).toEqual(
    new Set(["attack", "request", "node", "redis", "feed", "customer", "expiry"]),
  );
  expect([first.states, first.events]).toEqual([[], []]);

  await server.client.set("blocklist:203.0.113.9", "scanner");
  await eventually(async () =>
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({ outcome: "blocked" }),
  );
  await eventually(async () => {
    for (let i = 0; i < 50; i++) await guard.check({ ip: "203.0.113.9" });
    const { states } = await pass();
    expect(states).toMatchObject([
      {
        kind: "attack",
        cause: "attack shop",
        path: "/offenders?app=shop",
        text: expect.stringContaining("203.0.113.9"),
      },
    ]);
  });
  expect((await pass()).states).toMatchObject([{ cause: "attack shop" }]);
  expect(troubles).toEqual([]);
});
