import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { roomInWindow } from "./fixtures/window.ts";

const customer = "acme-offenders";
const [worst, second, owned] = ["203.0.113.77", "203.0.113.81", "203.0.113.64"] as const;
const scanner = { "user-agent": "sqlmap/1.8.9#stable (https://sqlmap.org)" };

// These clients would be among those of other files.
test.use({ world: "offenders" });

let guard: Guard;

test.beforeEach(async ({ sluice: { redis } }) => {
  await redis.client.set(`customer:${customer}:tier_redis`, "enterprise");
  guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
});

test.afterEach(async ({ sluice: { redis } }) => {
  await guard.close();
  const entries = await redis.client.keys("*list:*");
  await redis.client.del(`customer:${customer}:tier_redis`, ...entries);
});

/** Three clients of one network, the last of which is a customer's address. */
async function attack(): Promise<void> {
  await roomInWindow(300, 30);
  for (let i = 0; i < 4; i++) await guard.check({ ip: owned, path: "/orders", customerId: customer });
  const waves = [
    [worst, 160, "/login"],
    [second, 90, "/login"],
    [owned, 30, "/orders"],
  ] as const;
  for (const [ip, wanted, path] of waves) await denials(wanted, { ip, path, headers: scanner });
}

/** Sends requests until so many were denied. On a busy machine the counters may answer too late, and more of them pass. */
async function denials(wanted: number, request: Parameters<Guard["check"]>[0]): Promise<void> {
  for (let denied = 0; denied < wanted; ) {
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => guard.check(request)));
    denied += verdicts.filter(({ outcome }) => outcome === "throttled").length;
  }
}

test("an attack of three clients of one network: the worst is first, two are blocked at once and undone, the range is blocked", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff");
  await page.goto("/offenders");
  await attack();
  const table = page.getByRole("table", { name: "Offenders" });
  const rows = table.locator("tbody").getByRole("row");
  const rowOf = (client: string) =>
    rows.filter({ has: page.getByRole("link", { name: client, exact: true }) });
  await expect(rows.nth(0)).toContainText(worst, { timeout: 20_000 });
  await expect(rows.nth(1)).toContainText(second);
  await expect(rows.nth(2)).toContainText(owned);
  await expect(rows.nth(0)).toContainText("Throttled");
  await expect(rows.nth(0)).toContainText("sqlmap");
  await expect(rowOf(owned).getByRole("link", { name: `Customer ${customer}` })).toBeVisible({
    timeout: 20_000,
  });
  const denied = async (client: string) => Number(await rowOf(client).getByRole("cell").nth(3).innerText());
  expect(await denied(worst)).toBeGreaterThan(await denied(second));
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page);
  }

  // One of them is blocked by another program.
  await redis.client.set(`blocklist:${worst}`, '{"reason":"WAF ticket 991"}', "EX", 3_600);
  await expect(rowOf(worst)).toContainText("Blocked");
  await expect(rowOf(worst)).toContainText("WAF ticket 991");
  await expect(rowOf(worst).getByRole("button", { name: `Unblock ${worst}` })).toBeVisible();
  await page.getByRole("button", { name: /^Not yet blocked/ }).click();
  await expect(page).toHaveURL(/blocked=no/);
  await expect(rowOf(worst)).toHaveCount(0);

  // One click on a customer's address only asks.
  await rowOf(owned)
    .getByRole("button", { name: `Block ${owned} for 1h` })
    .click();
  const oneQuestion = page.getByRole("alertdialog", { name: `${owned} is used by customer ${customer}` });
  await oneQuestion.getByRole("button", { name: "Cancel" }).click();
  await expect(oneQuestion).toBeHidden();
  expect(await redis.client.exists(`blocklist:${owned}`)).toBe(0);

  for (const client of [second, owned])
    await page.getByRole("checkbox", { name: `Select ${client}` }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText("2 selected");
  await expect(bar).toContainText(new RegExp(`denied/s · \\d+% · customer ${customer}`));
  await expect(bar.getByRole("button", { name: "Block 203.0.113.64/27…" })).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await expect(bar).toBeHidden();

  for (const client of [second, owned])
    await page.getByRole("checkbox", { name: `Select ${client}` }).check();
  await bar.getByRole("button", { name: "Block 2 for 24h" }).click();
  const question = page.getByRole("alertdialog", {
    name: `1 of 2 addresses are used by customer ${customer}`,
  });
  await question.getByRole("button", { name: "Block 2 addresses for 24 hours" }).click();
  await expect(page.getByText(`2 blocked for 24 hours, with customer ${customer}`).first()).toBeVisible();
  const entries = () => redis.client.exists(`blocklist:${second}`, `blocklist:${owned}`);
  expect(await entries()).toBe(2);
  // Under the pointer, rows that leave the filter stay.
  await page.mouse.move(1, 1);
  await expect(rowOf(second)).toHaveCount(0);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(entries).toBe(0);
  await expect(rowOf(second)).toBeVisible();

  await page.getByRole("radio", { name: "Networks" }).click();
  await page.getByRole("radio", { name: "/24" }).click();
  await expect(page).toHaveURL(/group=range/);
  const range = rows.filter({ hasText: "203.0.113.0/24" });
  await expect(range.getByRole("link", { name: `Customer ${customer}` })).toBeVisible();
  await expectNoViolations(page);
  await range.getByRole("button", { name: "Block the range 203.0.113.0/24…" }).click();
  const dialog = page.getByRole("dialog", { name: "Block or safelist" });
  await expect(dialog.getByRole("region", { name: "Preview" })).toContainText("1 will be added");
  await dialog.getByRole("radio", { name: "1h" }).check();
  await dialog.getByRole("button", { name: /^Block 1 for 1 hour/ }).click();
  const whole = page.getByRole("alertdialog", { name: `203.0.113.0/24 is used by customer ${customer}` });
  await whole.getByRole("button", { name: "Block 203.0.113.0/24 for 1 hour" }).click();
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.0/24")).toBe(1);
});

