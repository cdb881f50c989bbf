import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/console-test.ts";

const count = 12_000;
const file = Array.from({ length: count }, (_, i) => `10.7.${i >> 8}.${i & 255}`).join("\n");

test.beforeEach(async ({ sluice }) => {
  const entries = await sluice.redis.client.keys("*list:*");
  if (entries.length > 0) await sluice.redis.client.del(entries);
});

/** Holds what the page sends until it is released. */
async function holdWrites(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  return () => {
    release();
    return page.unrouteAll({ behavior: "wait" });
  };
}

test("a file of 12,000 addresses is one record with one undo, and both show how far they have come", async ({
  signedIn,
  sluice: { redis },
}) => {
  const { client } = redis;
  const blocked = async () => (await client.keys("blocklist:10.7.*")).length;
  const page = await signedIn("staff");
  const records = await client.xlen("sluice:audit");
  await page.goto("/blocklist");
  await page.getByRole("button", { name: "Import CSV" }).click();
  await page
    .getByLabel("Drop a file here, or choose one")
    .setInputFiles({ name: "feed.txt", mimeType: "text/plain", buffer: Buffer.from(file) });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Block 12,000" })).toBeEnabled();
  const release = await holdWrites(page);
  await dialog.getByRole("button", { name: "Block 12,000" }).click();
  await expect(dialog.getByRole("progressbar", { name: "Importing" })).toBeVisible();
  await release();
  await expect(dialog.getByText("12,000 imported")).toBeVisible({ timeout: 20_000 });
  expect(await blocked()).toBe(count);
  expect(await client.xlen("sluice:audit")).toBe(records + 1);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.goto("/audit");
  const item = page.getByRole("listitem").filter({ hasText: "imported into the blocklist: 12,000 entries" });
  await expect(item).toHaveCount(1);
  await item.getByRole("button", { name: /^Undo record/ }).click();
  const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(asked.getByText("and 11,996 more")).toBeVisible();
  const releaseUndo = await holdWrites(page);
  await asked.getByRole("button", { name: /^Undo record/ }).click();
  await expect(asked.getByRole("progressbar", { name: "Undoing" })).toBeVisible();
  await releaseUndo();
  await expect(page.getByText(/^Record .* is undone$/)).toBeVisible({ timeout: 20_000 });
  expect(await blocked()).toBe(0);
  expect(await client.xlen("sluice:audit")).toBe(records + 2);
  await expect(item.getByText("Undone", { exact: true })).toBeVisible();
});

test("chosen entries of an import are undone, and the others stay", async ({
  signedIn,
  sluice: { redis },
}) => {
  const { client } = redis;
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const some = file.split("\n").slice(0, 800).join("\n");
  await page
    .getByLabel("Drop a file here, or choose one")
    .setInputFiles({ name: "some.txt", mimeType: "text/plain", buffer: Buffer.from(some) });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Block 800" }).click();
  await expect(dialog.getByText("800 imported")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.goto("/audit");
  const item = page.getByRole("listitem").filter({ hasText: "imported into the blocklist: 800 entries" });
  await item.getByRole("button", { name: /^Details of record/ }).click();
  await item.getByRole("searchbox", { name: /^Find an address in record/ }).fill("10.7.3.31");
  await item.getByRole("checkbox", { name: "Choose 10.7.3.31" }).check();
  await item.getByRole("button", { name: "Undo 1 entry" }).click();
  const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await asked.getByRole("button", { name: /^Undo 1 entry of record/ }).click();
  await expect(page.getByText(/^1 entry of record .* is undone$/)).toBeVisible();
  expect(await client.exists("blocklist:10.7.3.31")).toBe(0);
  expect(await client.keys("blocklist:10.7.*")).toHaveLength(799);
  await expect(item.getByText("Partly undone", { exact: true })).toBeVisible();
});
