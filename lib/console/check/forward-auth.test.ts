import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Mode } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { checkRequest } from "./forward-auth.ts";
import { refusalCounts } from "./refusals.ts";

const token = "a-token-for-the-proxies";
const blocked = "203.0.113.9";
const other = "198.51.100.7";
let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
  await redis.client.set(`blocklist:${blocked}`, "a scan");
});

beforeEach(() => {
  vi.stubEnv("REDIS_URL", redis.url);
  vi.stubEnv("SLUICE_CHECK_TOKEN", token);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

afterAll(async () => {
  await redis.stop();
});

/** On a busy machine a new app's first check may pass, because Redis' answer comes after the 50 ms that a check takes. */
const isBlocked = (query: string) => eventually(async () => expect((await ask(query)).status).toBe(403));

async function ask(query: string, forwardedFor = blocked, shown = token) {
  const headers = { "x-sluice-token": shown, "x-forwarded-for": forwardedFor, "x-original-uri": "/" };
  const response = await checkRequest(new Request(`http://localhost/api/check?${query}`, { headers }));
  return { status: response.status, headers: response.headers, body: await response.text() };
}

it("knows the check by a token of its own, and by SLUICE_TOKEN only where there is none", async () => {
  vi.stubEnv("SLUICE_TOKEN", "a-token-for-everything");
  await isBlocked("app=shop");
  expect((await ask("app=shop", blocked, "a-token-for-everything")).status).toBe(401);
  vi.stubEnv("SLUICE_CHECK_TOKEN", "");
  vi.stubEnv("SLUICE_METRICS_TOKEN", "a-token-for-metrics");
  expect((await ask("app=shop", blocked, "a-token-for-everything")).status).toBe(403);
  expect((await ask("app=shop", blocked, "a-token-for-metrics")).status).toBe(401);
});

it("answers for the apps that SLUICE_CHECK_APPS names, and for no other", async () => {
  vi.stubEnv("SLUICE_CHECK_APPS", "shop, api");
  for (const app of ["shop", "api"]) await isBlocked(`app=${app}`);
  const before = refusalCounts().get("app") ?? 0;
  expect(await ask("app=storefront")).toMatchObject({
    status: 503,
    body: 'The check does not answer for the app "storefront": SLUICE_CHECK_APPS does not name it.\n',
  });
  expect((await ask("")).status).toBe(503);
  expect(refusalCounts().get("app")).toBe(before + 2);
});

it("never answers for the console itself", async () => {
  const body = expect.stringContaining(
    'The check does not answer for the app "console": it is Sluice itself.',
  );
  expect(await ask("app=console", other)).toMatchObject({ status: 503, body });
  vi.stubEnv("SLUICE_CHECK_APPS", "console, shop");
  expect(await ask("app=console", other)).toMatchObject({ status: 503, body });
  expect((await ask("app=shop", other)).status).toBe(204);
});

it("believes no hop of the asking proxy's chain for the console's own hop count", async () => {
  vi.stubEnv("SLUICE_TRUSTED_PROXIES", "2");
  await isBlocked("app=counted&mode=nginx");
  expect((await ask("app=counted&mode=nginx", `${other}, ${blocked}`)).status).toBe(403);
  expect((await ask("app=counted&mode=nginx", `${blocked}, ${other}`)).status).toBe(204);
});

it("believes as many hops as the question says", async () => {
  await isBlocked("app=shop");
  expect((await ask("app=shop&hops=2", `${blocked}, ${other}`)).status).toBe(403);
  expect((await ask("app=shop&hops=2", `${other}, ${blocked}`)).status).toBe(204);
  expect((await ask("app=shop", `${blocked}, ${other}`)).status).toBe(204);
  expect((await ask("app=shop&hops=0")).status).toBe(400);
});

it("keeps an app in use when eight other names are asked for, and lets a new one in", async () => {
  for (let i = 0; i < 3; i++) expect((await ask("app=shop")).status).toBe(403);
  for (const app of "abcdefgh") await isBlocked(`app=junk-${app}`);
  await isBlocked("app=blog");
  // The app in use has kept its node, and those that gave their places up have left the fleet.
  await eventually(async () => {
    const apps = (await redis.client.zrange(keys.nodes(), 0, "-1")).map((id) => id.replace(/@.*/, ""));
    expect(apps).toEqual(expect.arrayContaining(["shop", "blog"]));
    expect(apps.length).toBeLessThanOrEqual(8);
  });
});

async function save(mode: Mode): Promise<void> {
  const by = {
    actor: { name: "ada@example.org", via: "console" as const },
    redis: redis.client,
    seal: sealFrom("a secret of the tests"),
  };
  const levels = [{ limit: 2, periodSeconds: 600 }];
  const rules = [{ name: "twice", client: "ip" as const, algorithm: "first-hit" as const, levels }];
  const { version } = await readPolicy(redis.client);
  await setPolicy(by, { policy: { mode, rules, tiers: {} }, basedOn: version, reason: "a test" });
}

describe("the first questions for a new app", () => {
  const apps = Array.from({ length: 30 }, (_, i) => `new-${i}`);

  // Named apps take no place from each other.
  beforeEach(() => vi.stubEnv("SLUICE_CHECK_APPS", apps.join()));
  afterEach(() => redis.client.del(keys.policy()));

  it("are answered by the saved limits, also when they come at once", async () => {
    await save("enforce");
    let inTime = 0;
    for (const app of apps.slice(0, 20)) {
      const client = `198.51.100.1${app.slice("new-".length)}`;
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask(`app=${app}`, client)));
      // On a busy machine Redis' answer may come after the 50 ms of a check. Then no limit is named.
      if (answers.some(({ headers }) => !headers.has("ratelimit"))) continue;
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 429, 429, 429]);
      inTime++;
    }
    expect(inTime).toBeGreaterThanOrEqual(5);
  });

  it("are answered by the saved mode: no limit and no list while it is off", async () => {
    await save("off");
    for (const app of apps.slice(20)) expect((await ask(`app=${app}`)).status).toBe(204);
  });
});

it("counts what it gives no verdict on", async () => {
  const before = refusalCounts();
  await ask("app=shop", blocked, "wrong");
  await ask("app=shop", "nobody");
  vi.stubEnv("SLUICE_CHECK_TOKEN", "");
  await ask("app=shop");
  const added = [...refusalCounts()].map(([reason, count]) => [reason, count - (before.get(reason) ?? 0)]);
  expect(Object.fromEntries(added)).toEqual({ token: 1, app: 0, question: 1, settings: 1 });
});
