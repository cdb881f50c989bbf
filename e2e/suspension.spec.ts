import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectAtEveryWidth } from "./fixtures/looks.ts";

const id = "suspended-7001";
const address = "203.0.113.181";
const key = `customer:${id}:suspended`;

test("support suspends a customer with a reason and a time, and resumes it", async ({ signedIn, sluice }) => {
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  const outcome = async () => (await guard.check({ ip: address, customerId: id, path: "/" })).outcome;
  try {
    await guard.ready();
    for (let i = 0; i < 5; i++) await outcome();
    const page = await signedIn("support");
    await page.goto(`/customers/${id}`);
    await page.getByRole("button", { name: "Suspend…" }).click();
    const dialog = page.getByRole("alertdialog", { name: `Suspend customer ${id}` });
    await expect(dialog.getByRole("region", { name: "Preview" })).toContainText(
      /^5 requests in the last hour, 0 of them denied\. .*Suspended, all would have got 403\./,
      { timeout: 20_000 },
    );
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Enter a reason. It is shown in the audit log.");
    await dialog.getByLabel("Reason").fill("scrapes the catalogue");
    await dialog.getByText("24h", { exact: true }).click();
    await expectAtEveryWidth(page, "suspend-dialog");
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This customer is suspended" })).toContainText(
      "scrapes the catalogue",
    );
    await expect.poll(outcome).toBe("blocked");
    expect(await sluice.redis.client.ttl(key)).toBeGreaterThan(86_000);
    await expect(page.getByText("by its suspension")).toBeVisible();
    await expect(page.getByText(/^Your account is suspended until/)).toBeVisible();
    await expectAtEveryWidth(page, "suspended");

    await page.goto("/customers?group=suspended");
    const row = page.getByRole("table", { name: "Customers" }).getByRole("row", { name: id });
    await expect(row).toContainText("Suspended");
    await expectAtEveryWidth(page, "suspended-directory");

    await page.goto(`/clients/${address}`);
    await expect(page.getByText(`Customer ${id} is suspended by`)).toBeVisible({ timeout: 20_000 });
    await page.goto(`/customers/${id}`);
    await page.getByRole("button", { name: "Resume…" }).click();
    const resume = page.getByRole("alertdialog", { name: `Resume customer ${id}` });
    await resume.getByLabel("Reason").fill("agreed by phone");
    await resume.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByText("This customer is suspended")).toHaveCount(0);
    await expect.poll(outcome).toBe("pass");
    await page.goto(`/audit?target=${id}`);
    await expect(page.getByText(`resumed customer ${id}`)).toBeVisible();
    await expect(page.getByText(`suspended customer ${id} for 24 h`)).toBeVisible();
  } finally {
    await guard.close();
    await sluice.redis.client.del(key);
  }
});

test("a viewer sees a suspension of another program and cannot change it", async ({ signedIn, sluice }) => {
  const { client } = sluice.redis;
  await client.set(key, "typed by hand");
  const page = await signedIn("viewer");
  await page.goto(`/customers/${id}`);
  const banner = page.getByRole("alert").filter({ hasText: "This customer is suspended" });
  await expect(banner).toContainText("typed by hand");
  await expect(banner).toContainText("By another program. It never expires.");
  await expect(page.getByRole("button", { name: /Suspend|Resume/ })).toHaveCount(0);
  await client.del(key);
});
