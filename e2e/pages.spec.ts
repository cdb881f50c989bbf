import { expectNoViolations } from "./fixtures/axe.ts";
import { listen } from "./fixtures/complaints.ts";
import { cutOff } from "./fixtures/cut-off.ts";
import { expectBothThemes } from "./fixtures/looks.ts";
import { expect, test } from "./fixtures/seeded-test.ts";
import { show, views } from "./fixtures/views.ts";

// A browser reports the page that is not there.
test.use({ tolerates: [/\/nowhere\)$/], sharesCache: true });

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** A small notebook, a window of 1280 px at 200% zoom, and a phone. */
const windows = [{ width: 1024, height: 768 }, { width: 640, height: 360 }, phone];
const phoneBarHeight = 64;

for (const view of views.filter(({ open }) => !open))
  test(`${view.name} keeps WCAG 2.2 AA in light and dark and on a phone, and is whole at 1024, 640 and 390 px`, async ({
    signedIn,
    signedOut,
  }) => {
    const options = { colorScheme: "light", viewport: desktop } as const;
    const page = view.isPublic ? await signedOut(options) : await signedIn("admin", options);
    await show(page, view);
    await expectBothThemes(page);
    for (const size of windows) {
      await page.setViewportSize(size);
      await expect.poll(() => cutOff(page), { message: `at ${size.width} px` }).toEqual([]);
      // Only a page inside has a header.
      if (view.isPublic || view.name === "not-found") continue;
      const bar = await page.locator("header").first().boundingBox();
      expect(bar?.height).toBeLessThanOrEqual(phoneBarHeight);
    }
    await expectNoViolations(page);
  });

for (const view of views.filter(({ open, isForPhones }) => open && !isForPhones))
  test(`${view.name} keeps WCAG 2.2 AA in light and dark`, async ({ signedIn }) => {
    const page = await signedIn("admin", { colorScheme: "light", viewport: desktop });
    await show(page, view);
    await expectBothThemes(page);
  });

for (const view of views.filter(({ open }) => open))
  test(`${view.name} keeps WCAG 2.2 AA on a phone, and never scrolls sideways`, async ({ signedIn }) => {
    const page = await signedIn("admin", { viewport: phone, hasTouch: true });
    await show(page, view);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(phone.width);
    await expectNoViolations(page);
  });

test("what is cut off is found", async ({ signedIn }) => {
  const page = await signedIn("admin", { viewport: phone });
  await page.goto("/settings/account");
  await expect.poll(() => cutOff(page)).toEqual([]);
  await page.evaluate(() => {
    const html =
      '<p style="width: 500px">wide</p><div style="overflow: auto"><p style="width: 900px">scrolls</p></div>';
    document.querySelector("main")?.insertAdjacentHTML("beforeend", html);
  });
  expect(await cutOff(page)).toEqual(["the page is 516 px wide", 'P "wide" ends at 516']);
});

test("what these tests look for is found", async ({ browser, sluice }) => {
  const page = await browser.newPage({ baseURL: sluice.url });
  const complaints: string[] = [];
  listen(page, complaints, [/tolerated/]);
  await page.goto("/signin");
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      "beforeend",
      `<style>p { top: 0 }</style>
       <div style="position: fixed; inset: 0; z-index: 99; background: #fff; line-height: 0">
         <p style="color: #bbb; line-height: 20px">faint</p>
         ${["a", "b"].map((name) => `<button aria-label="${name}" style="width: 9px; height: 9px"></button>`).join("")}
       </div>`,
    );
    console.error("this is tolerated");
    console.error("this is not");
    setTimeout(() => {
      throw new Error("thrown by a page");
    });
  });
  await expect.poll(() => complaints.length).toBe(3);
  expect(complaints.join("\n")).toMatch(/content security policy[\s\S]*this is not[\s\S]*thrown by a page/i);
  await expect(expectNoViolations(page)).rejects.toThrow(/color-contrast[\s\S]*target-size/);
  await page.close();
});
