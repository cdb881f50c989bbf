import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { writeFeed } from "../lists/vitest.feeds.ts";
import { definePolicy, type PolicyInput } from "../policy/define.ts";
import { writePolicy } from "../policy/stored.ts";
import { fieldOfApp } from "../stats/fields.ts";
import { readClient } from "./pipeline.ts";
import { refusalOf } from "./refusal.ts";
import { countFingerprint } from "./report.ts";
import { createTestGuard } from "./test-guard.ts";
import type { Verdict } from "./verdict.ts";
import { openStage, type Stage } from "./vitest.polling.ts";

const rules: PolicyInput["rules"] = [
  { name: "few", client: "ip", algorithm: "fixed", levels: [{ limit: 2, periodSeconds: 3_600 }] },
];
type RequestRuleInput = NonNullable<PolicyInput["requestRules"]>[number];
const bots: RequestRuleInput = { name: "no-bots", action: "deny", match: { userAgents: ["acme-bot"] } };
const health: RequestRuleInput = { name: "health", action: "exempt", match: { only: ["/health"] } };
const policyOf = (requestRules: RequestRuleInput[], mode: PolicyInput["mode"] = "enforce") =>
  definePolicy({ mode, rules, tiers: {}, requestRules });

const ip = "203.0.113.9";
const bot = { ip, path: "/", headers: { "user-agent": "Acme-Bot/1" } };
const probe = { ip, path: "/health" };
const plain = { ip, path: "/" };
const denied = { outcome: "blocked", status: 403, rule: "no-bots" };

describe("a deny rule", () => {
  it("blocks what it matches, names itself, and charges nothing", async () => {
    const guard = createTestGuard({ policy: policyOf([bots]) });
    for (let i = 0; i < 5; i++)
      expect(await guard.check(bot)).toMatchObject({
        ...denied,
        by: { kind: "request-rule", rule: "no-bots", action: "deny" },
        ...{ headers: {}, retryAfterSeconds: undefined, limit: undefined },
      });
    expect((await guard.check(plain)).headers.ratelimit).toContain("r=1");
  });

  it("also blocks a client that a limit throttles, and no other request of a client", async () => {
    const guard = createTestGuard({ policy: policyOf([bots]) });
    for (let i = 0; i < 4; i++) await guard.check(plain);
    expect(await guard.check(bot)).toMatchObject(denied);
    expect(await guard.check(plain)).toMatchObject({ outcome: "throttled", rule: "few" });
  });

  it("comes after the safelist, the blocklist and suspensions, and spares protected ranges", async () => {
    const guard = createTestGuard({
      ...{ policy: policyOf([bots]), neverBlock: "203.0.113.64/26" },
      ...{ safelist: ["203.0.113.10"], blocklist: ["203.0.113.11"] },
      customers: { acme: { isSuspended: true } },
    });
    const by = async (request: object) => (await guard.check({ ...bot, ...request })).by?.kind;
    expect(await by({ ip: "203.0.113.10" })).toBe("entry");
    expect(await by({ ip: "203.0.113.11" })).toBe("entry");
    expect(await by({ customerId: "acme" })).toBe("suspension");
    expect(await by({ ip: "203.0.113.65" })).toBeUndefined();
    expect(await by({ ip: "127.0.0.1" })).toBeUndefined();
    expect(await by({})).toBe("request-rule");
  });

  it("answers with its status and its message, and names itself unless it claims that there is nothing", async () => {
    const answerOf = async (response?: RequestRuleInput["response"]) => {
      const guard = createTestGuard({ policy: policyOf([{ ...bots, ...(response && { response }) }]) });
      return refusalOf(await guard.check(bot), "application/json");
    };
    const body = async (response?: RequestRuleInput["response"]) =>
      JSON.parse((await answerOf(response)).body);
    expect(await body()).toEqual({
      ...{ type: "about:blank", title: "Access denied", status: 403 },
      detail: "Requests like this one are not accepted here.",
      "violated-policies": ["no-bots"],
    });
    expect(await body({ status: 451, message: "Not sold in your country." })).toMatchObject({
      ...{ title: "Unavailable For Legal Reasons", status: 451, detail: "Not sold in your country." },
      "violated-policies": ["no-bots"],
    });
    expect(await body({ status: 404 })).toEqual({
      ...{ type: "about:blank", title: "Not Found", status: 404 },
      detail: "There is nothing at this address.",
    });
    const { status, headers } = await answerOf({ status: 410 });
    expect([status, headers["cache-control"]]).toEqual([410, "private, no-store"]);
  });

  it("only says what it would deny in shadow, and in mode shadow", async () => {
    const watching = createTestGuard({ policy: policyOf([{ ...bots, mode: "shadow" }]) });
    expect(await watching.check(bot)).toMatchObject({ outcome: "pass", shadowed: ["no-bots"] });
    await watching.check(bot);
    expect(await watching.check(bot)).toMatchObject({ outcome: "throttled", shadowed: ["no-bots"] });
    const shadow = createTestGuard({ policy: policyOf([bots], "shadow") });
    expect(await shadow.check(bot)).toMatchObject({ outcome: "pass", shadowed: ["no-bots"] });
    const off = createTestGuard({ policy: policyOf([bots], "off") });
    expect(await off.check(bot)).toMatchObject({ outcome: "pass", shadowed: [] });
  });
});

