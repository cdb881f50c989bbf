import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { sendReport } from "@/lib/enforce/stats/report.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

const busy = "198.51.100.160/28";
const quiet = "198.51.100.40";
const minuteMs = 60_000;

// Entries and denials of other files would be among these.
test.use({ world: "entry hits" });

let guard: Guard | undefined;

test.beforeEach(async ({ sluice: { redis } }) => {
  const note = (reason: string, at: string) =>
    JSON.stringify({ reason, by: "abuse@example.com", at, via: "console" });
  await redis.client.set(
    `blocklist:${busy}`,
    note("Probes on /wp-login.php", "2026-11-10T09:00:00Z"),
    "EX",
    86_400,
  );
  await redis.client.set(`blocklist:${quiet}`, note("Abuse report 5521", "2026-11-11T09:00:00Z"));
  guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
  for (let i = 0; i < 4; i++) await guard.check({ ip: "198.51.100.161", path: "/wp-login.php" });
});

test.afterEach(async ({ sluice: { redis } }) => {
  await guard?.close();
  guard = undefined;
  await redis.client.del(`blocklist:${busy}`, `blocklist:${quiet}`);
});

/** As nodes report, some minutes ago. */
async function hit(url: string, agoMs: number, count: number): Promise<void> {
  const redis = connectControl(url, "patiently");
  const entries = { blocklist: [[busy, count] as const], safelist: [] };
  const report = { counts: new Map([["blocked", count]]), hitters: [], seen: [], entries };
  await sendReport(redis, { app: "shop", node: "n", report, nowMs: Date.now() - agoMs });
  redis.disconnect();
}

test("a list shows which entries still decide requests, the busiest first, and 0 only where no hit is known to be missing", async ({
  signedIn,
  sluice: { redis },
}) => {
  for (const [ago, count] of [
    [31, 420],
    [22, 180],
    [17, 240],
    [11, 60],
    [300, 7_494],
  ] as const)
    await hit(redis.url, ago * minuteMs, count);
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  const row = (address: string) => page.getByRole("row", { name: address });
  await expect(row(busy)).toContainText("9048,398 in 24 h");
  await expect(row(quiet)).toContainText("00 in 24 h");
  await expect(page.getByText(/^Hits are requests that nodes decided by the entry/)).toContainText(
    "none of an edge, of other systems or of the console.",
  );
  // The newest first: the other entry was added later.
  await expect(page.getByRole("row").nth(1)).toContainText(quiet);
  await page.getByRole("columnheader", { name: "Hits, 1 h" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Hits, 1 h" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(page.getByRole("row").nth(1)).toContainText(busy);
  await expect(page).toHaveURL(/sort=hits/);
  await expectBothThemes(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("article").filter({ hasText: busy })).toContainText("904 hits in 1 h");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.setViewportSize({ width: 1280, height: 800 });
  await row(busy)
    .getByRole("button", { name: `Actions for ${busy}` })
    .click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await expect(page.getByRole("dialog")).toContainText("Hits: 904 in the last hour, 8,398 in 24 h");
  await page.goto("/clients/198.51.100.161");
  await expect(page.getByRole("list", { name: "Hits of the entries" })).toContainText(
    `blocklist:${busy} Hits: 904 in the last hour`,
  );
});

test("a request whose entry a node does not name makes absent hits unknown", async ({
  signedIn,
  sluice: { redis },
}) => {
  const partner = "198.51.100.41";
  await redis.client.set(`safelist:${partner}`, "Partner");
  const control = connectControl(redis.url, "patiently");
  const report = { counts: new Map([["safelisted", 3]]), hitters: [], seen: [] };
  await sendReport(control, { app: "shop", node: "old", report, nowMs: Date.now() });
  control.disconnect();
  const page = await signedIn("staff");
  await page.goto("/safelist");
  await expect(page.getByText("Of 3 more requests in 24 h the entry is unknown.")).toBeVisible();
  await expect(page.getByRole("row", { name: partner })).toContainText("–");
  await expect(page.getByRole("row", { name: partner })).not.toContainText("in 24 h");
  await redis.client.del(`safelist:${partner}`);
});