test("the clients of a range are selected with it, and their common range is blocked, on a phone by keyboard alone", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff");
  await page.setViewportSize({ width: 390, height: 844 });
  // Blocked clients are not selected: those of the test before are no longer blocked once the console knows it.
  const reply = async () => (await page.request.get("/api/offenders?most=100")).text();
  await expect.poll(reply).not.toContain('"listed"');
  await page.goto("/offenders?group=range");
  await attack();
  const show = page.getByRole("button", { name: "Show 3 clients of 203.0.113.0/24" });
  await expect(show).toBeVisible({ timeout: 20_000 });
  await show.press("Enter");
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText("3 selected");
  // One of them is left out.
  await page.getByRole("checkbox", { name: `Select ${owned}` }).press("Space");
  await expect(bar).toContainText("2 selected");
  await bar.getByRole("button", { name: "Block 203.0.113.64/27…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Block or safelist" });
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("1 customer among them");
  const hit = (client: string) =>
    preview.getByRole("listitem").filter({ has: page.getByRole("link", { name: client, exact: true }) });
  await expect(hit(owned)).toContainText("not selected");
  await expect(hit(worst)).toBeVisible();
  await expect(hit(worst)).not.toContainText("not selected");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: /^Block 1 for 1 week/ }).press("Enter");
  const whole = page.getByRole("alertdialog", { name: `203.0.113.64/27 is used by customer ${customer}` });
  await whole.getByRole("button", { name: "Block 203.0.113.64/27 for 1 week" }).press("Enter");
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.64/27")).toBe(1);
  await expect(bar).toBeHidden();
});

test("a view is in the URL, and is saved, opened and removed", async ({ signedIn }) => {
  await attack();
  const page = await signedIn("viewer");
  await page.goto("/offenders?tool=sqlmap&sort=requests&network=203.0.113.64%2F28");
  const table = page.getByRole("table", { name: "Offenders" });
  const rows = table.locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(2, { timeout: 20_000 });
  await expect(table.getByRole("columnheader", { name: "Requests/s" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  // A viewer selects and blocks nothing.
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Block / })).toHaveCount(0);
  await page.getByRole("button", { name: "Save view" }).click();
  const views = page.getByRole("dialog", { name: "Saved views" });
  await views.getByRole("textbox", { name: "Name of this view" }).fill("Scanners");
  await views.getByRole("button", { name: "Save view" }).click();
  await expect(views.getByRole("link", { name: "Scanners" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).not.toHaveURL(/tool=/);
  await page.getByRole("button", { name: "Tool: any" }).click();
  await page.getByRole("menuitem", { name: "sqlmap" }).click();
  await expect(page).toHaveURL(/tool=sqlmap/);
  await page.reload();
  await page.getByRole("button", { name: "Views (1)" }).click();
  await views.getByRole("link", { name: "Scanners" }).click();
  await expect(page).toHaveURL(/network=203\.0\.113\.64/);
  await expect(rows).toHaveCount(2, { timeout: 20_000 });
  await views.getByRole("button", { name: "Remove view Scanners" }).click();
  await expect(views.getByRole("link", { name: "Scanners" })).toHaveCount(0);
});

test("a filter without a match keeps the table's height, and says so", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await page.goto("/offenders?tool=no-such-tool");
  const card = page.getByRole("region", { name: "Offenders" });
  await expect(card).toContainText("No offender matches this filter.", { timeout: 20_000 });
  expect((await card.boundingBox())?.height).toBeGreaterThan(360);
});

test("a hundred offenders are drawn again each second without long tasks", async ({ signedIn }) => {
  await roomInWindow(300, 30);
  const clients = Array.from({ length: 110 }, (_, i) => `198.18.${60 + (i % 7)}.${i + 1}`);
  for (const [i, ip] of clients.entries())
    await Promise.all(Array.from({ length: 12 + i }, () => guard.check({ ip, path: "/", headers: scanner })));
  const page = await signedIn("staff");
  await page.goto("/offenders");
  const rows = page.getByRole("table", { name: "Offenders" }).locator("tbody").getByRole("row");
  // A client whose window has just ended has no reading.
  await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(90);
  const longTasks = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) sum += duration;
        });
        observer.observe({ type: "longtask" });
        setTimeout(() => resolve(sum), 5_000);
      }),
  );
  console.log(`      100 rows: ${Math.round(longTasks)} ms of long tasks in 5 s`);
  expect(longTasks).toBeLessThan(1_500);
});
