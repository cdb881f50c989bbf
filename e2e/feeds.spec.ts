import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { PackedRanges } from "@/lib/ip/packed-ranges.ts";
import { blockOf, isCanonical } from "@/lib/ip/parse.ts";
import { removeFeed } from "@/lib/manage/feeds/change-feed.ts";
import { readFeeds, requireFeed } from "@/lib/manage/feeds/definition.ts";
import { contentsOf, factsOf } from "@/lib/manage/feeds/feed-contents.ts";
import { newState, readStates, writeState } from "@/lib/manage/feeds/feed-state.ts";
import type { Connection } from "@/lib/redis/connect.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectAtEveryWidth } from "./fixtures/looks.ts";

const source = `file://${fileURLToPath(new URL("fixtures/scanners.txt", import.meta.url))}`;

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice }) => {
  const { redis } = sluice.as("admin");
  for (const { id } of await readFeeds(redis)) await removeFeed(sluice.as("admin"), { id, reason: "a test" });
});

test("an admin sees what a feed would do, adds it in shadow, enforces, pauses and removes it", async ({
  signedIn,
  sluice,
}) => {
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const page = await signedIn("admin");
    await page.goto("/feeds");
    await expect(page.getByText("No feeds yet")).toBeVisible();
    await page.getByRole("button", { name: "Add feed" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add feed" });
    await dialog.getByLabel("Source").fill(source);
    await dialog.getByLabel("Name").fill("Scanner list");
    const effect = dialog.getByRole("region", { name: "What this feed does" });
    await expect(effect).toContainText("1 wider than /24 or /48, left out until you confirm");
    await expect(effect).toContainText("1 line");
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Add 2 ranges in shadow" }).click();
    await expect(dialog).toHaveCount(0);
    const feed = page
      .getByRole("list", { name: "Feeds" })
      .getByRole("listitem")
      .filter({ hasText: "Scanner list" });
    await expect(feed).toContainText("Blocklist, shadow");
    await expect(feed).toContainText("In sync");
    await expect(feed).toContainText("Left out: 1 range wider than /24");
    expect((await guard.check({ ip: "203.0.113.201" })).outcome).toBe("pass");

    const choose = async (name: string | RegExp) => {
      await feed.getByRole("button", { name: "More for Scanner list" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Enforce");
    await expect(feed).not.toContainText("shadow");
    await takeBack(page, "Scanner list is enforced");
    await expect(feed).toContainText("Blocklist, shadow");
    await choose("Enforce");
    await expect(feed).not.toContainText("shadow");
    await expect
      .poll(async () => (await guard.check({ ip: "203.0.113.201" })).rule)
      .toBe("feed:scanner-list");
    await page.goto("/clients/203.0.113.201");
    await expect(page.getByText("The blocklist feed scanner-list has it").first()).toBeVisible();
    await page.goto("/feeds");
    await choose("Edit…");
    const edit = page.getByRole("dialog", { name: "Edit Scanner list" });
    await edit.getByLabel("Refresh every").selectOption("6 h");
    await edit.getByLabel("Also write blocklist: keys").selectOption("for 1 d");
    await expectNoViolations(page);
    await edit.getByRole("button", { name: "Save" }).click();
    await expect(edit).toHaveCount(0);
    await expect(feed).toContainText("Also written as 2 blocklist: keys.");
    await page.goto("/blocklist");
    await expect(page.getByRole("heading", { name: "Blocklist" })).toBeVisible();
    await expect(page.getByText("203.0.113.201")).toHaveCount(0);
    await page.goto("/feeds");
    await choose("Pause");
    await expect(feed).toContainText("Paused");
    await expect.poll(async () => (await guard.check({ ip: "203.0.113.201" })).outcome).toBe("pass");
    await choose("Remove…");
    await page.getByRole("button", { name: "Remove Scanner list" }).click();
    await expect(page.getByText("No feeds yet")).toBeVisible();
  } finally {
    await guard.close();
  }
});

test("an admin sees what a held refresh would change, and accepts it", async ({ signedIn, sluice }) => {
  const page = await signedIn("admin");
  await page.goto("/feeds");
  await add(page);
  const feed = page.getByRole("list", { name: "Feeds" }).getByRole("listitem");
  await expect(feed).toContainText("In sync");
  await takeBack(page, "Feed Scanner list added");
  await expect(page.getByText("No feeds yet")).toBeVisible();
  await add(page);
  await expect(feed).toContainText("In sync");
  await hold(sluice.as("admin").redis, ["203.0.113.201", "198.18.0.0/24", "198.18.2.0/25", "2001:db8::1"]);
  await expect(feed).toContainText("Waiting for review");
  await feed.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: "New contents of Scanner list" });
  await expect(dialog.getByRole("region", { name: "Added" })).toContainText(/Added: 3.*198\.18\.0\.0\/24/);
  await expect(dialog.getByRole("region", { name: "Removed" })).toContainText(/Removed: 1.*203\.0\.113\.203/);
  await expect(dialog).toContainText("No client of the last hour is in these ranges");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Accept 4 ranges" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(feed).toContainText("In sync");
  await takeBack(page, "Scanner list: 4 ranges are in force");
  await expect(feed).toContainText("+2");
});

async function add(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add feed" }).first().click();
  await page.getByLabel("Source").fill(source);
  await page.getByLabel("Name").fill("Scanner list");
  await page.getByRole("button", { name: /^Add 2 ranges/ }).click();
}

/** By the notice of a change: others may be visible beside it. */
async function takeBack(page: Page, title: string): Promise<void> {
  const notice = page.getByRole("region", { name: /^Notices/ }).getByRole("listitem");
  await notice.filter({ hasText: title }).getByRole("button", { name: "Undo" }).click();
}

/** New contents of the feed wait for a decision. */
async function hold(redis: Connection, ranges: readonly string[]): Promise<void> {
  const id = "scanner-list";
  const after = PackedRanges.of(ranges.filter(isCanonical).map(blockOf));
  const { contents } = await requireFeed(redis, id);
  const before = await contentsOf(redis, id, contents?.digest);
  const { facts, bytes } = await factsOf(after, before, Date.now());
  await redis.set(keys.feedContents(id, facts.digest), Buffer.from(bytes));
  const state = (await readStates(redis)).get(id) ?? newState;
  const held = { contents: facts, percent: 150, widest: null };
  expect(await writeState(redis, id, { ...state, held }, () => true)).toBe(true);
}

const sizes = [
  // 1280 px at 200% zoom.
  { width: 640, height: 400 },
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
];

test("a viewer reads the feeds at every width, in both themes, and can change none", async ({ signedIn }) => {
  const admin = await signedIn("admin");
  await admin.goto("/feeds");
  await add(admin);
  await expect(admin.getByRole("list", { name: "Feeds" })).toContainText("In sync");
  const page = await signedIn("viewer");
  await page.goto("/feeds");
  await expect(page.getByRole("list", { name: "Feeds" })).toContainText("Scanner list");
  await expect(page.getByRole("button", { name: /Add feed|More for|Refresh all/ })).toHaveCount(0);
  await expectAtEveryWidth(page, "feeds", sizes);
});
