import type { Page } from "@playwright/test";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { rollBackTo } from "@/lib/manage/policy/roll-back.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { cutOff } from "./fixtures/cut-off.ts";
import { expectBothThemes } from "./fixtures/looks.ts";
import { savePolicy } from "./fixtures/policy.ts";

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice }) => {
  await rollBackTo(sluice.as("admin"), { version: 0, reason: "a test" });
});

const bot = { ip: "203.0.113.231", path: "/", headers: { "user-agent": "Acme-Bot/1.0" } };

test("an admin denies a bot in shadow, sees what it would deny, enforces it and puts an exemption before it", async ({
  signedIn,
  sluice,
}) => {
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const page = await signedIn("admin");
    await page.goto("/policy");
    const card = page.getByRole("region", { name: "Deny and exempt" });
    await expect(card).toContainText("No request is denied or exempt for what it is");
    await card.getByRole("button", { name: "Add deny or exempt" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByLabel("Name", { exact: true }).fill("no-bots");
    await sheet.getByLabel("Scanners").click();
    await expect(sheet).toContainText("Name what the rule matches");
    await sheet.getByLabel("User agents").fill("acme-bot");
    await expect(sheet).toContainText("Denies with 403: user agents with acme-bot.");
    await expectNoViolations(page);
    await sheet.getByRole("button", { name: "Done" }).click();
    await publish(page);
    await expect
      .poll(async () => (await guard.check(bot)).shadowed, { message: "the rule is in shadow" })
      .toEqual(["no-bots"]);

    const row = card.getByRole("row", { name: /no-bots/ });
    await expect(row.getByRole("cell").nth(4)).toHaveText(/^[1-9]\d*$/, { timeout: 15_000 });
    await row.getByRole("radio", { name: "Enforce" }).click();
    const asking = page.getByRole("alertdialog");
    await expect(asking).toContainText("would have denied");
    await asking.getByRole("button", { name: /^Enforce in the draft, block 1 client/ }).click();

    await card.getByRole("button", { name: "Add deny or exempt" }).click();
    await sheet.getByLabel("Name", { exact: true }).fill("health");
    await sheet.getByRole("combobox", { name: "Action" }).click();
    await page.getByRole("option", { name: "Exempt from all limits" }).click();
    await sheet.getByLabel("Scanners").click();
    await sheet.getByLabel("Only paths", { exact: true }).fill("/health");
    await expect(sheet).toContainText("Exempts from all limits: only /health.");
    await sheet.getByRole("button", { name: "Done" }).click();
    await card.getByRole("button", { name: "Move health up" }).click();
    await expect(card.getByRole("button", { name: "Move health up" })).toBeFocused();
    await card
      .getByRole("row", { name: /health/ })
      .getByRole("radio", { name: "Enforce" })
      .click();
    await publish(page);

    await expect.poll(async () => (await guard.check(bot)).rule).toBe("no-bots");
    expect(await guard.check(bot)).toMatchObject({ outcome: "blocked", status: 403 });
    expect(await guard.check({ ...bot, path: "/health" })).toMatchObject({ outcome: "pass", rule: "health" });

    await card.getByRole("button", { name: "Actions for no-bots" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await publish(page);
    await expect.poll(async () => (await guard.check(bot)).outcome).toBe("pass");
  } finally {
    await guard.close();
  }
});

async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Publish v/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Publish v/ });
  await dialog.getByLabel("Reason").fill("a test");
  await dialog.getByRole("button", { name: /^Publish v/ }).click();
  await expect(dialog).toHaveCount(0);
}

for (const size of [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
])
  test(`a viewer reads the rules at ${size.width} px, in both themes, and changes none`, async ({
    signedIn,
    sluice,
  }) => {
    await savePolicy(sluice.as("admin").redis, {
      requestRules: [
        { name: "health", action: "exempt", match: { only: ["/health"] } },
        {
          name: "no-bots",
          action: "deny",
          match: { tools: ["scanners", "ai-crawlers"], exceptCountries: ["DE", "AT", "CH"] },
          mode: "shadow",
        },
      ],
    });
    const page = await signedIn("viewer", { viewport: size });
    await page.goto("/policy");
    const card = page.getByRole("region", { name: "Deny and exempt" });
    await expect(card).toContainText("known tools: scanners, ai-crawlers; not countries DE, AT, CH");
    await expect(card.getByRole("button", { name: /Add|Move/ })).toHaveCount(0);
    await expect.poll(() => cutOff(page)).toEqual([]);
    await expectBothThemes(page);
    await page.goto("/policy?rule=no-bots");
    await expect(page.getByRole("dialog", { name: "Rule no-bots" })).toContainText("Denies with 403");
  });
