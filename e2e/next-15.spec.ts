import { testDevServer } from "./fixtures/dev-server.ts";
import { installStorefront, startStorefront } from "./fixtures/storefront.ts";
import { expect, test } from "./fixtures/storefront-test.ts";

test.use({ next: "15.5" });
// One worker installs the storefront.
test.describe.configure({ mode: "default" });

test("next dev of Next 15.5 with webpack serves pages and enforces the lists", () =>
  testDevServer("15.5", "webpack"));

test("Next 15.5 enforces the lists in its Node middleware", async ({ shop }) => {
  const offender = "203.0.113.9";
  await expect.poll(() => shop.status(offender)).toBe(200);
  await shop.redis.client.setex(`blocklist:${offender}`, 604_800, "x");
  await expect.poll(() => shop.status(offender)).toBe(403);
  expect((await shop.visit(offender, { "x-middleware-subrequest": "middleware:".repeat(5) })).status).toBe(
    403,
  );
  await shop.redis.client.del(`blocklist:${offender}`);
  await expect.poll(() => shop.status(offender)).toBe(200);
});

test("a missing address of Redis ends a Next 15.5 server at start, with one message", async ({ next }) => {
  const started = startStorefront(installStorefront(next), { REDIS_URL: "" });
  await expect(started).rejects.toThrow(
    /the server ended \(1\):[\s\S]*sluice: createGuard: redis is missing/,
  );
});
