import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SimulatedNode } from "../../observe/stats/vitest.simulated-node.ts";
import { clientReply } from "../../queries/client.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { tellCustomerDay } from "../customers/customer-day.ts";
import { tellOfClient } from "./client-now.ts";

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  await eventually(() => theConsole().redis.ping());
});
afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  for (const name of ["console", "statistics"]) forgetOnce(name);
  await server.stop();
  vi.unstubAllEnvs();
});

const hourMs = 3_600_000;

it("shows an hour later what a client sent, as shares, beside the traffic since", async () => {
  const start = Math.floor(Date.now() / 60_000) * 60_000 - hourMs - 120_000;
  const node = new SimulatedNode(theConsole().redis);
  const attacker = { ip: "203.0.113.81", userAgent: "ffuf/2.1", customerId: "acme" };
  for (let n = 0; n < 90; n++)
    node.check({ ...attacker, path: `/admin/${n % 2}`, outcome: "throttled", rule: "req/ip/2" });
  for (let n = 0; n < 10; n++) node.check({ ...attacker, path: "/", userAgent: "Mozilla/5.0" });
  await node.report(start + 7_000);
  for (let minute = 1; minute < 60; minute++) {
    for (let n = 0; n < 1_000; n++) node.check({ ip: `10.${minute}.${n >> 8}.${n & 255}` });
    await node.report(start + 60_000 * minute);
  }

  const found = clientReply.parse(await tellOfClient(attacker.ip, {}));
  expect(found.day).toMatchObject({
    minutes: [{ at: start, requests: 100, denied: 90 }],
    firstAt: start + 7_000,
    lastAt: start + 7_000,
  });
  expect(found.apps).toEqual([{ text: "shop", share: 1 }]);
  expect(found.customers).toEqual([{ text: "acme", share: 1 }]);
  expect(found.denyingRules).toEqual([{ text: "req/ip/2", share: 1 }]);
  expect(new Set(found.requests.map(({ text }) => text))).toEqual(new Set(["/admin/0", "/admin/1", "/"]));
  const [tool] = found.userAgents;
  expect(tool).toMatchObject({ text: "ffuf/2.1", tool: "ffuf" });
  expect(tool?.share).toBeCloseTo(0.9);
  expect(found.outcomes[0]?.share).toBeCloseTo(0.9);
  expect(found.samples?.latest[0]).toMatchObject({ outcome: "throttled", rule: "req/ip/2" });

  const customer = await tellCustomerDay("acme");
  expect(customer.denials[0]).toMatchObject({ rule: "req/ip/2", userAgent: "ffuf/2.1" });
  expect(customer.denied[start / 60_000 - customer.firstMinute]).toBe(90);

  const neighbour = clientReply.parse(await tellOfClient("203.0.113.9", {}));
  expect(neighbour.earlierNeighbours).toEqual([{ client: attacker.ip, lastAt: start + 7_000 }]);
  expect(found.earlierNeighbours).toEqual([]);

  const range = clientReply.parse(await tellOfClient("203.0.113.0/24", {}));
  expect(range.userAgents[0]).toMatchObject({ tool: "ffuf" });
  expect(range.day?.minutes[0]).toMatchObject({ at: start });
  // Its requests were counted by address: 90 of 100 denied, whatever was kept of each kind.
  expect(range.outcomes).toMatchObject([{ text: "throttled" }, { text: "pass", share: expect.closeTo(0.1) }]);
});

const phase = fc.record({
  seconds: fc.integer({ min: 120, max: 420 }),
  passed: fc.integer({ min: 0, max: 12 }),
  denied: fc.integer({ min: 0, max: 12 }),
  outcome: fc.constantFrom("blocked", "throttled"),
});
const mostWrong = 0.06;

it("shows shares of verdicts and paths within a few points of the truth, whatever the traffic", async () => {
  let run = 0;
  const pages: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(phase, { minLength: 2, maxLength: 4 }), async (phases) => {
      run++;
      const client = { ip: `203.0.113.${100 + run}`, customerId: `shares-${run}` };
      const node = new SimulatedNode(theConsole().redis);
      const truth = { pass: 0, blocked: 0, throttled: 0 };
      let at = Date.now() - hourMs;
      for (const { seconds, passed, denied, outcome } of phases)
        for (let second = 0; second < seconds; second += 3, at += 3_000) {
          // Pages are requested before their images, always.
          for (let n = 0; n < 3 * passed; n++)
            node.check({ ...client, path: n < passed ? "/page" : "/image" });
          for (let n = 0; n < 3 * denied; n++)
            node.check({ ...client, path: "/login", outcome, rule: outcome });
          truth.pass += 3 * passed;
          truth[outcome] += 3 * denied;
          await node.report(at);
        }
      const all = truth.pass + truth.blocked + truth.throttled;
      fc.pre(all > 500);
      for (const { outcomes, requests } of [
        clientReply.parse(await tellOfClient(client.ip, {})),
        (await tellCustomerDay(client.customerId)).habits,
      ]) {
        const shown = (wanted: string) => outcomes.find(({ text }) => text === wanted)?.share ?? 0;
        for (const outcome of ["pass", "blocked", "throttled"] as const)
          expect(Math.abs(shown(outcome) - truth[outcome] / all), outcome).toBeLessThan(mostWrong);
        const path = (wanted: string) => requests.find(({ text }) => text === wanted)?.share ?? 0;
        expect(Math.abs(path("/login") - 1 + truth.pass / all)).toBeLessThan(mostWrong);
        if (truth.pass > 0) pages.push((path("/page") * all) / truth.pass);
      }
    }),
    { numRuns: 5 },
  );
  // A third of the requests that pass, by twelve samples each.
  expect(pages.reduce((sum, share) => sum + share, 0) / pages.length).toBeLessThan(0.66);
});

it("knows the apps of a client with requests, and says so where no sample was kept", async () => {
  const node = new SimulatedNode(theConsole().redis);
  node.check({ ip: "198.51.100.9" });
  await node.report(Date.now());
  await server.client.del("sluice:evidence:passed:ip:198.51.100.9", "sluice:samples:passed");
  const found = clientReply.parse(await tellOfClient("198.51.100.9", {}));
  expect(found.apps).toEqual([{ text: "shop", share: 1 }]);
  expect(found.samples).toBeNull();
  expect(found.day?.minutes).toMatchObject([{ requests: 1 }]);
});
