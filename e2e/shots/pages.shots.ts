import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { test } from "../fixtures/seeded-test.ts";
import { show, views } from "../fixtures/views.ts";

const folder = fileURLToPath(new URL("../../.screenshots", import.meta.url));
const desktop = { width: 1440, height: 900 };

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light", viewport: desktop },
  dark: { colorScheme: "dark", viewport: desktop },
  phone: { colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true },
  notebook: { colorScheme: "light", viewport: { width: 1024, height: 768 } },
  // A window of 1280 px at 200%.
  enlarged: { colorScheme: "light", viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
};

// A browser reports the page that is not there.
test.use({ tolerates: [/\/nowhere\)$/] });

for (const [look, options] of Object.entries(looks)) {
  for (const view of views.filter(({ isForPhones }) => !isForPhones || look === "phone")) {
    test(`${view.name}-${look}`, async ({ signedIn, signedOut }) => {
      const page = view.isPublic ? await signedOut(options) : await signedIn("admin", options);
      await show(page, view);
      if (!view.open) await showWhole(page);
      await page.screenshot({ path: `${folder}/${view.name}-${look}.png`, animations: "disabled" });
    });
  }
}

/** A taller window, because in a picture of what scrolls the bars that stay would stand in its middle. */
async function showWhole(page: Page): Promise<void> {
  const [width, height] = await page.evaluate(() => [innerWidth, document.documentElement.scrollHeight]);
  await page.setViewportSize({ width: width ?? 0, height: Math.min(height ?? 0, 4_000) });
}
