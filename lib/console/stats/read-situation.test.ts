import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { keys } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { readSituation } from "./read-situation.ts";

let control: TestRedis;
let counters: TestRedis;
let guard: Guard;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
  vi.stubEnv("REDIS_URL", control.url);
  vi.stubEnv("COUNTERS_REDIS_URL", counters.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  // Connecting may take longer than the reply waits for the counters.
  await eventually(() => theConsole().counters.ping());
});

afterAll(async () => {
  await guard.close();
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  for (const name of ["console", "statistics", "shared answers", "networks"]) forgetOnce(name);
  await Promise.all([control.stop(), counters.stop()]);
  vi.unstubAllEnvs();
});

const situation = async (app?: string) => (await readSituation(app)).situation;
const eventuallyIs = (wanted: object, app?: string) =>
  eventually(async () => expect(await situation(app)).toMatchObject(wanted));

it("follows nodes, counts, counters and mode, from what is unknown to what is known", async () => {
  expect(await situation()).toEqual({ kind: "unknown", cause: "nodes", apps: [] });
  guard = createGuard({ redis: control.url, counters: counters.url, app: "shop", log: () => {} });
  await guard.ready();
  await eventuallyIs({ kind: "quiet", against: undefined });
  expect(await situation("docs")).toMatchObject({ kind: "unknown", cause: "nodes" });

  await control.client.set("blocklist:203.0.113.9", "scanner");
  await eventually(async () =>
    expect(await guard.check({ ip: "203.0.113.9" })).toMatchObject({ outcome: "blocked" }),
  );
  for (let i = 0; i < 200; i++) await guard.check({ ip: "203.0.113.9" });
  await eventuallyIs({
    kind: "elevated",
    reason: { is: "blocked", clients: [{ client: "203.0.113.9", isBlocked: true, customers: [] }] },
  });
  await control.client.del("blocklist:203.0.113.9");
  await eventuallyIs({ kind: "attack", share: { percent: 100, isLeast: false } });
  await control.client.set("safelist:203.0.113.9", "partner");
  await eventuallyIs({ kind: "elevated", reason: { is: "spread" } });

  await counters.kill();
  await eventuallyIs({ kind: "unknown", cause: "counters" });
  const { redis, seal } = theConsole();
  await setMode(
    { redis, seal, actor: { name: "ada@example.org", via: "console" } },
    { mode: "off", reason: "drill" },
  );
  await eventuallyIs({ kind: "off", since: { by: "ada@example.org", reason: "drill" } });
});

it("does not know an app whose node sends no counts, unless the node is idle", async () => {
  const { client } = control;
  const node = (app: string, pace: object) => ({
    id: app,
    app,
    host: "h",
    version: "0.0.1",
    change: "0",
    ...pace,
  });
  for (const [app, pace] of [
    ["mute", {}],
    ["idle", { requestsPerSecond: "0" }],
  ] as const) {
    await client.zadd(keys.nodes(), Date.now(), app);
    await client.hset(keys.node(app), node(app, pace));
  }
  await setMode(
    { ...theConsole(), actor: { name: "ada@example.org", via: "console" } },
    { mode: "enforce", reason: "over" },
  );
  await counters.restart();
  await eventuallyIs({ kind: "unknown", cause: "reports", apps: ["mute"] }, "mute");
  await eventuallyIs({ kind: "quiet" }, "idle");
});
