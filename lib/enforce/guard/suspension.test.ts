import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { resumeCustomer } from "../../manage/customers/resume.ts";
import { suspendCustomer } from "../../manage/customers/suspend.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { customer } from "../customers/vitest.customers.ts";
import { definePolicy, type PolicyInput } from "../policy/define.ts";
import { createGuard, type Guard } from "./guard.ts";
import { refusalOf } from "./refusal.ts";
import { createTestGuard } from "./test-guard.ts";

const rules: PolicyInput["rules"] = [
  { name: "api", client: "customer", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 3_600 }] },
];
const policyIn = (mode: "enforce" | "shadow" | "off", messages?: PolicyInput["messages"]) =>
  definePolicy({ mode, rules, tiers: {}, messages });
const ip = "203.0.113.9";
const request = { ip, customerId: "acme", path: "/" };
const suspended = { acme: { isSuspended: true } };

describe("a suspended customer", () => {
  it("is answered with 403 before any rule counts it, and says so as data", async () => {
    const guard = createTestGuard({ policy: policyIn("enforce"), customers: suspended });
    for (let i = 0; i < 3; i++)
      expect(await guard.check(request)).toMatchObject({
        ...{ outcome: "blocked", status: 403, rule: "customer:acme:suspended" },
        by: { kind: "suspension", customer: "acme" },
        retryAfterSeconds: undefined,
      });
    guard.setCustomer("acme", {});
    expect((await guard.check(request)).outcome).toBe("pass");
    expect((await guard.check({ ip, customerId: "other" })).outcome).toBe("pass");
    expect((await guard.check({ ip })).outcome).toBe("pass");
  });

  it("reads the policy's message, and no reason", async () => {
    const said = async (messages?: PolicyInput["messages"]) => {
      const guard = createTestGuard({ policy: policyIn("enforce", messages), customers: suspended });
      return refusalOf(await guard.check(request), "application/json").body;
    };
    expect(JSON.parse(await said())).toEqual({
      ...{ type: "about:blank", title: "Account suspended", status: 403 },
      detail: "Requests of this account are not accepted at present.",
    });
    expect(JSON.parse(await said({ suspended: "Write to help@example.org." })).detail).toBe(
      "Write to help@example.org.",
    );
  });

  it("passes from a safelisted address, and a blocklist entry decides before", async () => {
    const guard = createTestGuard({ policy: policyIn("enforce"), customers: suspended, safelist: [ip] });
    expect((await guard.check(request)).outcome).toBe("safelisted");
    const { steps } = await guard.explain(request);
    expect(steps.map(({ step }) => step)).toEqual(["client", "safelist", "blocklist", "customer", "rules"]);
    expect(steps[3]?.says).toBe("Customer acme is suspended, but requests of a safelisted address pass.");
    guard.block("198.51.100.7");
    expect(await guard.check({ ...request, ip: "198.51.100.7" })).toMatchObject({
      rule: "blocklist:198.51.100.7",
    });
  });

  it("passes in mode off, and would be denied in mode shadow", async () => {
    const off = createTestGuard({ policy: policyIn("off"), customers: suspended });
    expect(await off.check(request)).toMatchObject({ outcome: "pass", shadowed: [] });
    const shadow = createTestGuard({ policy: policyIn("shadow"), customers: suspended });
    expect(await shadow.check(request)).toMatchObject({ outcome: "pass", shadowed: ["suspension"] });
    expect(await shadow.check(request)).toMatchObject({ outcome: "pass", shadowed: ["suspension", "api"] });
    const { steps, outcome } = await shadow.explain(request);
    expect(outcome).toBe("pass");
    expect(steps[3]?.says).toBe("Customer acme is suspended, but that is not enforced: the mode is shadow.");
  });

  it("is explained", async () => {
    const guard = createTestGuard({ policy: policyIn("enforce"), customers: suspended });
    expect(await guard.explain(request)).toMatchObject({
      ...{ outcome: "blocked", status: 403, by: { kind: "suspension", customer: "acme" } },
      says: `${ip} is blocked (403) by the suspension of customer acme.`,
      steps: [
        {},
        {},
        {},
        { step: "customer", decides: true, says: "Customer acme is suspended: it is blocked." },
        { step: "rules", decides: false, says: expect.stringContaining("Not reached") },
      ],
    });
  });
});

it("no new rule may have the name under which suspensions are counted", () => {
  const named = { ...policyIn("enforce"), rules: [{ ...policyIn("enforce").rules[0], name: "suspension" }] };
  expect(() => definePolicy(named as PolicyInput)).toThrow('"suspension" is reserved for suspensions');
});

describe("in a fleet", () => {
  let server: TestRedis;
  let guard: Guard;
  const acme = customer("acme");
  const other = customer("other");
  const signed = () => ({
    actor: { name: "ada@example.org", via: "console" },
    redis: server.client,
    seal: sealFrom("a secret for tests"),
  });

  beforeAll(async () => {
    server = await startRedis();
    guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
    await guard.ready();
  });
  afterAll(async () => {
    await guard.close();
    await server.stop();
  });
  afterEach(async () => {
    await server.client.del(keys.suspension(acme), keys.suspension(other));
  });

  const becomes = (expected: string, of = request) =>
    eventually(async () => expect((await guard.check(of)).outcome).toBe(expected));

  it("follows a suspension of the console, with its end", async () => {
    await suspendCustomer(signed(), { id: acme, expiresInMs: null, reason: "abuse" });
    await becomes("blocked");
    await resumeCustomer(signed(), { id: acme, reason: "" });
    await becomes("pass");
    await suspendCustomer(signed(), { id: acme, expiresInMs: 1_000, reason: "abuse" });
    await becomes("blocked");
    await becomes("pass");
  });

  it("follows the writes of any program, of any text", async () => {
    await server.client.set(keys.suspension(acme), "by hand", "EX", 60);
    await becomes("blocked");
    await server.client.set(keys.suspension(other), "");
    await becomes("blocked", { ...request, customerId: "other" });
    await server.client.del(keys.suspension(acme));
    await becomes("pass");
    await server.client.hset(keys.suspension(acme), "a", "b");
    await server.client.del(keys.suspension(other));
    await becomes("pass", { ...request, customerId: "other" });
    expect((await guard.check(request)).outcome).toBe("pass");
  });

  it("is enforced by a node that has not loaded yet", async () => {
    await server.client.set(keys.suspension(acme), "early");
    await eventually(async () => {
      const late = createGuard({ redis: server.url, app: "late", log: () => {} });
      const { outcome } = await late.check(request);
      await late.close();
      expect(outcome).toBe("blocked");
    });
  });

  it("is counted as a denial of its own, which is no hit of an entry", async () => {
    await server.client.set(keys.suspension(acme), "x");
    await becomes("blocked");
    await eventually(async () => {
      const totals = await readTotals(server.client, (name) => name);
      expect(totals.find(({ app }) => app === "shop")?.denials.get("suspension")).toBeGreaterThan(0);
    });
    const hash = await server.client.hgetall(keys.totals());
    const count = (field: string) => Number(hash[`shop\0${field}`] ?? 0);
    expect(count("blocked unlisted")).toBe(count("denied suspension"));
  });
});
