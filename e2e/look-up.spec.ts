import type { Page } from "@playwright/test";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { addEntries } from "@/lib/manage/lists/add.ts";
import { at } from "@/lib/manage/lists/vitest.context.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";

const address = "198.18.70.143";
const [hourMs, dayMs] = [3_600_000, 86_400_000];

// Other files of specs may run on the same Redis.
test.afterEach(async ({ sluice: { redis } }) => {
  const entries = await redis.client.keys("*list:198.18.70.*");
  if (entries.length > 0) await redis.client.del(...entries);
});

const palette = (page: Page) => page.getByRole("dialog", { name: "Look up" });

/** A shortcut is lost until the page listens to it. */
async function lookUp(page: Page, text: string): Promise<void> {
  await expect(async () => {
    if (!(await palette(page).isVisible())) await page.keyboard.press("Control+k");
    await expect(palette(page)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await palette(page).getByRole("combobox").fill(text);
}

const option = (page: Page, name: string | RegExp) => palette(page).getByRole("option", { name });

test("an address and Enter open the client's page, with the focus on its heading", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await page.goto("/");
  await lookUp(page, address);
  await expect(palette(page).getByRole("option").first()).toContainText(address);
  await expect(palette(page).getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/clients/${address}`);
  await expect(page.getByRole("heading", { level: 1, name: address })).toBeFocused();
  // From one client to another, and within a page.
  await lookUp(page, "198.18.70.144");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "198.18.70.144" })).toBeFocused();
  await lookUp(page, "audit");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeFocused();
});

test("Escape returns the focus to where it was", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await page.goto("/audit");
  const field = page.getByRole("link", { name: "Policy" }).first();
  await field.focus();
  await lookUp(page, address);
  await page.keyboard.press("Escape");
  await expect(field).toBeFocused();
});

test("staff block an address from the palette, undo it, and unblock it", async ({ signedIn, sluice }) => {
  const page = await signedIn("staff");
  const { client } = sluice.redis;
  await page.goto("/policy");
  await lookUp(page, address);
  await option(page, `Block ${address} for 24 h`).click();
  await expect(page.getByText(`${address} blocked for 24 hours`, { exact: true })).toBeVisible();
  await expect.poll(() => client.exists(`blocklist:${address}`)).toBe(1);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect.poll(() => client.exists(`blocklist:${address}`)).toBe(0);
  const day = { list: "blocklist", reason: "scraper", ttlMs: dayMs } as const;
  await addEntries(sluice.as("staff"), { ...day, addresses: [at(address)] });
  await lookUp(page, address);
  await expect(palette(page).getByRole("option").first()).toContainText(/Blocked, 23 h 5\d min left/);
  await option(page, `Unblock ${address}`).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Unblock ${address}` })
    .click();
  await expect.poll(() => client.exists(`blocklist:${address}`)).toBe(0);
  await expect(page).toHaveURL(/\/policy$/);
});

test("a viewer finds no command that changes a list", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await page.goto("/");
  await lookUp(page, address);
  await expect(option(page, /^Audit records of/)).toBeVisible();
  await expect(option(page, /^(Block|Unblock|Safelist) \d/)).toHaveCount(0);
});

test("the page of a blocked client unblocks it, changes its expiry, and names the range of a wider entry", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("staff");
  const { client } = sluice.redis;
  const entry = { list: "blocklist", reason: "scraper", ttlMs: dayMs } as const;
  await addEntries(sluice.as("staff"), { ...entry, addresses: [at(address)] });
  await page.goto(`/clients/${address}`);
  await page.getByRole("button", { name: "Change expiry…" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Change the expiry of ${address}` });
  await dialog.getByRole("radio", { name: "1h" }).click();
  await dialog.getByRole("button", { name: "Expire in 1 hour" }).click();
  await expect.poll(() => client.pttl(`blocklist:${address}`)).toBeLessThanOrEqual(hourMs);
  expect(await client.get(`blocklist:${address}`)).toContain("scraper");
  await page.getByRole("button", { name: "Unblock", exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Unblock ${address}` })
    .click();
  await expect.poll(() => client.exists(`blocklist:${address}`)).toBe(0);
  await expect(page.getByRole("button", { name: `Block ${address} for 24h` })).toBeVisible();

  await addEntries(sluice.as("staff"), { ...entry, addresses: [at("198.18.70.0/24")] });
  await page.getByRole("button", { name: "Unblock 198.18.70.0/24" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("256 addresses");
  await page.getByRole("alertdialog").getByRole("button", { name: "Unblock 198.18.70.0/24" }).click();
  await expect.poll(() => client.exists("blocklist:198.18.70.0/24")).toBe(0);
});

test("addresses of lists and of the audit log lead to their pages", async ({ signedIn, sluice }) => {
  const page = await signedIn("viewer");
  const entry = { list: "blocklist", reason: "scraper", ttlMs: dayMs } as const;
  await addEntries(sluice.as("staff"), { ...entry, addresses: [at(address), at("198.18.70.0/24")] });
  await page.goto("/blocklist?q=198.18.70.");
  await page.getByRole("link", { name: address, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: address })).toBeVisible();
  await page.goto("/audit");
  await page.getByRole("link", { name: "198.18.70.0/24" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "198.18.70.0/24" })).toBeVisible();
});

