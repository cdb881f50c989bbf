import type { Locator, Page } from "@playwright/test";
import { type Shortcut, shortcuts } from "@/components/console/shortcuts.ts";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { expect, test } from "./fixtures/seeded-test.ts";
import { roomInWindow } from "./fixtures/window.ts";

test.use({ sharesCache: true });

const phones = [
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];
/** A phone, a window of 1280 px at 200% zoom, and a small notebook. */
const windows = [
  { width: 390, height: 844 },
  { width: 640, height: 360 },
  { width: 1024, height: 768 },
];
const desktop = { width: 1440, height: 900 };

test("a phone shows the count and the Block buttons of each offender", async ({ signedIn, sluice }) => {
  const addresses = ["203.0.113.171", "2001:db8:aaaa:bbbb::1"];
  await roomInWindow(1_800, 30);
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const requests = addresses.flatMap((ip) =>
      Array.from({ length: 320 }, () => ({ ip, path: "/", method: "GET" })),
    );
    await Promise.all(requests.map((request) => guard.check(request)));
    const page = await signedIn("admin", { viewport: desktop });
    await page.goto("/offenders");
    const table = page.getByRole("table", { name: "Offenders" });
    const row = table.getByRole("row", { name: "203.0.113.171" });
    const another = table.getByRole("row", { name: "2001:db8:aaaa:bbbb::/64" });
    await expect(row).toBeVisible({ timeout: 20_000 });
    await expect(another).toBeVisible({ timeout: 20_000 });
    for (const size of phones) {
      await page.setViewportSize(size);
      for (const each of [row, another]) await expectWithin(each.getByText(/^[\d,]+ \/ [\d,]+$/));
      for (const life of ["1h", "24h", "1w"]) {
        await expectWithin(row.getByRole("button", { name: `Block 203.0.113.171 for ${life}` }));
      }
    }
    // The longest words of a state, a time and a reason.
    await page.route("**/api/offenders?*", async (route) => {
      const reply = await (await route.fetch()).json();
      for (const one of reply.clients) {
        if (one.client === "203.0.113.171") Object.assign(one, { standing: "shadow", clearsMs: 3_449_000 });
        else
          one.listed = {
            list: "blocklist",
            address: "198.51.100.160/28",
            reason: "21 denials of login within 600 s at app shop",
          };
      }
      await route.fulfill({ json: reply });
    });
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expect(row).toContainText("Would be denied");
    await expectWithin(row.getByRole("button", { name: "Safelist 203.0.113.171 for 1 week" }));
  } finally {
    await guard.close();
  }
});

/** What each table is read for, and the button of a row. */
const essentials: readonly { path: string; parts(page: Page): Locator[] }[] = [
  {
    path: "/",
    parts: (page) => [page.getByText("in sync", { exact: true }).filter({ visible: true }).last()],
  },
  { path: "/blocklist", parts: (page) => [page.getByRole("button", { name: "Actions for 198.51.100.77" })] },
  { path: "/customers", parts: (page) => [page.getByText(/^\d+ \/ 100$/).first()] },
  { path: "/edge", parts: (page) => [page.getByRole("button", { name: /^Let in 203\.0\.113\.91/ })] },
  { path: "/settings", parts: (page) => [page.getByRole("button", { name: /^Stop protecting/ })] },
  { path: "/settings/users", parts: (page) => [page.getByRole("button", { name: /^Actions for/ }).last()] },
];

for (const { path, parts } of essentials) {
  test(`what the table of ${path} is read for is in sight at every width`, async ({ signedIn }) => {
    const page = await signedIn("admin", { viewport: desktop });
    await page.goto(path);
    for (const size of windows) {
      await page.setViewportSize(size);
      for (const part of parts(page)) await expectWithin(part);
    }
  });
}

test.describe("what a browser remembers", () => {
  // Another test would find it.
  test.use({ sharesCache: false });

  test("the sidebar is a rail below 1180 px and a menu below 768 px, and a choice is remembered", async ({
    signedIn,
  }) => {
    const page = await signedIn("admin", { viewport: desktop });
    await page.goto("/policy");
    const sidebar = page.getByRole("navigation", { name: "Pages", exact: true });
    const link = sidebar.getByRole("link", { name: /^Blocklist/ });
    await expect(sidebar).toHaveCSS("width", "208px");
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(sidebar).toHaveCSS("width", "56px");
    await link.hover();
    await expect(page.getByRole("tooltip", { includeHidden: true }).first()).toHaveText("Blocklist");
    await page.setViewportSize({ width: 640, height: 360 });
    await expect(sidebar).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Audit" }).click();
    await expect(page).toHaveURL(/\/audit$/);
    await page.setViewportSize(desktop);
    await sidebar.getByRole("button", { name: "Collapse the sidebar" }).click();
    await expect(sidebar).toHaveCSS("width", "56px");
    await page.reload();
    await expect(sidebar).toHaveCSS("width", "56px");
    await sidebar.getByRole("button", { name: "Expand the sidebar" }).click();
    await expect(sidebar).toHaveCSS("width", "208px");
  });

  test("? lists every shortcut, and single keys can be switched off", async ({ signedIn }) => {
    const page = await signedIn("admin", { viewport: desktop });
    await page.goto("/offenders");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    const opener = page.getByRole("button", { name: "Keyboard shortcuts" });
    const pause = page.getByRole("button", { name: "Pause live" });
    const resume = page.getByRole("button", { name: "Resume" });
    await expect(async () => {
      await page.keyboard.press("?");
      await expect(dialog).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const all: readonly Shortcut[] = Object.values(shortcuts);
    await expect(dialog.getByRole("listitem")).toHaveCount(all.length);
    for (const { does } of all) await expect(dialog.getByText(does)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.keyboard.press("p");
    await expect(resume).toBeVisible();
    await page.keyboard.press("p");
    await expect(pause).toBeVisible();

    await opener.click();
    await dialog.getByRole("checkbox", { name: "Single-key shortcuts" }).uncheck();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expectNoSingleKeys(page);
    await page.reload();
    await expect(pause).toBeVisible();
    await expectNoSingleKeys(page);

    await page.goto("/settings/account");
    const box = page.getByRole("checkbox", { name: "Single-key shortcuts" });
    await expect(box).not.toBeChecked();
    await box.check();
    await page.keyboard.press("?");
    await expect(dialog).toBeVisible();

    async function expectNoSingleKeys(there: Page) {
      for (const key of ["p", "?", "/"]) await there.keyboard.press(key);
      // Keys are handled in their order: once this one has worked, the ones before it have been handled.
      await expect(async () => {
        await there.keyboard.press("Control+k");
        await expect(there.getByRole("combobox")).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await expect(there.getByRole("combobox")).toHaveValue("");
      await there.keyboard.press("Escape");
      await expect(there.getByRole("dialog")).toHaveCount(0);
      await expect(pause).toBeVisible();
      await expect(resume).toHaveCount(0);
    }
  });
});

/** Nothing of it is hidden, neither by the window nor by a table that would have to be scrolled sideways. */
async function expectWithin(part: Locator): Promise<void> {
  await part.evaluate((element) => {
    element.scrollIntoView({ block: "center" });
    for (let box = element.parentElement; box; box = box.parentElement) box.scrollLeft = 0;
  });
  await expect(part).toBeInViewport({ ratio: 0.99 });
}