describe("an exempt rule", () => {
  it("takes requests out of all limits, also of a client that is over one", async () => {
    const guard = createTestGuard({ policy: policyOf([health]) });
    for (let i = 0; i < 5; i++)
      expect(await guard.check(probe)).toMatchObject({
        ...{ outcome: "pass", status: 200, rule: "health", headers: {} },
        by: { kind: "request-rule", rule: "health", action: "exempt" },
      });
    expect((await guard.check(plain)).headers.ratelimit).toContain("r=1");
    for (let i = 0; i < 3; i++) await guard.check(plain);
    expect((await guard.check(plain)).outcome).toBe("throttled");
    expect((await guard.check(probe)).outcome).toBe("pass");
  });

  it("takes none out of the blocklist and of suspensions", async () => {
    const customers = { acme: { isSuspended: true } };
    const guard = createTestGuard({ policy: policyOf([health]), blocklist: ["203.0.113.11"], customers });
    expect((await guard.check({ ...probe, ip: "203.0.113.11" })).outcome).toBe("blocked");
    expect((await guard.check({ ...probe, customerId: "acme" })).outcome).toBe("blocked");
  });

  it("takes its requests out of the deny rules after it, and out of the edge's counts", async () => {
    const guard = createTestGuard({ policy: policyOf([health, bots]) });
    const request = { ...bot, path: "/health" };
    const verdict = await guard.check(request);
    expect(verdict).toMatchObject({ outcome: "pass", rule: "health" });
    const noted: unknown[] = [];
    const counter = { note: ({ path }: { path: string }) => void noted.push(path) };
    const count = (asked: typeof request, found: Verdict) =>
      countFingerprint(counter, {
        request: asked,
        client: readClient(asked),
        caller: undefined,
        verdict: found,
      });
    count(request, verdict);
    count(bot, await guard.check(bot));
    expect(noted).toEqual(["/"]);
  });

  it("stays in force in mode shadow, so that limits count as they would in force", async () => {
    const guard = createTestGuard({ policy: policyOf([health], "shadow") });
    for (let i = 0; i < 5; i++)
      expect(await guard.check(probe)).toMatchObject({ rule: "health", shadowed: [] });
    const watching = createTestGuard({ policy: policyOf([{ ...health, mode: "shadow" }]) });
    for (let i = 0; i < 2; i++) await watching.check(probe);
    expect(await watching.check(probe)).toMatchObject({ outcome: "throttled", shadowed: [] });
  });
});

