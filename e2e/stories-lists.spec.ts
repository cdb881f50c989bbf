import { readNote } from "@/lib/enforce/lists/entry.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

const many = Array.from({ length: 30 }, (_, i) => `192.0.2.${100 + i}`);

test.beforeEach(async ({ sluice }) => {
  const entries = await sluice.redis.client.keys("*list:*");
  if (entries.length > 0) await sluice.redis.client.del(entries);
});

test("all that a search finds is extended, then removed, and the removal is undone with what was left of each life", async ({
  signedIn,
  sluice: { redis },
}) => {
  const { client } = redis;
  for (const address of many)
    await client.set(`blocklist:${address}`, "scraper of the catalogue", "EX", 7_200);
  await client.set("blocklist:203.0.113.1", "another story", "EX", 7_200);
  const page = await signedIn("staff");
  await page.goto("/blocklist?q=scraper");
  await page
    .getByRole("checkbox", { name: /^Select 192/ })
    .first()
    .check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByRole("button", { name: "Select all 30 matching" }).click();
  await bar.getByRole("button", { name: /Extend/ }).click();
  await page.getByRole("menuitem", { name: "24 hours" }).click();
  await expect
    .poll(async () => Math.min(...(await Promise.all(many.map((one) => client.ttl(`blocklist:${one}`))))))
    .toBeGreaterThan(90_000);
  expect(await client.ttl("blocklist:203.0.113.1")).toBeLessThan(7_300);

  // What was done is no longer selected.
  await expect(bar).toBeHidden();
  await page
    .getByRole("checkbox", { name: /^Select 192/ })
    .first()
    .check();
  await bar.getByRole("button", { name: "Select all 30 matching" }).click();
  await bar.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove 30" }).click();
  await expect.poll(() => client.exists(...many.map((one) => `blocklist:${one}`))).toBe(0);
  expect(await client.exists("blocklist:203.0.113.1")).toBe(1);
  // The notice of the extension may still be there.
  const removed = page.getByRole("listitem").filter({ hasText: "30 removed from the blocklist" });
  await removed.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(() => client.exists(...many.map((one) => `blocklist:${one}`))).toBe(30);
  const ttl = await client.ttl(`blocklist:${many[3]}`);
  expect(ttl).toBeGreaterThan(90_000);
  expect(ttl).toBeLessThanOrEqual(93_600);
});

test("a CSV file is looked at first, and only its good lines are written", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("admin");
  await page.goto("/blocklist");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const csv =
    "address,ttl,reason\n203.0.113.40,1h,=cmd|' /C calc'!A0\n203.0.113.41,,from the file\n300.1.1.1,,typo\n10.0.0.0/4,,too wide\n";
  await page
    .getByLabel("Drop a file here, or choose one")
    .setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("2 will be added")).toBeVisible();
  await expect(dialog.getByText(/300\.1\.1\.1/).first()).toBeVisible();
  expect(await redis.client.exists("blocklist:203.0.113.40")).toBe(0);
  await dialog.getByRole("button", { name: "Block 2" }).click();
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.40", "blocklist:203.0.113.41")).toBe(2);
  expect(await redis.client.ttl("blocklist:203.0.113.40")).toBeLessThanOrEqual(3_600);
  expect(await redis.client.exists("blocklist:10.0.0.0/4")).toBe(0);

  const exportList = async () => (await page.request.get("/api/lists/blocklist/export?facet=all")).text();
  // The console's own copy of the list follows Redis.
  await expect.poll(exportList).toContain("203.0.113.40");
  const exported = await exportList();
  for (const line of exported.split("\n")) expect(line).not.toMatch(/(^|,)"?[=+@]/);
});

test("what stands on both lists says which wins", async ({ signedIn, sluice: { redis } }) => {
  await redis.client.set(
    "safelist:198.51.100.0/26",
    JSON.stringify({ reason: "campus", by: "support@example.org" }),
  );
  await redis.client.set("blocklist:198.51.100.7", "by hand");
  const page = await signedIn("viewer");
  await page.goto("/blocklist?q=198.51.100.7");
  const row = page.getByRole("row", { name: /198\.51\.100\.7/ });
  await expect(row).toContainText(/safelist/i);
});

test("with the keyboard alone: find an address, block it, read the audit log", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff");
  await page.goto("/");
  // A shortcut is lost until the page listens to it.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type("blocklist");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/blocklist/);
  await expect(page.getByRole("heading", { name: "Blocklist", level: 1 })).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByLabel("Paste anything")).toBeFocused();
  await page.keyboard.type("203.0.113.61");
  await expect(page.getByRole("button", { name: /^Block 1 for 1 week/ })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.61")).toBe(1);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("audit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/audit/);
  await expect(page.getByText("203.0.113.61").first()).toBeVisible();
});

