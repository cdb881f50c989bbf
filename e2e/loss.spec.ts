import type { Page } from "@playwright/test";
import { type Cidr, type Ip, isCanonical } from "@/lib/ip/parse.ts";
import { addEntries } from "@/lib/manage/lists/add.ts";
import { protectRange } from "@/lib/manage/lists/never-block.ts";
import { keys, type ListName } from "@/lib/redis/keys.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { test as base, expect } from "./fixtures/console-test.ts";
import { invitePeople } from "./fixtures/people.ts";

const hourMs = 3_600_000;
const at = (text: string): Ip | Cidr => {
  if (!isCanonical(text)) throw new Error(text);
  return text;
};

// Redis goes away, and with it every session.
const test = base.extend<{ lose(): Promise<void> }>({
  tolerates: [/status of (401|503)/],
  /** Fills the lists, lets the console read them, and brings Redis back with nothing; somebody on the host adds the users again. */
  lose: async ({ sluice, signedIn }, use) => {
    await use(async () => {
      const admin = sluice.as("admin");
      const add = (list: ListName, texts: string[], ttlMs: number | null) =>
        addEntries(admin, { list, addresses: texts.map(at), reason: "Card testing", ttlMs });
      await sluice.redis.client.flushall();
      await invitePeople(sluice.redis.client);
      await protectRange(admin, { range: at("192.0.2.0/26"), reason: "Office" });
      await add("safelist", ["198.51.100.192/26", "2001:db8:5::/64"], null);
      await add("blocklist", ["203.0.113.9", "203.0.113.10"], 100 * hourMs);
      await add("blocklist", ["203.0.113.0/28"], null);
      const page = await signedIn("viewer");
      await expect.poll(() => total(page, "blocklist")).toBe(3);
      await expect.poll(() => total(page, "safelist")).toBe(2);
      await sluice.redis.restartEmpty();
      await invitePeople(sluice.redis.client);
      await expect.poll(() => total(page, "blocklist")).toBe(401);
    });
  },
});

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice }) => {
  const { client } = sluice.redis;
  await client.del(keys.neverBlock(), ...(await client.keys("*list:*")));
});

/** How many entries the console knows, or with which status it refuses to say. */
async function total(page: Page, list: ListName): Promise<number> {
  const answer = await page.request.get(`/api/lists/${list}`);
  return answer.ok() ? (await answer.json()).total : answer.status();
}

const banner = (page: Page) => page.getByRole("alert").filter({ hasText: "Redis came back empty at" });

test("Redis comes back empty: an admin restores both lists, and everybody sees that they are back", async ({
  lose,
  signedIn,
  sluice,
}) => {
  await lose();
  const viewer = await signedIn("viewer");
  await viewer.goto("/customers");
  await expect(banner(viewer)).toContainText("The console still holds 3 blocked and 2 safelisted addresses.");
  await expect(banner(viewer)).toContainText("An admin can restore them.");
  await expect(banner(viewer).getByRole("button")).toHaveCount(0);

  const admin = await signedIn("admin");
  await admin.goto("/");
  await banner(admin).getByRole("button", { name: "Restore…" }).click();
  const dialog = admin.getByRole("alertdialog", { name: "Restore both lists?" });
  await expect(dialog).toContainText("Entries that have expired since are not restored.");
  await expectNoViolations(admin);
  expect(await sluice.redis.client.keys("*list:*")).toEqual([]);
  await dialog.getByLabel("Reason").fill("The disk was new");
  await dialog.getByRole("button", { name: "Restore 5 entries" }).click();
  await expect(admin.getByRole("alertdialog", { name: "The lists are restored" })).toContainText(
    "5 entries restored.",
  );
  await expectNoViolations(admin);
  await admin.getByRole("button", { name: "Close" }).first().click();

  await expect(banner(admin)).toHaveCount(0);
  await expect(banner(viewer)).toHaveCount(0, { timeout: 10_000 });
  const { client } = sluice.redis;
  expect((await client.keys("*list:*")).sort()).toEqual([
    "blocklist:203.0.113.0/28",
    "blocklist:203.0.113.10",
    "blocklist:203.0.113.9",
    "safelist:198.51.100.192/26",
    "safelist:2001:db8:5::/64",
  ]);
  const left = await client.pttl("blocklist:203.0.113.9");
  expect(left).toBeGreaterThan(99 * hourMs);
  expect(left).toBeLessThan(100 * hourMs);
  expect(await client.pttl("blocklist:203.0.113.0/28")).toBe(-1);
  expect(await client.hkeys(keys.neverBlock())).toEqual(["192.0.2.0/26"]);
  expect(await client.get("blocklist:203.0.113.9")).toContain("Card testing");
});

test("an admin may leave the lists empty, and then nothing is offered any more", async ({
  lose,
  signedIn,
  sluice,
}) => {
  await lose();
  const page = await signedIn("admin");
  await page.goto("/settings");
  await banner(page).getByRole("button", { name: "Leave the lists empty" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave the lists empty?" });
  await expectNoViolations(page);
  await dialog.getByLabel("Reason").fill("It was a test");
  await dialog.getByRole("button", { name: "Leave the lists empty" }).click();
  await expect(banner(page)).toHaveCount(0);
  expect(await sluice.redis.client.keys("*list:*")).toEqual([]);
  const log = async () => String(await sluice.redis.client.xrevrange(keys.audit(), "+", "-", "COUNT", 5));
  await expect.poll(log).toContain("It was a test");
});
