import { sendEvidence, sendReport } from "@/lib/enforce/stats/report.ts";
import type { EvidenceSample } from "@/lib/enforce/stats/tally.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

const address = "203.0.113.181";
const hourMs = 3_600_000;

test("a client's page an hour after its burst: when, what, with which tool, and why it was denied, as shares", async ({
  signedIn,
  sluice,
}) => {
  const redis = connectControl(sluice.redis.url, "patiently");
  const sample = (some: Partial<EvidenceSample>): EvidenceSample => ({
    ...{ ip: address, network: address, method: "GET", host: "shop.example.org", path: "/admin/backup.sql" },
    ...{ userAgent: "ffuf/2.1", outcome: "throttled", rule: "req/ip/2", customerId: "", standsFor: 1 },
    ...{ nthOfIp: 1, nthOfCustomer: 0 },
    ...some,
  });
  const evidence = {
    denied: [sample({}), sample({ path: "/admin/.env" })],
    passed: [sample({ outcome: "pass", rule: "", path: "/robots.txt" })],
  };
  const of = { app: "shop", node: "n", nowMs: Date.now() - hourMs - 60_000 };
  const hitters = [{ name: `ip ${address}`, count: 1_444, denied: 1_444 }];
  await sendReport(redis, { ...of, report: { counts: new Map([["throttled", 1_444]]), hitters, seen: [] } });
  await sendEvidence(redis, { ...of, seen: evidence.denied, evidence });
  // Since then others have sent more samples than the feed keeps.
  for (let n = 0; n < 60; n++) {
    const other = { ip: `198.18.80.${n}`, network: `198.18.80.${n}`, path: "/" };
    const seen = Array.from({ length: 100 }, (_, i) =>
      sample({ ...other, ...(i % 2 === 0 && { outcome: "pass" as const, rule: "" }) }),
    );
    const passed = seen.filter(({ outcome }) => outcome === "pass").slice(0, 1);
    await sendEvidence(redis, { ...of, nowMs: Date.now(), seen, evidence: { denied: [], passed } });
  }
  redis.disconnect();

  const page = await signedIn("staff");
  await page.goto(`/clients/${address}`);
  await expect(page.getByText("1,444 requests in the last 24 h, 1,444 denied · 1 app")).toBeVisible();
  const activity = page.getByRole("region", { name: "Last 24 h" });
  await expect(activity).toContainText("first seen 1 h ago, last seen 1 h ago");
  await activity.getByText("Show as a table").click();
  await expect(activity.getByRole("row", { name: /0 1,444$/ })).toBeVisible();
  const habits = page.getByRole("region", { name: "Requests", exact: true });
  await expect(habits).toContainText("shares of 3 samples");
  await expect(habits.getByRole("list", { name: "User agents" })).toContainText("ffuf/2.1100%");
  await expect(habits.getByRole("list", { name: "Denied by" })).toContainText("req/ip/2100%");
  const samples = page.getByRole("table", { name: "Sample requests" });
  await expect(samples.getByRole("row", { name: /robots\.txt/ })).toContainText("Passed");
  await expect(samples.getByRole("row", { name: /\.env/ })).toContainText("req/ip/2");
  await expectBothThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
