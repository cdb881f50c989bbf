import { expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { defaultPolicy, writePolicy } from "../../enforce/policy/stored.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { defaultTier } from "./check-default-tier.ts";
import { TestPatient } from "./vitest.patient.ts";

const patient = new TestPatient();

const look = () => patient.examine(defaultTier);

it("tells of customers without a tier, as long as there is no default tier", async () => {
  expect(await look()).toMatchObject([{ status: "ok" }]);
  const hour = Math.floor(Date.now() / 3_600_000);
  await patient.client.hset(keys.series(3_600, hour), {
    "shop\0customer unknown": 12,
    "shop\0pass": 99,
    "docs\0pass": 5,
  });
  expect(await look()).toMatchObject([
    {
      status: "note",
      says: expect.stringMatching(/^Since \d\d:00 UTC, 12 requests came from customers without a tier/),
      details: ["shop: 12 requests"],
    },
  ]);
  const policy = { ...defaultPolicy, defaultTier: "free" };
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "", policy };
  await patient.client.set(keys.policy(), writePolicy(stored));
  expect(await look()).toMatchObject([{ status: "ok", says: expect.stringContaining("default tier, free") }]);
});

it("counts what a guard reports of a customer that has neither", async () => {
  const guard = createGuard({ redis: patient.url, app: "storefront", log: () => {} });
  try {
    await guard.ready();
    for (let i = 0; i < 3; i++) await guard.check({ ip: "203.0.113.9", path: "/", customerId: "stranger" });
    await guard.check({ ip: "203.0.113.9", path: "/" });
    await eventually(async () =>
      expect(await look()).toMatchObject([{ status: "note", details: ["storefront: 3 requests"] }]),
    );
  } finally {
    await guard.close();
  }
});
