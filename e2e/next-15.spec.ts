import { expect, test } from "./fixtures/storefront-test.ts";

test.use({ next: "15.5" });

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