it("believes the country of a header only where the guard names it, and what the app says before it", async () => {
  const policy = policyOf([{ name: "no-de", action: "deny", match: { countries: ["DE"] } }]);
  const request = { ip, headers: { "cf-ipcountry": "DE" } };
  expect((await createTestGuard({ policy }).check(request)).outcome).toBe("pass");
  const guard = createTestGuard({ policy, edgeHeaders: { country: "CF-IPCountry" } });
  expect((await guard.check(request)).outcome).toBe("blocked");
  expect((await guard.check({ ...request, country: "FR" })).outcome).toBe("pass");
  for (const edgeHeaders of [{ country: "a b" }, { city: "x" }, "cf-ipcountry"])
    expect(() => createTestGuard({ edgeHeaders: edgeHeaders as object })).toThrow(/createGuard: edgeHeaders/);
});

it("is explained step by step", async () => {
  const guard = createTestGuard({ policy: policyOf([health, bots]), safelist: ["203.0.113.10"] });
  const stepsOf = async (request: { ip: string }) => {
    const { says, steps } = await guard.explain(request);
    const step = steps.find((one) => one.step === "requests");
    return [says, step?.says, step?.decides, steps.at(-1)?.says];
  };
  expect(await stepsOf(bot)).toEqual([
    "203.0.113.9 is blocked (403) by rule no-bots.",
    "health (exempt): is for other paths, methods or senders. no-bots (deny): matches: denied (403).",
    ...[true, "Not reached."],
  ]);
  expect(await stepsOf(probe)).toEqual([
    "203.0.113.9 passes: no limit counts it, by rule health.",
    "health (exempt): matches: no limit counts the request. no-bots (deny): the user agent is not known as acme-bot.",
    ...[true, "Not reached."],
  ]);
  expect((await stepsOf({ ...bot, ip: "203.0.113.10" })).slice(1, 3)).toEqual([
    ...["Rules for requests are not reached.", false],
  ]);
});

describe("in a fleet", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.closeGuards());
  afterAll(() => stage.server.stop());

  it("rules follow feeds in shadow, and are counted by what they did", async () => {
    const redis = stage.server.client;
    await writeFeed(redis, "crawlers", ["203.0.113.0/28"], { mode: "shadow" });
    const policy = policyOf([
      { ...health, mode: "shadow" },
      { ...bots, mode: "shadow" },
      { name: "crawlers", action: "deny", match: { feeds: ["crawlers"] } },
      { name: "status", action: "exempt", match: { only: ["/status"] } },
    ]);
    const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "" };
    await redis.set(keys.policy(), writePolicy({ ...stored, policy }));
    const guard = await stage.guarded("shop", stage.server.url);
    const elsewhere = "198.51.100.9";
    await eventually(async () =>
      expect(await guard.check({ ip })).toMatchObject({ outcome: "blocked", rule: "crawlers" }),
    );
    await guard.check({ ...bot, ip: elsewhere, customerId: "acme" });
    await guard.check({ ...probe, ip: elsewhere });
    await guard.check({ ip: elsewhere, path: "/status" });
    await eventually(async () => {
      const totals = await redis.hgetall(keys.totals());
      const counts = ["denied crawlers", "shadow no-bots", "exempt health", "exempt status"].map((field) =>
        Number(totals[fieldOfApp("shop", field)] ?? 0),
      );
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts.slice(1)).toEqual([1, 1, 1]);
      expect(totals[fieldOfApp("shop", "denied health")]).toBeUndefined();
      expect(totals[fieldOfApp("shop", "denied status")]).toBeUndefined();
      const [shadowed] = await redis.keys("sluice:hitters:shadow:*:no-bots");
      expect(await redis.zrange(shadowed ?? "", 0, "-1")).toEqual([`acme ${elsewhere}`]);
    });
  });
});
