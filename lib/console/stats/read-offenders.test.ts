import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { readOffenders } from "./read-offenders.ts";

let control: TestRedis;
let counters: TestRedis;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
  vi.stubEnv("REDIS_URL", control.url);
  vi.stubEnv("COUNTERS_REDIS_URL", counters.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
});

afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  for (const name of ["console", "statistics"]) forgetOnce(name);
  await Promise.all([control.stop(), counters.stop()]);
  vi.unstubAllEnvs();
});

it("reports that counts are unknown while the counters are away, with and without clients to read", async () => {
  // Connecting may take longer than the reply waits for the counters.
  await eventually(() => theConsole().counters.ping());
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: true, over: 0, byCounter: [] });

  await counters.kill();
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: false, over: null, byCounter: [] });

  await counters.restart();
  await eventually(async () =>
    expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: true, over: 0 }),
  );
  const guard = createGuard({ redis: control.url, counters: counters.url, app: "shop", log: () => {} });
  await guard.ready();
  await eventually(async () => {
    await guard.check({ ip: "203.0.113.7" });
    expect((await readOffenders(undefined, 5)).byCounter).toMatchObject([{ client: "203.0.113.7" }]);
  });
  await guard.close();

  await counters.kill();
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: false, over: null, byCounter: [] });
});
