import { writePolicy } from "@/lib/enforce/policy/stored.ts";
import { readPolicy } from "@/lib/enforce/policy/versions.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { cutOff } from "./fixtures/cut-off.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

test("staff switch attack mode on for an hour, every page counts down, and it is over on time", async ({
  signedIn,
  sluice: { redis },
}) => {
  const control = connectControl(redis.url, "patiently");
  const page = await signedIn("staff");
  await page.goto("/audit");
  await page.getByRole("button", { name: /^Mode: / }).click();
  await page.getByRole("button", { name: "Attack mode…" }).click();
  const dialog = page.getByRole("dialog", { name: "Attack mode" });
  await expect(dialog.getByText(/^attack\/ip/)).toBeVisible();
  await expectNoViolations(page);
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => cutOff(page)).toEqual([]);
    await expectBothThemes(page);
  }
  await dialog.getByRole("textbox", { name: "Reason" }).fill("a crowd tries passwords");
  await dialog.getByRole("button", { name: "Switch attack mode on" }).click();
  await dialog.getByText("Close", { exact: true }).click();
  const banner = page.getByText(/^Attack mode is on for all apps until \d\d:\d\d UTC: (1 h|59 min) left/);
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
  await redis.client.del(keys.policy());
  control.disconnect();
});
