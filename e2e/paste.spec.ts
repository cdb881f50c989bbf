import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { messyLines, messyText } from "@/lib/manage/lists/vitest.messy-paste.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";

test.beforeEach(async ({ sluice: { redis } }) => {
  const entries = await redis.client.keys("*list:*");
  if (entries.length > 0) await redis.client.del(entries);
});

test("206 lines of logs, reports and lists: all suggestions in one click, undone by Ctrl-Z, the rest edited and kept", async ({
  signedIn,
  sluice: { redis },
}) => {
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  const field = page.getByLabel("Paste anything");
  await field.fill(messyText);
  const show = page.getByRole("group", { name: "Show lines" });
  const tab = (name: string) =>
    show.getByRole("button", {
      name: new RegExp(`^${name.replace(" ", "\\s?").replace(/ (?=\d)/, "\\s?")}`),
    });
  await expect(tab("Suggestions 45")).toBeVisible();
  await expect(tab("All 206")).toBeVisible();
  await expect(tab("No address 17")).toBeVisible();
  const numbers = (await show.getByRole("button").allTextContents()).map((text) =>
    Number(/\d+$/.exec(text)?.[0]),
  );
  expect(numbers.slice(1).reduce((sum, count) => sum + count, 0)).toBe(numbers[0]);

  await page.getByRole("button", { name: "Use all 45 suggestions" }).click();
  await expect(page.getByText("45 suggestions used.")).toBeVisible();
  await expect(tab("Suggestions 0")).toBeVisible();
  await expect(field).toHaveValue(new RegExp(`^${messyLines.ports[0]}\n[^]*\n198.19.4.0/24\n`));
  await page.keyboard.press("Control+z");
  await expect(field).toHaveValue(messyText);
  await page.getByRole("button", { name: "Use all 45 suggestions" }).click();
  await expect(tab("Suggestions 0")).toBeVisible();

  // What is left can be edited, without a look at the other lines.
  await tab("No address").click();
  const typo = page.getByRole("textbox", { name: "Line 204" });
  await expect(typo).toHaveValue("203.0.113.300");
  await typo.fill("203.0.113.200");
  await expect(tab("No address 16")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download 17 lines" }).click();
  expect((await download).suggestedFilename()).toBe("blocklist-no-address.txt");

  await page.getByRole("button", { name: /^Block [\d,]+ for 1 week/ }).click();
  await expect
    .poll(() => redis.client.exists("blocklist:203.0.113.200", "blocklist:198.18.39.128/28"))
    .toBe(2);
  expect(await redis.client.exists("blocklist:192.0.2.99", "blocklist:119.0.0.0")).toBe(0);
  // The text stays as it was typed.
  await expect(field).toHaveValue(/^Hello team,\nip;note\n/);
});

test("a safelisting says that it ends a block", async ({ signedIn, sluice: { redis } }) => {
  const note = JSON.stringify({ reason: "scanner /24" });
  await redis.client.set("blocklist:203.0.113.0/24", note, "EX", 3_600);
  const page = await signedIn("staff");
  await page.goto("/safelist");
  await expect(async () => {
    await page.getByLabel("Paste anything").fill("");
    await page.getByLabel("Paste anything").fill("203.0.113.0/24");
    await expect(page.getByText("1 conflicts with the blocklist")).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(
    page.getByText("203.0.113.0/24 is on the blocklist (scanner /24): it will pass from now on."),
  ).toBeVisible();
  await expect(page.getByText(/in the last hour|of the last hour/)).toBeVisible();
});

test("an address of a customer is blocked only when it is chosen", async ({
  signedIn,
  sluice: { redis },
}) => {
  const guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
  await guard.check({ ip: "198.51.100.30", path: "/orders", customerId: "acme-paste" });
  const pairs = () => redis.client.zrange("sluice:owners:seen", "0", "-1");
  await expect.poll(pairs).toContainEqual(expect.stringMatching(/ acme-paste$/));
  const page = await signedIn("staff");
  await page.goto("/blocklist");
  const field = page.getByLabel("Paste anything");
  await field.fill("198.51.100.30 # WAF ticket 991\nclient=198.51.100.31");
  await expect(page.getByText("1 line is an address of customer acme-paste")).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
  await expect.poll(() => redis.client.exists("blocklist:198.51.100.31")).toBe(1);
  expect(await redis.client.exists("blocklist:198.51.100.30")).toBe(0);
  await expect(field).toHaveValue("198.51.100.30 # WAF ticket 991\n");
  await page.getByRole("checkbox", { name: "Also block 198.51.100.30" }).check();
  await page.getByRole("button", { name: /^Block 1 for 1 week, with customer acme-paste/ }).click();
  await expect.poll(() => redis.client.exists("blocklist:198.51.100.30")).toBe(1);
  await guard.close();
});
