import { fileURLToPath } from "node:url";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { removeFeed } from "@/lib/manage/feeds/change-feed.ts";
import { readFeeds } from "@/lib/manage/feeds/definition.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";

const source = `file://${fileURLToPath(new URL("fixtures/scanners.txt", import.meta.url))}`;

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice }) => {
  const { redis } = sluice.as("admin");
  for (const { id } of await readFeeds(redis)) await removeFeed(sluice.as("admin"), { id, reason: "a test" });
});

test("an admin sees what a feed would do, adds it in shadow, enforces, pauses and removes it", async ({
  signedIn,
  sluice,
}) => {
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const page = await signedIn("admin");
    await page.goto("/feeds");
    await expect(page.getByText("No feeds yet")).toBeVisible();
    await page.getByRole("button", { name: "Add feed" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add feed" });
    await dialog.getByLabel("Source").fill(source);
    await dialog.getByLabel("Name").fill("Scanner list");
    const effect = dialog.getByRole("region", { name: "What this feed does" });
    await expect(effect).toContainText("1 wider than /24 or /48, left out until you confirm");
    await expect(effect).toContainText("1 line");
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Add 2 ranges in shadow" }).click();
    await expect(dialog).toHaveCount(0);
    const feed = page
      .getByRole("list", { name: "Feeds" })
      .getByRole("listitem")
      .filter({ hasText: "Scanner list" });
    await expect(feed).toContainText("Blocklist, shadow");
    await expect(feed).toContainText("In sync");
    await expect(feed).toContainText("Left out: 1 ranges wider than /24");
    expect((await guard.check({ ip: "203.0.113.201" })).outcome).toBe("pass");

    const choose = async (name: string | RegExp) => {
      await feed.getByRole("button", { name: "More for Scanner list" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Enforce");
    await expect(feed).not.toContainText("shadow");
    await expect
      .poll(async () => (await guard.check({ ip: "203.0.113.201" })).rule)
      .toBe("feed:scanner-list");
    await page.goto("/clients/203.0.113.201");
    await expect(page.getByText("The blocklist feed scanner-list has it").first()).toBeVisible();
    await page.goto("/feeds");
    await choose("Pause");
    await expect(feed).toContainText("Paused");
    await expect.poll(async () => (await guard.check({ ip: "203.0.113.201" })).outcome).toBe("pass");
    await choose("Remove…");
    await page.getByRole("button", { name: "Remove Scanner list" }).click();
    await expect(page.getByText("No feeds yet")).toBeVisible();
  } finally {
    await guard.close();
  }
});

for (const { name, size } of [
  { name: "on a phone", size: { width: 390, height: 844 } },
  { name: "at 1024 px", size: { width: 1024, height: 768 } },
])
  test(`a viewer reads the feeds ${name}, in both themes, and can change none`, async ({ signedIn }) => {
    const admin = await signedIn("admin");
    await admin.goto("/feeds");
    await admin.getByRole("button", { name: "Add feed" }).first().click();
    await admin.getByLabel("Source").fill(source);
    await admin.getByLabel("Name").fill("Scanner list");
    await admin.getByRole("button", { name: /^Add 2 ranges/ }).click();
    await expect(admin.getByRole("list", { name: "Feeds" })).toContainText("In sync");
    const page = await signedIn("viewer", { viewport: size });
    await page.goto("/feeds");
    await expect(page.getByRole("list", { name: "Feeds" })).toContainText("Scanner list");
    await expect(page.getByRole("button", { name: /Add feed|More for|Refresh all/ })).toHaveCount(0);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(size.width);
    await expectNoViolations(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoViolations(page);
  });
