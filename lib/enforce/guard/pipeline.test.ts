import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { writeFeed } from "../lists/vitest.feeds.ts";
import { requirePolicy } from "../policy/schema.ts";
import { writePolicy } from "../policy/stored.ts";
import type { Explanation } from "./explain.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { DecidedBy } from "./verdict.ts";
import { places, policiesOf, requests, some, tooWide } from "./vitest.worlds.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis("--appendonly", "no");
});

afterAll(() => server.stop());

/** Long enough that no window ends between an explanation and its check. */
const policies = policiesOf([3_600, 36_000, 86_400]);
const worlds = fc.record({
  policy: policies,
  safelist: some([...places, ...tooWide]),
  blocklist: some([...places, ...tooWide]),
  /** Entries of a type that no entry has. */
  odd: some(places),
  bans: some(["203.0.113.9", "2001:db8::1", "2001:db8::/64"]),
  neverBlock: some(places.slice(0, 4)),
  protectedHere: some(places.slice(0, 4)),
  counters: fc.constantFrom("beside", "beside", "memory:", "away"),
});
/** Rare among random ones: a rule that denies because it cannot count. */
const closed: World = {
  policy: requirePolicy({
    ...{ mode: "enforce", tiers: {} },
    rules: [
      {
        ...{ name: "rule/0", client: "ip", algorithm: "fixed", onStoreError: "closed" },
        levels: [{ limit: 1, periodSeconds: 3_600 }],
      },
    ],
  }),
  ...{ safelist: [], blocklist: [], odd: [], bans: [], neverBlock: [], protectedHere: [] },
  counters: "away",
};

/** A request rule in force of each kind, in a world in which nothing comes before it. */
const requestRules: World = {
  ...closed,
  policy: requirePolicy({
    ...closed.policy,
    requestRules: [
      { name: "request/0", action: "exempt", match: { feeds: ["crawlers"] } },
      { name: "request/1", action: "deny", match: { only: ["/login"] }, mode: "shadow" },
      { name: "request/2", action: "deny", match: { countries: ["DE"] } },
    ],
  }),
};
type Traffic = typeof requests extends fc.Arbitrary<infer T> ? T : never;
const ofRequestRules: Traffic[] = [
  { ip: "203.0.113.9", path: "/login" },
  { ip: "203.0.113.10", path: "/login", country: "DE" },
  { ip: "203.0.113.10", path: "/login" },
];

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

async function open({ policy, counters, protectedHere, ...world }: World): Promise<Guard> {
  const { client } = server;
  await client.flushall();
  const batch = client.pipeline();
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "" };
  batch.set(keys.policy(), writePolicy({ ...stored, policy }));
  for (const address of world.safelist) batch.set(`safelist:${address}`, "office");
  for (const address of world.blocklist) batch.set(`blocklist:${address}`, "scraper");
  for (const address of world.odd) batch.del(`blocklist:${address}`).hset(`blocklist:${address}`, "a", "b");
  for (const address of world.bans) batch.set(`${keys.banPrefix()}${address}`, "{}", "PX", 600_000);
  for (const range of world.neverBlock) batch.hset(keys.neverBlock(), range, "{}");
  batch.set("customer:1042:tier_redis", "pro").hset("customer:7:throttle_hash", "3600", "1");
  await batch.exec();
  await writeFeed(client, "crawlers", ["203.0.113.9"], { mode: "shadow" });
  const guard = createGuard({
    redis: server.url,
    app: "shop",
    neverBlock: protectedHere,
    clients: { tenant: ({ method }) => method },
    edgeHeaders: { country: "x-country", verifiedBot: "x-verified-bot" },
    log: () => {},
    ...(counters !== "beside" && { counters: counters === "away" ? "redis://127.0.0.1:1" : counters }),
  });
  await guard.ready();
  return guard;
}

const isLate = (text: string | undefined) => text?.includes("late") || text?.includes("in time");

it("explains every request as a check would decide it", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(requests, { minLength: 1, maxLength: 12 }), async (world, traffic) => {
      const guard = await open(world);
      try {
        for (const request of traffic) {
          const { outcome, status, by, steps } = await guard.explain(request satisfies GuardRequest);
          const found = await guard.check(request);
          // A busy machine may answer a check or an explanation too late: then they know different things.
          if (isLate(found.trouble) || isLate(steps.at(-1)?.says)) continue;
          expect(outcome).toBe(found.outcome);
          // A node that knows of a denial by a later rule does not ask whether an earlier one denies, too.
          if (!isAlsoDeniedBy(found.by, steps))
            expect({ status, by }).toEqual({ status: found.status, by: found.by });
          const decisive = steps.find(({ decides }) => decides)?.step;
          expect(decisive).toBe(stepOf(found.trouble, found.by));
          expect(found.shadowed.filter(isRequest)).toEqual(watchingIn(steps));
          seen.add(found.outcome).add(`by ${by?.kind}`);
          if (by?.kind === "request-rule") seen.add(by.action);
        }
      } finally {
        await guard.close();
      }
    }),
    {
      numRuns: 150,
      examples: [
        [closed, [{ ip: "203.0.113.10" }]],
        [requestRules, ofRequestRules],
      ],
    },
  );
  expect([...seen].sort()).toEqual([
    ...[
      "blocked",
      "by entry",
      "by level",
      "by request-rule",
      "by rule",
      "by undefined",
      "deny",
      "exempt",
      "pass",
      "safelisted",
      "throttled",
    ],
  ]);
});

/** Whether an explanation has a level of another rule as over its limit as well. */
function isAlsoDeniedBy(by: DecidedBy | undefined, steps: Explanation["steps"]): boolean {
  if (by?.kind !== "level") return false;
  const levels = steps
    .flatMap(({ rules = [] }) => rules)
    .filter(({ isOver, isShadowed }) => isOver && !isShadowed);
  const own = levels.filter(
    ({ rule, periodSeconds }) => rule === by.rule && periodSeconds === by.periodSeconds,
  );
  return levels.length > 1 && own.length > 0;
}

const isRequest = (rule: string) => rule.startsWith("request/");

/** Request rules in shadow that would have denied the request. */
function watchingIn(steps: Explanation["steps"]): string[] {
  const rules = steps.flatMap(({ requestRules = [] }) => requestRules);
  const decidedAt = rules.findIndex(({ isDeciding }) => isDeciding);
  return rules
    .slice(0, decidedAt < 0 ? rules.length : decidedAt)
    .flatMap(({ rule, action, matches }) => (matches && action === "deny" ? [rule] : []));
}

function stepOf(trouble: string | undefined, by: Awaited<ReturnType<Guard["check"]>>["by"]) {
  if (trouble === "unknown-client") return "client";
  if (by?.kind === "request-rule") return "requests";
  return by?.kind === "entry" ? by.list : by && "rules";
}
