import { expect, test } from "./fixtures/console-test.ts";
import { people } from "./fixtures/people.ts";
import { roomInWindow } from "./fixtures/window.ts";

/** Where pages come from in which nobody is signed in yet. */
const own = "198.51.100.99";
const offenders = Array.from({ length: 10 }, (_, i) => `203.0.113.${10 + i}`);

test("on call for the first time: sign in, paste twelve, see what would happen, block ten for a week, and each is stopped", async ({
  signedOut,
  sluice,
  shop,
}) => {
  const { client } = sluice.redis;
  await client.set(
    "safelist:198.51.100.192/26",
    JSON.stringify({ reason: "college campus", by: "support@example.org" }),
  );
  for (const address of offenders) expect(await shop.status(address)).toBe(200);

  const page = await signedOut();
  await sluice.signIn(page, people.staff);
  await page
    .getByRole("link", { name: /Blocklist/ })
    .first()
    .click();
  const lines = page.getByLabel("Paste anything");
  await lines.fill([...offenders, "198.51.100.201", own].join("\n"));
  const composer = page.getByRole("region", { name: "Add to the blocklist" });
  await expect(composer.getByText("10 will be added")).toBeVisible();
  await expect(composer.getByText("college campus")).toBeVisible();
  await expect(composer.getByText(/your own address/).first()).toBeVisible();
  await page.getByLabel("Reason").fill("credential stuffing");
  await page.getByRole("button", { name: /^Block 10 for 1 week/ }).click();

  await expect(page.getByText(/Applied on (\d+) of \1 nodes in [\d.]+ m?s/).first()).toBeVisible();
  for (const address of offenders) expect(await shop.status(address)).toBe(403);
  expect(await shop.status("198.51.100.201")).toBe(200);
  expect(await client.ttl(`blocklist:${offenders[0]}`)).toBeGreaterThan(604_700);
  await expect(page.getByRole("row", { name: new RegExp(offenders[0] ?? "") })).toContainText(
    "credential stuffing",
  );
});

test("a block is taken back within ten seconds, and both are on record", async ({
  signedIn,
  sluice,
  shop,
}) => {
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  await page.getByLabel("Paste anything").fill("203.0.113.77");
  await page.getByLabel("Reason").fill("a mistake");
  await page.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
  await expect.poll(() => shop.status("203.0.113.77")).toBe(403);
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(() => shop.status("203.0.113.77")).toBe(200);
  expect(await sluice.redis.client.exists("blocklist:203.0.113.77")).toBe(0);
  await page.goto("/audit");
  await expect(page.getByText("a mistake").first()).toBeVisible();
  await expect(
    page
      .getByText(/undid record/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
});

test("support moves customer 1042 from Free to Pro, and the next request passes", async ({
  signedIn,
  sluice,
  shop,
}) => {
  const { client } = sluice.redis;
  await roomInWindow(3_600, 40);
  await client.set("customer:1042:tier_redis", "free");
  const ask = () => shop.visit("203.0.113.200", { "x-signed-in-as": "1042" });
  await expect.poll(async () => (await ask()).headers.get("ratelimit-policy")).toContain("q=100;w=3600");
  const some = async () =>
    (await Promise.all(Array.from({ length: 25 }, ask))).some(({ status }) => status === 429);
  await expect.poll(some, { timeout: 30_000, intervals: [5] }).toBe(true);

  const page = await signedIn("support");
  await page.goto("/customers");
  await page.keyboard.press("/");
  await page.keyboard.type("1042");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/customers\/1042/);
  await expect(page.getByText(/Throttled/).first()).toBeVisible();
  await page.getByRole("radio", { name: /Pro/ }).click();
  await page.getByLabel("Reason").fill("upgraded by phone");
  await page.getByRole("button", { name: /^Move customer 1042 to Pro/ }).click();
  const last = page.locator("section", { has: page.getByRole("heading", { name: "Last change" }) });
  await expect(last).toContainText("upgraded by phone");
  await expect(last).toContainText(/Applied on (\d+) of \1 nodes/);
  expect((await ask()).status).toBe(200);
  expect(await client.get("customer:1042:tier_redis")).toBe("pro");

  await page.getByRole("radio", { name: /^Enterprise/ }).click();
  await page.getByLabel("In Enterprise").selectOption({ label: "Until tomorrow, 18:00 UTC" });
  await page.getByLabel("Reason").fill("a launch");
  await page.getByRole("button", { name: /^Move customer 1042 to Enterprise until .*, 18:00/ }).click();
  await expect(page.getByText(/^Enterprise until .*, 18:00 UTC, then Pro$/)).toBeVisible();
  await expect(last).toContainText("a launch");
  expect(await client.get("customer:1042:tier_end")).toContain('"back":"pro"');
  await page.getByLabel("In Enterprise").selectOption({ label: "Permanently" });
  await page.getByLabel("Reason").fill("they stay");
  await page.getByRole("button", { name: "Keep customer 1042 in Enterprise permanently" }).click();
  await expect(last).toContainText("they stay");
  expect(await client.exists("customer:1042:tier_end")).toBe(0);
});

test("an entry ends by itself, in the table and in the app", async ({ signedIn, sluice, shop }) => {
  const page = await signedIn("viewer");
  await page.goto("/blocklist?q=203.0.113.88");
  await sluice.redis.client.set("blocklist:203.0.113.88", "short", "PX", 15_000);
  const row = page.getByRole("row", { name: /203\.0\.113\.88/ });
  await expect(row).toBeVisible();
  expect(await shop.status("203.0.113.88")).toBe(403);
  await expect.poll(() => shop.status("203.0.113.88"), { timeout: 25_000 }).toBe(200);
  await expect(row).toHaveCount(0, { timeout: 15_000 });
});

test("hostile text is shown as text, wherever it came from", async ({ signedIn, sluice }) => {
  const evil = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>\u202egnp.exe\u0000\u001b[31m${"A".repeat(10_000)}`;
  const { client } = sluice.redis;
  await client.set(
    "blocklist:203.0.113.99",
    JSON.stringify({ reason: evil, by: evil, via: evil, at: "2026-01-01" }),
  );
  await client.set("customer:evil:tier_redis", evil);
  await client.set("blocklist:<b>no address</b>", evil);
  const page = await signedIn("admin");
  for (const path of [
    "/blocklist",
    "/blocklist?q=203.0.113.99",
    "/customers",
    "/customers/evil",
    "/audit",
    "/",
    "/clients/203.0.113.99",
    "/settings",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(await page.evaluate(() => "hurt" in window), path).toBe(false);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
    expect(await page.locator("main").innerText(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  }
  await client.del("blocklist:203.0.113.99", "customer:evil:tier_redis", "blocklist:<b>no address</b>");
});
