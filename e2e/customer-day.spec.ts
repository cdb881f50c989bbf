import { sendEvidence, sendOwners, sendReport } from "@/lib/enforce/stats/report.ts";
import type { RequestSample } from "@/lib/enforce/stats/tally.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

const id = "day-7781";
const address = "203.0.113.161";

test("a customer's day: how much came and was denied, from where, and what other limits would have made of it", async ({
  signedIn,
  sluice,
}) => {
  const { client, url } = sluice.redis;
  await client.set(`customer:${id}:tier_redis`, "free");
  const redis = connectControl(url, "patiently");
  const seen: RequestSample = {
    ...{ ip: address, method: "GET", host: "shop.example.org", path: "/api/v1/orders", userAgent: "curl/8" },
    ...{ outcome: "throttled", rule: "req/customer", customerId: id, standsFor: 1 },
  };
  const hitters = [
    { name: `customer ${id}`, count: 150, denied: 40 },
    { name: `ip ${address}`, count: 170, denied: 45 },
  ];
  const report = { counts: new Map([["pass", 150]]), hitters, seen: [seen] };
  await sendReport(redis, { app: "shop", node: "n", report, nowMs: Date.now() });
  const sample = { ...seen, network: address, nthOfIp: 1, nthOfCustomer: 1 };
  const evidence = {
    denied: [sample, { ...sample, path: "/api/v1/orders/export" }],
    passed: [{ ...sample, outcome: "pass" as const, rule: "", path: "/api/v1/stock", userAgent: "okhttp/5" }],
  };
  await sendEvidence(redis, { app: "shop", node: "n", seen: [], evidence, nowMs: Date.now() });
  await sendOwners(redis, [{ address, customer: id, requests: 150 }]);
  redis.disconnect();

  const page = await signedIn("support");
  await page.goto(`/customers/${id}`);
  const usage = page.getByRole("region", { name: "Last 24 h" });
  await expect(usage.getByRole("listitem").filter({ hasText: "Passed" })).toContainText("110");
  await expect(usage.getByRole("listitem").filter({ hasText: "Denied" })).toContainText("40");
  await usage.getByText("Show as a table").click();
  await expect(usage.getByRole("row", { name: /110 40$/ })).toBeVisible();

  const addresses = page.getByRole("table", { name: "Addresses" });
  await expect(addresses.getByRole("row", { name: address })).toContainText("150");
  await expect(addresses.getByRole("link", { name: address })).toHaveAttribute("href", `/clients/${address}`);
  const denied = page.getByRole("table", { name: "Recent denials" });
  await expect(denied.getByRole("row", { name: /orders\/export/ })).toContainText("req/customer");

  const habits = page.getByRole("region", { name: "Requests", exact: true });
  await expect(habits).toContainText("shares of 4 samples");
  await expect(habits.getByRole("list", { name: "Paths" })).toContainText("/api/v1/stock73%");
  await expect(habits.getByRole("list", { name: "User agents" })).toContainText("okhttp/573%curl/827%");
  await expect(habits.getByRole("list", { name: "Denied by" })).toContainText("req/customer100%");
  await expect(habits).not.toContainText("110");

  const replayed = page.getByRole("region", { name: /[Rr]eplayed/ });
  await expect(replayed).toContainText("of 150 requests would have been denied, in 1 window");
  await page.getByRole("radio", { name: /Enterprise/ }).click();
  await expect(replayed).toContainText("After: Enterprise");
  await expect(replayed.getByRole("row", { name: /^1 min/ })).toContainText("150 / 200");
  await expect(replayed.getByRole("row", { name: /^1 h/ })).toContainText("150 / 100");
  await expectBothThemes(page);

  await page.getByLabel("Reason").fill("upgraded by phone");
  await page.getByRole("button", { name: new RegExp(`^Move customer ${id} to Enterprise`) }).click();
  const changes = usage.getByRole("list", { name: "Changes", exact: true });
  await expect(changes).toContainText(`moved customer ${id} from free to enterprise`, { timeout: 10_000 });
  await client.del(`customer:${id}:tier_redis`);
});
