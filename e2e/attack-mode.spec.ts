import { writePolicy } from "@/lib/enforce/policy/stored.ts";
import { readPolicy } from "@/lib/enforce/policy/versions.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { cutOff } from "./fixtures/cut-off.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

test("an admin prepares attack mode, staff switch it on for an hour, every page counts down, and it is over on time", async ({
  signedIn,
  sluice: { redis },
}) => {
  const control = connectControl(redis.url, "patiently");
  const admin = await signedIn("admin");
  await admin.goto("/policy");
  const card = admin.getByRole("region", { name: "Attack mode" });
  await expect(card.getByRole("row", { name: /^req\/ip\/1/ })).toContainText("300 per 5 min");
  await card.getByRole("button", { name: "Set all" }).click();
  const limit = card.getByRole("textbox", { name: "Limit of attack/ip per 5 min" });
  await expect(limit).toHaveValue("150");
  await limit.fill("many");
  await expect(card.getByRole("alert")).toContainText("Write a whole number");
  await limit.fill("60");
  await expect(card.getByRole("row", { name: /^req\/ip\/1/ })).toContainText("20%");
  await card.getByRole("button", { name: "Add attack rule" }).click();
  await admin.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).fill("attack/login");
  await admin.getByRole("button", { name: "Done" }).click();
  await expectNoViolations(admin);
  await admin.getByRole("button", { name: /^Publish v/ }).click();
  const publishing = admin.getByRole("dialog");
  await expect(publishing).toContainText("Attack rule attack/ip, limits: 30 per 1 min → 60 per 5 min.");
  await publishing.getByRole("textbox", { name: "Reason" }).fill("a quiet day");
  await publishing.getByRole("button", { name: /^Publish v/ }).click();
  await expect
    .poll(async () => (await readPolicy(control)).policy.attack?.rules.map(({ name }) => name))
    .toEqual(["attack/ip", "attack/req/ip/2", "attack/login"]);

  const page = await signedIn("staff");
  await page.goto("/audit");
  await page.getByRole("button", { name: /^Mode: / }).click();
  await page.getByRole("button", { name: "Attack mode…" }).click();
  const dialog = page.getByRole("dialog", { name: "Attack mode" });
  await expect(dialog.getByText(/^attack\/ip: 60 per 5 min/)).toBeVisible();
  await expectNoViolations(page);
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => cutOff(page)).toEqual([]);
    await expectBothThemes(page);
  }
  await dialog.getByRole("textbox", { name: "Reason" }).fill("a crowd tries passwords");
  await dialog.getByRole("button", { name: "Switch attack mode on" }).click();
  await dialog.getByRole("button", { name: "Undo" }).click();
  const banner = page.getByText(/^Attack mode is on for all apps until \d\d:\d\d UTC: (1 h|59 min) left/);
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await expect(banner).toBeHidden();
  await page.goto("/audit");
  await page.getByRole("button", { name: /^Mode: / }).click();
  await page.getByRole("button", { name: "Attack mode…" }).click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("a crowd tries passwords");
  await dialog.getByRole("button", { name: "Switch attack mode on" }).click();
  await dialog.getByText("Close", { exact: true }).click();
  await expect(banner).toBeVisible();
  await expect(page.getByText("a crowd tries passwords").first()).toBeVisible();
  await expectNoViolations(page);
  await page.goto("/");
  await expect(banner).toBeVisible();

  const { hasEnded: _, timed, ...stored } = await readPolicy(control);
  const attack = timed?.attack && { ...timed.attack, untilMs: Date.now() + 2_000 };
  const text = writePolicy({ at: "", by: "", ...stored, timed: { ends: [], ...(attack && { attack }) } });
  await redis.client.set(keys.policy(), text);
  await expect(banner).toBeHidden({ timeout: 15_000 });
  // A console publishes what has ended as a version.
  await expect.poll(async () => (await readPolicy(control)).by, { timeout: 15_000 }).toBe("schedule");
  control.disconnect();
});

test("a viewer reads that attack mode is on, and cannot switch it", async ({
  signedIn,
  sluice: { redis },
}) => {
  const control = connectControl(redis.url, "patiently");
  const { hasEnded: _, ...stored } = await readPolicy(control);
  const attack = {
    sinceMs: Date.now(),
    untilMs: Date.now() + 3_600_000,
    by: "ada@example.org",
    reason: "bots",
  };
  await redis.client.set(
    keys.policy(),
    writePolicy({ at: "", by: "", ...stored, version: stored.version + 1, timed: { ends: [], attack } }),
  );
  const page = await signedIn("viewer");
  await page.goto("/blocklist");
  await expect(page.getByText(/^Attack mode is on for all apps/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Change or end" })).toHaveCount(0);
  await page.getByRole("button", { name: /^Mode: / }).click();
  await expect(page.getByRole("button", { name: "Attack mode…" })).toHaveCount(0);
  await page.getByRole("alertdialog").getByRole("button", { name: "Ask staff…" }).click();
  const asking = page.getByRole("dialog", { name: "Ask staff" });
  await expect(asking.getByLabel("About")).toHaveValue("the mode, now enforce, or attack mode, now on");
  await expectNoViolations(page);
  await page.goto("/policy");
  await expect(page.getByRole("region", { name: "Attack mode" }).getByRole("textbox")).toHaveCount(0);
  await expect(page.getByText("Read-only", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Ask staff…" })).not.toHaveCount(0);
  await redis.client.del(keys.policy());
  control.disconnect();
});
