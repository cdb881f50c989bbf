import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { sendOwners } from "../../enforce/stats/report.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theCatalogue } from "../catalogue.ts";
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
  await theCatalogue().close();
  for (const name of ["console", "statistics", "catalogue"]) forgetOnce(name);
  await Promise.all([control.stop(), counters.stop()]);
  vi.unstubAllEnvs();
});

it("reports that counts are unknown while the counters are away, with and without clients to read", async () => {
  // Connecting may take longer than the reply waits for the counters.
  await eventually(() => theConsole().counters.ping());
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: true, over: 0, clients: [] });

  await counters.kill();
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: false, over: null, clients: [] });

  await counters.restart();
  await eventually(async () =>
    expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: true, over: 0 }),
  );
  const guard = createGuard({ redis: control.url, counters: counters.url, app: "shop", log: () => {} });
  await guard.ready();
  await eventually(async () => {
    await guard.check({ ip: "203.0.113.7" });
    expect((await readOffenders(undefined, 5)).clients).toMatchObject([{ client: "203.0.113.7" }]);
  });
  await control.client.set("blocklist:203.0.113.0/29", '{"reason":"scan"}', "EX", 3_600);
  await eventually(async () => {
    const [blocked] = (await readOffenders(undefined, 5)).clients;
    expect(blocked).toMatchObject({
      ...{ client: "203.0.113.7", counter: { used: expect.any(Number) }, customers: [] },
      ...{ paths: ["/"], deniedPerSecond: 0, network: null },
      listed: { list: "blocklist", address: "203.0.113.0/29", reason: "scan", expiresAt: expect.any(Number) },
    });
    expect(blocked?.requestsPerSecond).toBeGreaterThan(0);
  });

  // A customer's limits decide only what the lists let through.
  await sendOwners(theConsole().redis, [{ customer: "acme", address: "203.0.113.7", requests: 1 }]);
  await eventually(async () => {
    await guard.check({ ip: "203.0.113.7", customerId: "acme" });
    const { clients } = await readOffenders(undefined, 5);
    expect(clients.find(({ client }) => client === "acme")).toMatchObject({
      kind: "customer",
      blockedAddresses: { blocked: 1, total: 1, entries: [{ address: "203.0.113.0/29", reason: "scan" }] },
    });
  });
  await guard.close();

  await counters.kill();
  expect(await readOffenders(undefined, 5)).toMatchObject({ isCounted: false, over: null });
});
