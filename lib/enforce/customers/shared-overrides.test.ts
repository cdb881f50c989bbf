import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { limitsOf } from "../policy/client.ts";
import { SharedOverrides } from "./stored-limits.ts";
import { customer } from "./vitest.customers.ts";

const levels = [{ limit: 5, periodSeconds: 60 }];
const policy = { tiers: { pro: { levels: [{ limit: 100, periodSeconds: 60 }] } } };

describe("shared overrides", () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(() => server.client.flushall());
  afterAll(() => server.stop());

  const write = (name: string, given: object) =>
    server.client.hset(keys.sharedOverrides(), name, JSON.stringify({ expiresAt: null, ...given }));
  const group = async (name: string, ids: readonly string[], given: object = { levels }) => {
    await server.client.set(keys.groupMembers(name, "d1"), ids.join("\n"));
    await write(name, { members: { digest: "d1" }, ...given });
  };
  const loaded = async () => {
    const overrides = new SharedOverrides();
    await overrides.read(server.client);
    return overrides;
  };
  const namesOf = (overrides: SharedOverrides, id: string) =>
    overrides.of(customer(id)).map(({ name }) => name);

  it("win in a stated order: groups by name, then the pattern with most letters", async () => {
    await write("*", { levels });
    await write("premium_*", { levels });
    await write("*_1", { levels });
    await write("premium_1*", { tier: "pro" });
    await group("zeta", ["premium_1", "other"]);
    await group("beta", ["premium_1"]);
    const overrides = await loaded();
    expect(namesOf(overrides, "premium_1")).toEqual(["beta", "zeta", "premium_1*", "premium_*", "*_1"]);
    expect(namesOf(overrides, "premium_2")).toEqual(["premium_*"]);
    expect(namesOf(overrides, "other")).toEqual(["zeta"]);
    expect(namesOf(overrides, "nobody")).toEqual([]);
  });

  it("come after the customer's own override, and before everything else", async () => {
    await write("premium_*", { tier: "pro" });
    const shared = (await loaded()).of(customer("premium_1"));
    const session = { levels: [{ limit: 7, periodSeconds: 60 }] };
    expect(limitsOf(policy, { override: levels, tier: "pro" }, session, shared)?.from).toBe("override");
    expect(limitsOf(policy, { tier: "free" }, session, shared)).toEqual({
      ...{ levels: policy.tiers.pro.levels, from: "pattern", name: "premium_*", tier: "pro" },
    });
    expect(limitsOf({ tiers: {} }, undefined, session, shared)?.from).toBe("session-limits");
  });

  it("are found once for each customer, until something changes", async () => {
    await write("premium_*", { levels });
    const overrides = await loaded();
    const id = customer("premium_1");
    expect(overrides.of(id)).toBe(overrides.of(id));
    expect(await overrides.read(server.client)).toBe(false);
    await write("premium_1*", { levels });
    expect(await overrides.read(server.client)).toBe(true);
    expect(namesOf(overrides, id)).toEqual(["premium_1*", "premium_*"]);
  });

  it("end by Redis' clock, and the next one in order is in force", async () => {
    const [seconds = 0] = await server.client.time();
    await write("premium_1*", { levels, expiresAt: Number(seconds) * 1_000 - 1 });
    await write("premium_*", { tier: "pro", expiresAt: Number(seconds) * 1_000 + 3_600_000 });
    const shared = (await loaded()).of(customer("premium_1"));
    expect(limitsOf(policy, undefined, undefined, shared)?.name).toBe("premium_*");
  });

  it("that cannot be read are left out: other text, no limits, a group without its customers", async () => {
    await server.client.hset(keys.sharedOverrides(), { "a*": "text", "b*": "{}", "c d*": "{}" });
    await write("lost", { levels, members: { digest: "gone" } });
    await write("e*", { levels: [{ limit: -1, periodSeconds: 0 }] });
    await write("f*", { levels });
    const lines: string[] = [];
    const overrides = new SharedOverrides((line) => lines.push(line));
    await overrides.read(server.client);
    expect(["a1", "b1", "e1", "f1"].map((id) => namesOf(overrides, id))).toEqual([[], [], [], ["f*"]]);
    expect(lines).toEqual([expect.stringContaining("the customers of group lost cannot be read")]);
    await server.client.set(keys.sharedOverrides(), "of another type");
    await overrides.read(server.client);
    expect(namesOf(overrides, "f1")).toEqual([]);
  });
});