test("an admin links clients to the logs, and everyone gets there from the page and from the palette", async ({
  signedIn,
  sluice,
}) => {
  const admin = await signedIn("admin");
  await admin.goto("/settings");
  await admin.getByRole("button", { name: "Add a link" }).click();
  const dialog = admin.getByRole("dialog", { name: "Add a link" });
  await dialog.getByLabel("Name").fill("Logs");
  await dialog.getByLabel("URL").fill("http://logs.example.org/{ip}");
  await expect(dialog.getByText("A link begins with https://")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Set link" })).toBeDisabled();
  await dialog.getByLabel("URL").fill("https://logs.example.org/?q={ip}");
  await expect(dialog.getByText("https://logs.example.org/?q=203.0.113.77")).toBeVisible();
  await dialog.getByRole("button", { name: "Set link" }).click();
  await expect(admin.getByRole("table", { name: "Links to other systems" })).toContainText("Logs");

  const viewer = await signedIn("viewer");
  await viewer.goto("/clients/2001:db8:7::1");
  await expect(viewer.getByRole("link", { name: /^Logs/ })).toHaveAttribute(
    "href",
    "https://logs.example.org/?q=2001%3Adb8%3A7%3A%3A1",
  );
  await lookUp(viewer, address);
  await expect(option(viewer, /^Logs of 198\.18\.70\.143/)).toBeVisible();
  await viewer.goto("/settings");
  await expect(viewer.getByRole("button", { name: "Add a link" })).toHaveCount(0);
  await sluice.redis.client.del("sluice:links");
});

test("staff note what they know of a client; others read it", async ({ signedIn, sluice }) => {
  const staff = await signedIn("staff");
  await staff.goto(`/clients/${address}`);
  const card = staff.getByRole("region", { name: "Notes" });
  await card.getByLabel("New note").fill("Provider called.\nKeep the block until Friday.");
  await card.getByRole("button", { name: "Add note" }).click();
  await expect(card.getByRole("listitem")).toContainText("Keep the block until Friday.");
  await card.getByRole("button", { name: "Set ticket" }).click();
  await card.getByLabel("Ticket").fill("SEC-2291");
  await card.getByLabel("Ticket").press("Enter");
  await expect(card.getByText("SEC-2291")).toBeVisible();

  const support = await signedIn("support");
  await support.goto(`/clients/${address}`);
  const read = support.getByRole("region", { name: "Notes" });
  await expect(read.getByRole("listitem")).toContainText("Provider called.");
  await expect(read.getByRole("button", { name: "Add note" })).toHaveCount(0);
  await support.goto("/customers/acme");
  await support.getByLabel("New note").fill("Pays by invoice");
  await support.getByRole("button", { name: "Add note" }).click();
  await expect(support.getByRole("region", { name: "Notes" }).getByRole("listitem")).toContainText(
    "Pays by invoice",
  );

  await card.getByRole("button", { name: /^Remove the note/ }).click();
  await staff.getByRole("alertdialog").getByRole("button", { name: "Remove note" }).click();
  await expect(card.getByText("No notes.")).toBeVisible();
  await sluice.redis.client.del(`sluice:notes:client:${address}`, "sluice:notes:customer:acme");
});

test("the reference of a denial, pasted into the palette, says what was denied and leads to it", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("viewer");
  const { client, url } = sluice.redis;
  await client.set(`blocklist:${address}`, "scraper", "EX", 3_600);
  const guard = createGuard({ redis: url, app: "shop", log: () => {} });
  await guard.ready();
  await expect.poll(async () => (await guard.check({ ip: address })).reference).toMatch(/^slr-/);
  const { reference = "" } = await guard.check({ ip: address });
  await guard.close();
  await page.goto("/");
  await lookUp(page, reference);
  await expect(palette(page).getByRole("status")).toContainText(
    new RegExp(`${address} was blocked in app shop .* It still applies`),
  );
  await expect(option(page, `Blocklist entry ${address}`)).toBeVisible();
  await expectNoViolations(page);
  await lookUp(page, `${reference}0`);
  await expect(palette(page).getByRole("status")).toContainText("wrong or missing");
  await lookUp(page, reference);
  await option(page, new RegExp(`^${address}`))
    .first()
    .click();
  await expect(page).toHaveURL(`/clients/${address}`);
});