test("a shortcut works as soon as its page can be seen", async ({ signedIn }) => {
  const page = await signedIn("staff");
  await page.goto("/");
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector("h1")?.textContent !== "Blocklist") return;
      seen.disconnect();
      document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: "a", bubbles: true, cancelable: true }),
      );
    });
    seen.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await page.getByRole("navigation").getByRole("link", { name: "Blocklist" }).click();
  await expect(page.getByLabel("Paste anything")).toBeFocused();
});

test("on a phone: block one, and nothing has to be scrolled sideways", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff", {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    hasTouch: true,
  });
  await page.goto("/blocklist");
  await page.getByLabel("Paste anything").fill("203.0.113.62");
  await page.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
  await expect.poll(() => redis.client.exists("blocklist:203.0.113.62")).toBe(1);
  await expect(page.getByText("203.0.113.62").filter({ visible: true }).first()).toBeVisible();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test("two people edit one customer: the later is told who was faster, keeps what was typed, and decides", async ({
  signedIn,
  sluice: { redis },
}) => {
  await redis.client.set("customer:2210:tier_redis", "free");
  const [support, admin] = [await signedIn("support"), await signedIn("admin")];
  for (const page of [support, admin]) {
    await page.goto("/customers/2210");
    await expect(page.getByLabel("Reason")).toHaveCount(1);
    await page.getByLabel("Reason").fill("a phone call");
  }
  await support.getByRole("radio", { name: /Pro/ }).click();
  await admin.getByRole("radio", { name: /Enterprise/ }).click();
  await support.getByRole("button", { name: /^Move customer 2210 to Pro/ }).click();
  await expect.poll(() => redis.client.get("customer:2210:tier_redis")).toBe("pro");
  await expect(
    admin.getByText(/changed while you edit it|was changed after you opened it/).first(),
  ).toBeVisible();
  const stillTheirs = await redis.client.get("customer:2210:tier_redis");
  expect(stillTheirs).toBe("pro");
  await expect(admin.getByText("support@example.org").filter({ visible: true }).first()).toBeVisible();
  await expect(admin.getByLabel("Reason")).toHaveValue("a phone call");
});

test("entries are tagged when they are added, filtered by a tag, tagged together, and that is undone", async ({
  signedIn,
  sluice: { redis },
}) => {
  const { client } = redis;
  const tagsOf = async (address: string) => readNote((await client.get(`blocklist:${address}`)) ?? "").tags;
  await client.set("blocklist:192.0.2.200", "written by another program", "EX", 7_200);
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  await page.getByLabel("Paste anything").fill("203.0.113.1\n203.0.113.2\n");
  const composer = page.getByRole("region", { name: "Add to the blocklist" });
  await composer.getByLabel("Tags", { exact: true }).fill("Scraper no!");
  await expect(composer.getByRole("alert")).toContainText('"no!" is not a tag');
  await composer.getByLabel("Tags", { exact: true }).fill("Scraper asn:64500");
  await composer.getByRole("button", { name: /^Block 2/ }).click();
  await expect.poll(() => tagsOf("203.0.113.2")).toEqual(["asn:64500", "scraper"]);

  // The new rows have come, and move none while it is clicked.
  await expect(page.getByRole("checkbox", { name: /^Select 203/ })).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Select 192.0.2.200" }).check();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Tag" }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await dialog.getByLabel("Tags", { exact: true }).fill("asn:64500 partner");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Save tags" }).click();
  await expect.poll(() => tagsOf("192.0.2.200")).toEqual(["asn:64500", "partner"]);

  await page.getByRole("button", { name: "Tag", exact: true }).first().click();
  await page.getByRole("menuitem", { name: /^scraper/ }).click();
  await expect(page).toHaveURL(/[?&]tag=scraper/);
  await expect(page.getByRole("checkbox", { name: /^Select 192/ })).toHaveCount(0);
  await expectBothThemes(page);
  await page.getByRole("checkbox", { name: "Select the visible rows" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByRole("button", { name: "Tag" }).click();
  await dialog.getByLabel("Add tags").fill("crowd");
  await dialog.getByLabel("Remove tags").fill("scraper");
  await dialog.getByRole("button", { name: "Tag 2" }).click();
  await expect.poll(() => tagsOf("203.0.113.1")).toEqual(["asn:64500", "crowd"]);
  // Nothing has the tag of the filter any more.
  await expect(page.getByText("No entry with the tag scraper is in this filter.")).toBeVisible();
  const notice = page.getByRole("listitem").filter({ hasText: "2 tagged" });
  await notice.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(() => tagsOf("203.0.113.1")).toEqual(["asn:64500", "scraper"]);
  await expect(page.getByRole("checkbox", { name: /^Select 203/ })).toHaveCount(2);
});
