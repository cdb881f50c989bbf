import { expect, test } from "./fixtures/console-test.ts";

test.use({ tolerates: [/50[03]|Failed to (load|fetch)|net::|refused|Redis/i] });

test("Redis freezes while the console is open: said within five seconds, nothing typed is lost, and it goes on by itself", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  const lines = page.getByLabel("Paste anything");
  await lines.fill("203.0.113.70");
  await page.getByLabel("Reason").fill("typed before it froze");
  await redis.freeze();
  const frozenAt = Date.now();
  try {
    await expect(
      page
        .getByText(/Redis/)
        .filter({ visible: true })
        .filter({ hasText: /not answer|away/ })
        .first(),
    ).toBeVisible({ timeout: 5_000 });
    await expect(lines).toHaveValue("203.0.113.70");
    // A page that is opened now knows since when, too.
    const later = await page.context().newPage();
    await later.goto("/audit");
    const clock = later.getByText(/^for \d+ s$/);
    await expect(clock).toBeVisible({ timeout: 10_000 });
    const behindSeconds = async () =>
      (Date.now() - frozenAt) / 1_000 - Number(/\d+/.exec(await clock.innerText())?.[0]);
    // It counts whole seconds, once a second.
    await expect.poll(behindSeconds, { timeout: 10_000 }).toBeLessThan(2.5);
  } finally {
    await redis.thaw();
  }
  await expect(page.getByText(/Redis OK/)).toBeVisible({ timeout: 10_000 });
  await expect(page.getByLabel("Reason")).toHaveValue("typed before it froze");
  await page.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.70"), { timeout: 10_000 }).toBe(1);
});
