import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/console-test.ts";

const address = "198.51.100.61";
/** Files before this one may have left more entries than a page draws at first. */
const list = `/blocklist?q=${address}`;

test.beforeEach(({ sluice: { redis } }) => redis.client.set(`blocklist:${address}`, "scanner"));
test.afterEach(({ sluice: { redis } }) => redis.client.del(`blocklist:${address}`));

interface Case {
  readonly dialog: string;
  readonly path: string;
  /** Prepares the page, before the code of dialogs is held back. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Opens the dialog by the keyboard. Returns what has the focus then. */
  readonly open: (page: Page) => Promise<string>;
}

const press = (name: string | RegExp) => async (page: Page) => {
  const opener = page.getByRole("button", { name }).first();
  await opener.focus();
  await page.keyboard.press("Enter");
  return focusOf(page);
};

/** What has the focus, in words. */
const focusOf = (page: Page) =>
  page.evaluate(() => {
    const found = document.activeElement;
    if (found === document.body) return "";
    if (found instanceof HTMLInputElement) return found.labels?.[0]?.textContent ?? "";
    return found?.getAttribute("aria-label") ?? found?.textContent ?? "";
  });

const viaMenu = (button: string, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: button }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: item }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect.poll(() => focusOf(page)).toBe(button);
  return button;
};

const withChange = async (page: Page) => {
  await page
    .getByRole("radiogroup", { name: "Mode of req/ip/2" })
    .getByRole("radio", { name: "Off" })
    .click();
  await expect(page.getByRole("button", { name: /^Publish v/ })).toBeVisible();
};

/** The rule that a fresh install has in shadow. */
const enforce = async (page: Page) => {
  await page
    .getByRole("radiogroup", { name: "Mode of rate/ip" })
    .getByRole("radio", { name: "Shadow" })
    .focus();
  await page.keyboard.press("ArrowRight");
  return focusOf(page);
};

const cases: readonly Case[] = [
  { dialog: "Import", path: "/blocklist", open: press("Import CSV") },
  { dialog: "History", path: list, open: viaMenu(`Actions for ${address}`, "History") },
  {
    dialog: "Bulk",
    path: list,
    prepare: (page) => page.getByRole("checkbox", { name: `Select ${address}` }).check(),
    open: press("Remove"),
  },
  { dialog: "Rule", path: "/policy", open: press("Add rule") },
  { dialog: "Publish", path: "/policy", prepare: withChange, open: press(/^Publish v/) },
  { dialog: "Enforce", path: "/policy", open: enforce },
  { dialog: "Entry", path: `/clients/${address}`, open: press("Unblock") },
  { dialog: "Shortcuts", path: "/audit", open: press("Keyboard shortcuts") },
];

for (const { dialog, path, prepare, open } of cases)
  test(`while the code of a dialog loads, the page stays and keeps the focus: ${dialog}`, async ({
    signedIn,
  }) => {
    const page = await signedIn("admin");
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await prepare?.(page);
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/_next/static/chunks/**", async (route) => {
      await released;
      await route.continue();
    });
    const opener = await open(page);
    expect(opener).not.toBe("");
    await expect(page.getByText("Loading …")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await focusOf(page)).toBe(opener);
    release();
    const opened = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await expect(opened).toBeVisible();
    // The first may close the tooltip of the button that has the focus.
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(opened).toBeHidden({ timeout: 1_000 });
    }).toPass();
    await expect.poll(() => focusOf(page)).toBe(opener);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
