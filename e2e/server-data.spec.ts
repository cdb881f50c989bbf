import type { Locator, Page } from "@playwright/test";
import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { isCanonical } from "@/lib/ip/parse.ts";
import { addEntries } from "@/lib/manage/lists/add.ts";
import { removeEntries } from "@/lib/manage/lists/remove.ts";
import { expect, test } from "./fixtures/seeded-test.ts";

// A test keeps scripts from the browser.
test.use({ tolerates: [/ERR_FAILED/] });

const offender = "198.18.45.9";
const firstRows: readonly (readonly [path: string, table: string, row: string])[] = [
  ["/blocklist", "Blocklist", "198.51.100.77"],
  ["/safelist", "Safelist", "203.0.113.201"],
  ["/offenders", "Offenders", offender],
  ["/customers", "Customers", "acme"],
];

/** A page of a browser that runs no JavaScript, with the session of one that does. */
async function withoutJavaScript(signedIn: Page): Promise<Page> {
  const storageState = await signedIn.context().storageState();
  const browser = signedIn.context().browser();
  if (!browser) throw new Error("The browser is closed");
  const baseURL = new URL(signedIn.url()).origin;
  const context = await browser.newContext({ storageState, baseURL, javaScriptEnabled: false });
  return context.newPage();
}

/** Loads the page until it has this: a page waits 300 ms for its data, and a busy machine may take longer. */
async function loadWith(page: Page, path: string, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(path, { waitUntil: "load" });
    await expect(wanted.first(), path).toBeAttached({ timeout: 1_000 });
  }).toPass();
}

/** Waits until the console counts a request of the offender. */
async function offend(page: Page, guard: Guard): Promise<void> {
  await guard.ready();
  await expect
    .poll(async () => {
      await guard.check({ ip: offender, path: "/", method: "GET" });
      return (await page.request.get("/api/offenders?most=50")).text();
    })
    .toContain(offender);
}

test("without JavaScript the first rows are in the HTML", async ({ signedIn, sluice: { redis } }) => {
  const user = await signedIn("viewer");
  await user.goto("/");
  const guard = createGuard({ redis: redis.url, app: "api", log: () => {} });
  await offend(user, guard);
  await guard.close();
  const page = await withoutJavaScript(user);
  for (const [path, table, row] of firstRows) {
    // The page arrives behind its frame, in a part that a script moves into its place.
    const rows = page.locator(`table[aria-label="${table}"] tbody tr`);
    await loadWith(page, path, rows.filter({ hasText: row }));
  }
  await loadWith(page, "/policy", page.locator("main, [hidden]").filter({ hasText: "req/ip" }));
  await loadWith(page, "/audit", page.locator("section, li").filter({ hasText: "Leaked API key in use" }));
  await page.context().close();
});

test("before its scripts arrive, a phone shows lists as cards that fit its window", async ({ signedIn }) => {
  const page = await signedIn("admin", { viewport: { width: 390, height: 844 }, hasTouch: true });
  // Scripts within the HTML still run: they move what arrives late into its place.
  await page.route("**/_next/static/**/*.js*", (route) => route.abort());
  for (const [path, list] of [
    ["/blocklist", "Blocklist"],
    ["/safelist", "Safelist"],
    ["/policy", "Rules"],
  ] as const) {
    const cards = page.getByRole("list", { name: list }).getByRole("listitem");
    await loadWith(page, path, cards.filter({ has: page.getByRole("button") }));
    await expect(page.getByRole("table", { name: list }), path).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
  }
});

/** The read that a page polls, and how often. */
const polls: readonly (readonly [path: string, read: string, everyMs: number])[] = [
  ["/blocklist", "/api/lists/blocklist", 4_000],
  ["/customers", "/api/customers", 3_000],
  ["/customers/2210", "/api/customers/2210", 2_000],
  ["/policy", "/api/policy", 5_000],
];

/** When the page first read this. */
function firstReadMs(path: string): number | undefined {
  const reads = performance.getEntriesByType("resource");
  return reads.find(({ name }) => new URL(name).pathname === path)?.startTime;
}

test("data that came with the page is first read again by its poll", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  for (const [path, read, everyMs] of polls) {
    // Data that came too late for the page is read at once.
    await expect(async () => {
      await page.goto(path);
      const begun = await page.waitForFunction(firstReadMs, read);
      expect(await begun.jsonValue(), path).toBeGreaterThanOrEqual(everyMs);
    }).toPass();
  }
});

test("a link leads a phone to the row it names", async ({ signedIn, sluice }) => {
  const addresses = Array.from({ length: 250 }, (_, i) => `198.18.46.${i}`).filter(isCanonical);
  const those = { list: "blocklist", addresses, reason: "a long list" } as const;
  await addEntries(sluice.as("admin"), { ...those, ttlMs: null });
  const page = await signedIn("admin", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const matching = async () => (await (await page.request.get("/api/lists/blocklist")).json()).matching;
  await expect.poll(matching).toBeGreaterThanOrEqual(addresses.length);
  await page.goto("/blocklist?sort=address&offset=200");
  const cards = page.getByRole("list", { name: "Blocklist" });
  await expect(cards.locator("[aria-posinset='201']")).toBeInViewport();
  await removeEntries(sluice.as("admin"), those);
});

test("what is typed before the page's code has come is kept", async ({ signedIn }) => {
  const page = await signedIn("staff");
  let come = () => {};
  const comes = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await comes;
    await route.continue();
  });
  await page.goto("/blocklist", { waitUntil: "commit" });
  await page.getByLabel("Paste anything").fill("203.0.113.63");
  await page.getByLabel("Reason").fill("typed early");
  come();
  await expect(page.getByRole("button", { name: /^Block 1 for 1 week/ })).toBeEnabled();
  await expect(page.getByLabel("Reason")).toHaveValue("typed early");
  await page.unrouteAll({ behavior: "wait" });
});
