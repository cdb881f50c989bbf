import { describe, expect, it, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { policyReply } from "../../queries/policy.ts";
import { eventually } from "../../redis/testing.ts";
import { resetCounters } from "../actions/customers.ts";
import { changeLimit } from "../actions/policy.ts";
import { request, testActions } from "../actions/vitest.actions.ts";
import { getUsage } from "../customers/customer-reads.ts";
import { readOffenders } from "../stats/read-offenders.ts";
import { getPolicy } from "./policy-page.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const periodSeconds = 31_622_400;
const levels = (limit: number) => [{ limit, periodSeconds }];
const origin = "http://console.example.org";

async function withGuard(use: (guard: Guard) => Promise<void>): Promise<void> {
  const { host, port } = console.log.client.options;
  const guard = createGuard({ redis: `redis://${host}:${port}`, app: "shop", log: () => {} });
  try {
    await guard.ready();
    await use(guard);
  } finally {
    await guard.close();
  }
}

async function limits() {
  const answer = await getPolicy(new Request(`${origin}/api/policy`), { params: Promise.resolve({}) });
  return policyReply.parse(await answer.json()).limits;
}

async function usage(customer: string) {
  const url = `${origin}/api/usage?customer=${encodeURIComponent(customer)}`;
  const answer = await getUsage(new Request(url), { params: Promise.resolve({}) });
  return { status: answer.status, body: await answer.json() };
}

describe("a limit of code", () => {
  it("is on the Policy page, an admin alone changes it, and the page says where the code differs", () =>
    withGuard(async (guard) => {
      const limit = guard.limit("export", { levels: levels(10), by: "customer" });
      for (let i = 0; i < 12; i++) await limit.check("acme");
      await console.signIn("viewer");
      const [found] = await eventually(async () => {
        const all = await limits();
        expect(all).toMatchObject([{ checked: 12, denied: 2 }]);
        return all;
      });
      expect(found).toMatchObject({
        ...{ field: "shop/export", app: "shop", isDifferent: false },
        code: { by: "customer", says: "10 per 366 days", mode: "enforce" },
        inForce: { levels: levels(10) },
      });
      expect(found).not.toHaveProperty("published");
      const change = { limit: "shop/export", levels: levels(2), mode: null, reason: "an attack" };
      for (const role of ["viewer", "staff", "support"] as const) {
        await console.signIn(role);
        expect(await changeLimit(change)).toMatchObject({ ok: false, error: { code: "not-allowed" } });
      }
      await console.signIn("admin");
      expect(await changeLimit({ ...change, reason: " " })).toMatchObject({ ok: false });
      expect(await changeLimit({ ...change, levels: levels(-1) })).toMatchObject({
        error: { fields: { "levels[0].limit": expect.any(String) } },
      });
      expect(await changeLimit(change)).toMatchObject({ ok: true, value: { change: expect.any(Number) } });
      expect(await limits()).toMatchObject([
        {
          ...{ isDifferent: true, code: { says: "10 per 366 days" } },
          inForce: { says: "2 per 366 days", mode: "enforce" },
          published: { by: "admin@example.org", reason: "an attack", says: "2 per 366 days" },
        },
      ]);
    }));

  it("is among the usage of a customer, for readers, and in its reset", () =>
    withGuard(async (guard) => {
      const limit = guard.limit("export", { levels: levels(10), by: "customer" });
      guard.limit("quiet", { levels: levels(10), by: "customer", mode: "shadow" });
      await limit.check("acme", { cost: 4 });
      expect((await usage("acme")).status).toBe(401);
      await console.signIn("viewer");
      await console.log.client.set("customer:acme:tier_redis", "pro");
      await eventually(async () => {
        const { status, body } = await usage("acme");
        expect([status, body.customerId, body.tier]).toEqual([200, "acme", "pro"]);
        expect(body.levels).toMatchObject([
          { rule: "req/customer", limit: 100, periodSeconds: 60, used: 0, remaining: 100 },
          { rule: "req/customer", limit: 5_000, periodSeconds: 3_600, used: 0, remaining: 5_000 },
          { rule: "code/shop/export", limit: 10, used: 4, remaining: 6, resetSeconds: expect.any(Number) },
        ]);
      });
      expect((await usage("no id!")).status).toBe(404);
      await console.signIn("support");
      expect(await resetCounters({ id: "acme", reason: "by phone" })).toMatchObject({
        ok: true,
        value: { deleted: 1 },
      });
      expect((await usage("acme")).body.levels[2]).toMatchObject({ used: 0 });
    }));

  it("has its denied keys among the offenders, with their counts", () =>
    withGuard(async (guard) => {
      const limit = guard.limit("reset", { levels: levels(3) });
      for (let i = 0; i < 9; i++) await limit.check("joe");
      await eventually(async () => {
        const { clients } = await readOffenders(undefined, 5);
        expect(clients).toMatchObject([
          {
            kind: "rule",
            client: "joe",
            counter: { rule: "code/shop/reset", used: 3, limit: 3 },
            standing: "throttled",
          },
        ]);
      });
    }));
});
