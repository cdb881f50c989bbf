import type { Page } from "@playwright/test";
import { keys } from "@/lib/redis/keys.ts";
import { expect, type Sluice, test } from "./fixtures/console-test.ts";

const range = "203.0.113.0/28";
const blocked = "203.0.113.9";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const empty = async ({ sluice }: { sluice: Sluice }) => {
  const { client } = sluice.redis;
  await client.del(keys.neverBlock(), ...(await client.keys("*list:*")));
};
test.beforeEach(empty);
// The next file of specs may run on the same Redis.
test.afterEach(empty);

test("an admin protects a range, sees what that lets through, and takes it back", async ({
  signedIn,
  sluice,
  shop,
}) => {
  await sluice.redis.client.set(`blocklist:${blocked}`, "Credential stuffing");
  await expect.poll(() => shop.status(blocked)).toBe(403);
  const page = await signedIn("admin");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Protect a range" }).click();
  const dialog = page.getByRole("dialog", { name: "Protect a range" });
  await dialog.getByLabel("Address or range").fill("203.0.113.9/28");
  await dialog.getByRole("button", { name: `Use ${range}` }).click();
  await expect(dialog.getByText("1 blocklist entry stops being enforced:")).toBeVisible();
  await expect(dialog.getByText("Credential stuffing")).toBeVisible();
  await expect(dialog.getByRole("button", { name: `Protect ${range}` })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The partner's office");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole("row", { name: new RegExp(`${range}.*The partner's office.*admin@`) }),
  ).toBeVisible();
  await expect(page.getByText(/^Applied on \d of \d nodes? in/)).toBeVisible();
  await expect.poll(() => shop.status(blocked)).toBe(200);

  await page.getByRole("button", { name: `Stop protecting ${range}` }).click();
  const confirm = page.getByRole("alertdialog");
  await expect(confirm.getByText("1 blocklist entry is enforced again:")).toBeVisible();
  await confirm.getByLabel("Reason").fill("They moved");
  await confirm.getByRole("button", { name: `Stop protecting ${range}` }).click();
  await expect(page.getByRole("row", { name: new RegExp(range) })).toHaveCount(0);
  await expect.poll(() => shop.status(blocked)).toBe(403);
});

test("an admin changes how long the denial log is kept, and undoes it", async ({ signedIn, sluice }) => {
  await sluice.redis.client.del(keys.denialLogRetention());
  const page = await signedIn("admin");
  await page.goto("/settings");
  const log = card(page, "Denial log");
  await expect(log).toContainText("Denied requests are kept for 3 days, at most 1,000 of each hour.");
  await log.getByRole("button", { name: "Change how long it is kept" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Days").fill("40");
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("Days").fill("7");
  await dialog.getByLabel("Reason").fill("weekly review");
  await dialog.getByRole("button", { name: "Keep for 7 days" }).click();
  await expect(log).toContainText("Denied requests are kept for 7 days");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(log).toContainText("Denied requests are kept for 3 days");
});

test("a range that cannot be protected is refused in words, and the input is kept", async ({ signedIn }) => {
  const page = await signedIn("admin");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Protect a range" }).click();
  const typed = page.getByLabel("Address or range");
  await typed.fill("203.0.113.300");
  await expect(page.getByRole("alert")).toContainText("203.0.113.300");
  await typed.fill("127.0.0.0/8");
  await expect(page.getByRole("alert")).toContainText("already protected");
  await typed.fill("8.0.0.0/7");
  await page.getByLabel("Reason").fill("much");
  await page.getByRole("button", { name: "Protect 8.0.0.0/7" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "wider than /8" })).toBeVisible();
  await expect(typed).toHaveValue("8.0.0.0/7");
  await expect(page.getByLabel("Reason")).toHaveValue("much");
});

for (const role of ["staff", "support", "viewer"] as const) {
  test(`${role} sees the ranges and changes none`, async ({ signedIn, sluice }) => {
    const note = JSON.stringify({
      reason: "Office",
      by: "admin@example.org",
      at: new Date().toISOString(),
      via: "console",
    });
    await sluice.redis.client.hset(keys.neverBlock(), range, note);
    const page = await signedIn(role);
    await page.goto("/settings");
    await expect(page.getByRole("row", { name: new RegExp(`${range}.*Office`) })).toBeVisible();
    await expect(page.getByText("To protect another range, ask an admin.")).toBeVisible();
    await expect(page.getByRole("button", { name: /protect/i })).toHaveCount(0);
    await expect(card(page, "Denial log")).toContainText("To change this, ask an admin.");
    await expect(card(page, "Denial log").getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Users and roles" })).toHaveCount(0);
    expect((await page.request.get(`/api/never-block/effect?range=${range}`)).status()).toBe(403);
  });
}

test("a reason from elsewhere is shown and never run", async ({ signedIn, sluice }) => {
  const hostile = `<img src=x onerror="document.title='owned'">\u202e${"W".repeat(10_000)}`;
  await sluice.redis.client.hset(keys.neverBlock(), range, hostile);
  const page = await signedIn("admin", { viewport: { width: 390, height: 844 } });
  await page.goto("/settings");
  await expect(page.getByRole("row", { name: new RegExp(range) })).toContainText("<img src=x");
  await expect(page).toHaveTitle(/Settings/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("the page shows the client address, the trusted hops and what to set", async ({ signedIn }) => {
  const page = await signedIn("staff");
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "192.0.2.66, 198.51.100.25" });
  await page.goto("/settings");
  const from = card(page, "Your address");
  await expect(from).toContainText("Your address is 198.51.100.25, through 127.0.0.1 (trusted).");
  const way = from.getByRole("list").getByRole("listitem");
  await expect(way).toHaveText([
    /127\.0\.0\.1.*trusted/,
    /198\.51\.100\.25.*your address/,
    /192\.0\.2\.66.*not trusted/,
  ]);
  await expect(from).toContainText("The addresses that it names itself are ignored.");
  await expect(from).toContainText("SLUICE_TRUSTED_PROXIES=127.0.0.0/8,198.51.100.25");
});

test("health is live, and runs all checks on request", async ({ signedIn, sluice }) => {
  const { client } = sluice.redis;
  const page = await signedIn("viewer");
  await page.goto("/settings");
  const health = card(page, "Health");
  await expect(health).toContainText("Every entry is well formed and enforced.");
  await client.config("SET", "maxmemory-policy", "allkeys-lru");
  await expect(health).toContainText("when memory is full, Redis drops list entries.", { timeout: 15_000 });
  await expect(health).toContainText("CONFIG SET maxmemory-policy noeviction");
  await client.config("SET", "maxmemory-policy", "noeviction");
  await expect(health).not.toContainText("Redis drops list entries", { timeout: 15_000 });
  await client.set("blocklist:0.0.0.0/0", "everybody");
  await expect
    .poll(
      async () => {
        await health.getByRole("button", { name: "Run all checks" }).click();
        return health.textContent();
      },
      { timeout: 15_000 },
    )
    .toContain("1 key in Redis is not enforced.");
  // Another file of specs may have emptied this Redis, which the audit log's finding then names.
  const ofEntries = health.getByRole("listitem").filter({ hasText: "1 key in Redis is not enforced" });
  await ofEntries.getByText("Details (1)").click();
  await expect(health).toContainText("blocklist:0.0.0.0/0: it is wider than /16");
});

test.describe("while Redis is away", () => {
  test.use({ tolerates: [/status of 503/] });

  test("what was found stays, what is typed stays, and the page goes on by itself", async ({
    signedIn,
    sluice,
  }) => {
    const page = await signedIn("admin");
    await page.goto("/settings");
    await expect(card(page, "Health")).toContainText("noeviction");
    await page.getByRole("button", { name: "Protect a range" }).click();
    await page.getByLabel("Address or range").fill(range);
    await page.getByLabel("Reason").fill("The office");
    await sluice.redis.kill();
    await page.getByRole("button", { name: `Protect ${range}` }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Redis did not answer");
    await expect(page.getByLabel("Reason")).toHaveValue("The office");
    await expect(page.getByText("noeviction: Redis drops no entries")).toBeAttached();
    await sluice.redis.restart();
    await expect(page.getByText("Redis OK")).toBeAttached({ timeout: 15_000 });
    await page.getByRole("button", { name: `Protect ${range}` }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByRole("row", { name: new RegExp(`${range}.*The office`) })).toBeVisible();
  });
});

test("an admin creates a token, sees its secret once and revokes it; other roles see no tokens", async ({
  signedIn,
}) => {
  const page = await signedIn("admin");
  await page.goto("/settings/api");
  await card(page, "API tokens").getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create an API token" });
  await form.getByLabel("Name").fill("Edge exporter");
  await form.getByRole("checkbox", { name: /^lists / }).check();
  await form.getByLabel("App").fill("shop");
  await expect(form.getByRole("alert")).toContainText("lists concerns all apps");
  await form.getByLabel("App").fill("");
  await form.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("alertdialog", { name: "Token “Edge exporter” created" });
  const secret = await shown.getByRole("textbox", { name: "Secret" }).inputValue();
  expect(secret).toMatch(/^slc_[\w-]{43}$/);
  await page.keyboard.press("Escape");
  await expect(shown.getByRole("alert")).toHaveText("Store the secret, then tick the box.");
  await shown.getByRole("checkbox", { name: "I have stored the secret" }).check();
  await shown.getByRole("button", { name: "Close" }).last().click();
  const row = page.getByRole("row", { name: /Edge exporter/ });
  await expect(row).toContainText(secret.slice(0, 8));
  expect(await page.content()).not.toContain(secret);
  await row.getByRole("button", { name: "Revoke the token Edge exporter" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke Edge exporter" }).click();
  await expect(row).toHaveCount(0);

  const staff = await signedIn("staff");
  await staff.goto("/settings/api");
  await expect(staff.getByText("Only an admin can create a token.")).toBeVisible();
  await expect(card(staff, "API tokens")).toHaveCount(0);
});
