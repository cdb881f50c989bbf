import { afterEach, beforeEach, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import type { GuardRequest } from "../../enforce/guard/request.ts";
import { listNodes } from "../../observe/stats/nodes.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { testLog } from "../audit/vitest.log.ts";
import { readCustomer } from "./read.ts";
import { setOverride } from "./set-override.ts";

const log = testLog();
const acme = customer("acme");
const ip = "203.0.113.9";
let guard: Guard;
let lines: string[];

beforeEach(async () => {
  lines = [];
  guard = createGuard({ redis: log.client, app: "shop", log: (line) => lines.push(line) });
  await guard.ready();
});
afterEach(() => guard.close());

const ask = (given: Partial<GuardRequest>) => guard.check({ ip, path: "/", customerId: acme, ...given });
const policyOf = async (given: Partial<GuardRequest>) => (await ask(given)).headers["ratelimit-policy"];
const saysRules = async (given: Partial<GuardRequest>) =>
  (await guard.explain({ ip, path: "/", customerId: acme, ...given })).steps.at(-1)?.says;

it("counts a customer without any key in Redis by the tier of the app's session, and pages know it", async () => {
  expect(await policyOf({ tier: "pro" })).toContain("q=5000;w=3600");
  expect(await saysRules({ tier: "pro" })).toBe(
    "Customer acme has the limits of tier pro, from the app's session. Every rule lets it pass.",
  );
  await eventually(async () =>
    expect(await readCustomer(log.signed().redis, acme)).toMatchObject({
      from: "session-tier",
      session: { tier: "pro" },
      levels: [{ periodSeconds: 60 }, { periodSeconds: 3_600 }],
      flags: [],
    }),
  );
});

it("counts a customer by the limits of the session, unless an override or a tier in Redis wins", async () => {
  const limits = [{ limit: 7, periodSeconds: 90 }];
  await log.client.set(keys.tier(acme), "free");
  await eventually(async () => expect(await policyOf({ tier: "pro" })).toContain("q=100;w=3600"));
  expect(await policyOf({ limits })).toContain("q=7;w=90");
  await eventually(async () => {
    // A node keeps the first request of a report.
    await ask({ limits });
    expect(await readCustomer(log.signed().redis, acme)).toMatchObject({
      from: "session-limits",
      levels: limits,
    });
  });
  await setOverride(log.signed(), {
    id: acme,
    levels: [{ limit: 3, periodSeconds: 60 }],
    expiresInMs: 60_000,
    reason: "",
  });
  await eventually(async () => expect(await policyOf({ limits, tier: "pro" })).toContain("q=3;w=60"));
  expect(await readCustomer(log.signed().redis, acme)).toMatchObject({ from: "override" });
});

it("ignores a tier and limits that the policy cannot use, logs each once, and reports them", async () => {
  const wrong = { tier: "gold", limits: [{ limit: -1, periodSeconds: 60 }] };
  for (let i = 0; i < 3; i++) expect((await ask(wrong)).outcome).toBe("pass");
  await ask({ tier: "silver" });
  const problem = "the policy has no tier";
  expect(lines).toEqual([
    "sluice: app shop gives customers a list of limits that is ignored: [0].limit: write a whole number from 0 to 1,000,000,000,000.",
    `sluice: app shop gives customers a tier that is ignored: ${problem} "silver".`,
  ]);
  expect(await saysRules({ tier: "gold" })).toContain(
    `What the app gives as its tier is ignored: ${problem} "gold".`,
  );
  await eventually(async () =>
    expect(await listNodes(log.client)).toMatchObject([
      { ignoredLimits: expect.stringMatching(/^limits: .*; tier: the policy has no tier "silver"$/) },
    ]),
  );
});
