import { sendReport } from "@/lib/enforce/stats/report.ts";
import type { RequestSample } from "@/lib/enforce/stats/tally.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";

const google = "AS15169 Google LLC · US";
const agent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

test("an address has its network on lists, on its page and in the look-up", async ({ signedIn, sluice }) => {
  const { client, url } = sluice.redis;
  await client.set("blocklist:8.8.8.8", "scanner");
  await client.set("blocklist:8.8.4.0/24", "scanner");
  await client.set("blocklist:198.51.100.7", "scanner");
  const redis = connectControl(url, "patiently");
  const seen: RequestSample = {
    ...{ ip: "8.8.8.8", method: "GET", host: "shop.example.org", path: "/", userAgent: agent },
    ...{ outcome: "blocked", rule: "blocklist", customerId: "", standsFor: 1 },
  };
  const hitters = [{ name: "ip 8.8.8.8", count: 9, denied: 9 }];
  const report = { counts: new Map([["blocked", 9]]), hitters, seen: [seen] };
  await sendReport(redis, { app: "shop", node: "n", report, nowMs: Date.now() });
  redis.disconnect();

  const page = await signedIn("admin");
  await page.goto("/blocklist");
  await expect(page.getByText(google)).toHaveCount(2, { timeout: 20_000 });
  await expect(page.getByText("documentation range")).toBeVisible();
  await expect(page.getByRole("link", { name: "IP Geolocation by DB-IP" })).toBeVisible();

  await page.goto("/clients/8.8.8.8");
  await expect(page.getByRole("main")).toContainText(google);
  await expect(page.getByText("Googlebot not checked")).toBeVisible();
  for (const width of [390, 1_024]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: width === 390 ? "dark" : "light" });
    await expectNoViolations(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }

  await page.keyboard.press("Control+k");
  const lookUp = page.getByRole("dialog");
  await lookUp.getByRole("combobox").fill("1.1.1.1");
  await expect(lookUp).toContainText("AS13335 Cloudflare, Inc.");
  await page.keyboard.press("Escape");

  await page.goto("/settings");
  await expect(page.getByRole("listitem").filter({ hasText: "Network data" })).toContainText(
    "SLUICE_MMDB replaces them",
  );
  await client.del("blocklist:8.8.8.8", "blocklist:8.8.4.0/24", "blocklist:198.51.100.7");
});
