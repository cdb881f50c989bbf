import { expectContrast, expectNoViolations } from "./fixtures/axe.ts";
import { listen } from "./fixtures/complaints.ts";
import { expect, test } from "./fixtures/seeded-test.ts";
import { show, views } from "./fixtures/views.ts";

// A browser reports the page that is not there.
test.use({ tolerates: [/\/nowhere\)$/], sharesCache: true });

for (const view of views.filter(({ isForPhones }) => !isForPhones)) {
  test(`${view.name} keeps WCAG 2.2 AA in light and dark`, async ({ signedIn, signedOut }) => {
    const options = { colorScheme: "light", viewport: { width: 1440, height: 900 } } as const;
    const page = view.isPublic ? await signedOut(options) : await signedIn("admin", options);
    await show(page, view);
    await expectNoViolations(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectContrast(page);
  });
}

for (const view of views) {
  test(`${view.name} keeps WCAG 2.2 AA on a phone, and never scrolls sideways`, async ({
    signedIn,
    signedOut,
  }) => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const page = view.isPublic ? await signedOut(options) : await signedIn("admin", options);
    await show(page, view);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(390);
    await expectNoViolations(page);
  });
}

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
