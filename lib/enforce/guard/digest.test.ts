import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { heartbeat } from "../stats/membership.ts";
import { createGuard, type Guard } from "./guard.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);
vi.mock(import("./deadline.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientDeadline(original),
);

let server: TestRedis;
let redis: Connection;
let guards: Guard[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(() => server.client.flushall());

afterEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  guards = [];
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const by = () => ({
  actor: { name: "ada@example.org", via: "console" },
  redis,
  seal: sealFrom("a secret of the tests"),
});

type Client = PolicyInput["rules"][number]["client"];

async function save(client: Client, algorithm: "fixed" | "first-hit" = "first-hit"): Promise<void> {
  const rule = { name: "key", client, algorithm, levels: [{ limit: 1, periodSeconds: 3_600 }] };
  const { version } = await readPolicy(redis);
  const policy = { mode: "enforce", rules: [rule], tiers: {} };
  await setPolicy(by(), { policy, basedOn: version, reason: "a test" });
}

async function open(): Promise<Guard> {
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  guards.push(guard);
  await guard.ready();
  return guard;
}

const secret = "sk_live_SECRET";
const ip = "203.0.113.9";
const withKey = (value: string) => ({ ip, headers: { "x-api-key": value, cookie: `sid=${value}` } });
const outcomes = async (guard: Guard, value: string, times = 3) => {
  const found: string[] = [];
  for (let i = 0; i < times; i++) found.push((await guard.check(withKey(value))).outcome);
  return found;
};

/** Everything that Redis holds, keys and values. */
async function dump(): Promise<string> {
  const parts: string[] = [];
  for (const key of await redis.keys("*")) {
    const type = await redis.type(key);
    const value =
      type === "string"
        ? await redis.get(key)
        : type === "hash"
          ? await redis.hgetall(key)
          : type === "zset"
            ? await redis.zrange(key, 0, "-1")
            : type === "stream"
              ? await redis.xrange(key, "-", "+")
              : "";
    parts.push(key, JSON.stringify(value));
  }
  return parts.join("\n");
}

describe("a rule that counts by a header or a cookie", () => {
  it.each<Client>([{ header: "x-api-key" }, { cookie: "sid" }, { all: ["ip", { header: "x-api-key" }] }])(
    "leaves no value of it in Redis (%j)",
    async (client) => {
      await save(client, "fixed");
      const guard = await open();
      expect(await outcomes(guard, secret)).toEqual(["pass", "throttled", "throttled"]);
      expect(await outcomes(guard, "another", 1)).toEqual(["pass"]);
      const minute = Math.floor(Date.now() / 60_000);
      const wanted = {
        minutes: [minute - 1, minute, minute + 1],
        most: 10,
        by: "denied",
        rules: (name: string) => name,
      } as const;
      const denied = await eventually(async () => {
        const found = (await new ClientCounts(redis).top(wanted)).filter(({ name }) => name.kind === "rule");
        expect(found).toHaveLength(1);
        return found;
      }, 10_000);
      expect(denied[0]?.name.client).toMatch(/(x-api-key|sid):hmac-[0-9a-f]{32}$/);
      const all = await dump();
      expect(all.toLowerCase()).not.toContain("secret");
      expect(all).toMatch(/rack::attack:\d+:key:.*hmac-[0-9a-f]{32}/);
    },
  );

  it("is counted once by all nodes, whatever the case and the space around it", async () => {
    await save({ header: "x-api-key" });
    const [one, other] = [await open(), await open()];
    expect(await outcomes(one, secret, 1)).toEqual(["pass"]);
    expect(await outcomes(other, ` ${secret.toUpperCase()} `, 1)).toEqual(["throttled"]);
  });

  it("is reported by a name that does not give the value away", async () => {
    await save({ header: "x-api-key" });
    const guard = await open();
    const { steps } = await guard.explain(withKey(secret));
    const [rule] = steps.flatMap(({ rules = [] }) => rules);
    expect(rule?.counts).toMatch(/^x-api-key:hmac-[0-9a-f]{32}$/);
    expect(JSON.stringify(steps)).not.toContain("SECRET");
  });

  it("counts and shows the value as it is if the rule says so", async () => {
    await save({ header: "x-api-key", show: true }, "fixed");
    expect(await outcomes(await open(), secret, 1)).toEqual(["pass"]);
    expect(await redis.keys(`rack::attack:*:key:${secret.toLowerCase()}`)).toHaveLength(1);
  });

  it("is keyed with what no other fleet has, and what the audit log does not tell", async () => {
    await save({ header: "x-api-key" });
    const key = await redis.get(keys.digestKey());
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await redis.xrange(keys.audit(), "-", "+"))).not.toContain(key);
    await save({ cookie: "sid" });
    expect(await redis.get(keys.digestKey())).toBe(key);
  });
});

