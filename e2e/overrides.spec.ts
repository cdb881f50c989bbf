import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { removeSharedOverride } from "@/lib/manage/overrides/remove-shared.ts";
import { saveSharedOverride } from "@/lib/manage/overrides/save-shared.ts";
import { readShared } from "@/lib/manage/overrides/shared-override.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectAtEveryWidth } from "./fixtures/looks.ts";

const levels = [{ limit: 20_000, periodSeconds: 3_600 }];

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice }) => {
  const ctx = sluice.as("admin");
  await sluice.redis.client.del("customer:premium_7:tier_redis");
  for (const { name } of await readShared(ctx.redis))
    await removeSharedOverride(ctx, { name, reason: "a test" });
});

test("support gives a pattern limits, sees them used, changes a group and takes a removal back", async ({
  signedIn,
  sluice,
}) => {
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  const limitOf = async (customerId: string) => (await guard.usage({ customerId })).levels[0]?.limit;
  try {
    await guard.ready();
    await sluice.redis.client.set("customer:premium_7:tier_redis", "pro");
    const page = await signedIn("support");
    await page.goto("/overrides");
    await expect(page.getByText("No overrides of groups or patterns")).toBeVisible();
    await page.getByRole("button", { name: "Add override" }).click();
    const dialog = page.getByRole("dialog", { name: "Add override" });
    await dialog.getByLabel("Pattern", { exact: true }).fill("premium_*");
    await dialog.getByLabel("Requests of limit 1").fill("20,000");
    await dialog.getByLabel("Period of limit 1").fill("60");
    await expect(dialog.getByRole("region", { name: "What it does" })).toContainText(
      "1 known customer matches.",
    );
    await dialog.getByLabel("Reason").fill("launch");
    await expectAtEveryWidth(page, "form");
    await dialog.getByRole("button", { name: "Add override" }).click();
    await expect(dialog).toHaveCount(0);
    const list = page.getByRole("list", { name: "Overrides" });
    const pattern = list.getByRole("listitem").filter({ hasText: "premium_*" });
    await expect(pattern).toContainText("20,000 / h");
    await expect(pattern).toContainText("Last usednever");
    await expect.poll(() => limitOf("premium_1")).toBe(20_000);
    await guard.check({ ip: "203.0.113.231", customerId: "premium_1", path: "/" });
    await expect(pattern).not.toContainText("never used");
    await expect(pattern.locator("time").last()).toContainText(/just now|ago/, { timeout: 20_000 });

    await page.goto("/customers/premium_1");
    await expect(page.getByText("20,000 / h by pattern premium_*")).toBeVisible();
    await page.getByRole("link", { name: "by pattern premium_*" }).click();
    await expect(page).toHaveURL(/\/overrides$/);

    await page.getByRole("button", { name: "Add override" }).click();
    await dialog.getByText("Group", { exact: true }).click();
    await dialog.getByLabel("Name of the group").fill("beta");
    await dialog.getByLabel("Customers").fill("premium_1, acme");
    await dialog.getByText("A tier", { exact: true }).click();
    await dialog.getByLabel("Reason").fill("beta test");
    await expect(dialog.getByRole("region", { name: "What it does" })).toContainText(
      "2 customers in the group.",
    );
    await dialog.getByRole("button", { name: "Add override" }).click();
    const group = list.getByRole("listitem").filter({ hasText: "beta" });
    await expect(group).toContainText("2 customers");
    await expectAtEveryWidth(page, "list");
    await group.getByRole("button", { name: "More for beta" }).click();
    await page.getByRole("menuitem", { name: "Change…" }).click();
    const change = page.getByRole("dialog", { name: "Change beta" });
    await change.getByLabel("Customers").fill("acme");
    await change.getByLabel("Reason").fill("one left");
    await change.getByRole("button", { name: "Save override" }).click();
    await expect(group).toContainText("1 customer");
    await expect.poll(() => limitOf("premium_1")).toBe(20_000);

    await pattern.getByRole("button", { name: "More for premium_*" }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("button", { name: "Remove premium_*" }).click();
    await expect(pattern).toHaveCount(0);
    await expect.poll(() => limitOf("premium_1")).not.toBe(20_000);
    const removed = page.getByRole("listitem").filter({ hasText: "premium_* removed" });
    await removed.getByRole("button", { name: "Undo" }).click();
    await expect(pattern).toContainText("20,000 / h");
    await expect.poll(() => limitOf("premium_1")).toBe(20_000);
  } finally {
    await guard.close();
  }
});

test("a viewer reads the overrides at every width, in both themes, and can change none", async ({
  signedIn,
  sluice,
}) => {
  const ctx = sluice.as("admin");
  await saveSharedOverride(ctx, { name: "premium_*", levels, reason: "launch" });
  const members = { set: ["acme", "globex"] };
  await saveSharedOverride(ctx, {
    name: "beta",
    tier: "pro",
    members,
    expiresInMs: 86_400_000,
    reason: "",
  });
  const page = await signedIn("viewer");
  await page.goto("/overrides");
  await expect(page.getByRole("list", { name: "Overrides" })).toContainText("premium_*");
  await expect(page.getByRole("button", { name: /Add override|More for/ })).toHaveCount(0);
  await expectAtEveryWidth(page, "overrides");
});