describe("beside nodes that know no digests", () => {
  /** As an older version reports itself. */
  const older = () =>
    heartbeat(redis, {
      ...{ id: "old@host:1-abc", app: "shop", version: "0.1.0", host: "host", startedAt: 0, change: 0 },
      ...{ replicaAgeMs: 0, safelisted: 0, blocklisted: 0, unknownClients: 0 },
    });

  it("values are counted as those nodes count them, until the policy is saved without them", async () => {
    await older();
    await save({ header: "x-api-key" }, "fixed");
    const guard = await open();
    expect(await outcomes(guard, secret, 1)).toEqual(["pass"]);
    expect(await redis.keys(`rack::attack:*:key:${secret.toLowerCase()}`)).toHaveLength(1);
    await redis.zrem(keys.nodes(), "old@host:1-abc");
    await setMode(by(), { mode: "shadow", reason: "an emergency" });
    expect(await redis.exists(keys.digestKey())).toBe(0);
    await save({ header: "x-api-key" }, "fixed");
    await eventually(async () => {
      await guard.check(withKey(secret));
      expect(await redis.keys("rack::attack:*:key:x-api-key:hmac-*")).toHaveLength(1);
    });
  });

  it("the same policy saved again is enough", async () => {
    await older();
    await save({ header: "x-api-key" });
    await redis.zrem(keys.nodes(), "old@host:1-abc");
    const { version } = await readPolicy(redis);
    await save({ header: "x-api-key" });
    expect((await readPolicy(redis)).version).toBe(version + 1);
    await save({ header: "x-api-key" });
    expect((await readPolicy(redis)).version).toBe(version + 1);
  });

  it("a policy that they would refuse is saved, and keyed, for an admin who says so", async () => {
    await older();
    const levels = [{ limit: 1, periodSeconds: 60 }];
    const client = { header: "x-api-key", show: true };
    const rule = { name: "key", client, algorithm: "first-hit", levels };
    const policy = { mode: "enforce", rules: [rule], tiers: {} };
    const { version } = await readPolicy(redis);
    await setPolicy(by(), { policy, basedOn: version, reason: "", isOldIgnored: true });
    expect((await readPolicy(redis)).policy.rules).toMatchObject([{ client }]);
    expect(await redis.exists(keys.digestKey())).toBe(1);
  });

  it("values are counted as those nodes count them where an admin ignores only that they leave a rule out", async () => {
    await older();
    const levels = [{ limit: 1, periodSeconds: 60 }];
    const rule = { name: "key", client: { header: "x-api-key" }, algorithm: "first-hit", levels } as const;
    const rules = [rule, { ...rule, name: "login", countWhen: "failed" as const }];
    const policy = { mode: "enforce", rules, tiers: {} };
    const { version } = await readPolicy(redis);
    await setPolicy(by(), { policy, basedOn: version, reason: "", isOldIgnored: true });
    expect(await redis.exists(keys.digestKey())).toBe(0);
  });

  it("no policy is saved that they would refuse", async () => {
    await older();
    await expect(save({ header: "x-api-key", show: true })).rejects.toThrow(
      /^Node old@host:1-abc \(host host\) runs an older version, .* The policy was not saved\..*--even-with-old-nodes/,
    );
    await redis.zrem(keys.nodes(), "old@host:1-abc");
    await save({ header: "x-api-key", show: true });
  });
});
