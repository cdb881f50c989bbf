import type { Page } from "@playwright/test";
import { setMode } from "@/lib/manage/policy/set-mode.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";
import { ReportedApp } from "./fixtures/reports.ts";

// With counters of their own, these tests have a console that has not read the past yet.
test.use({ hasOwnCounters: true, tolerates: [/status of 503|Failed to fetch|net::/] });

const situationOf = (page: Page) => page.getByRole("region", { name: "Situation" });
const titleOf = (page: Page) => situationOf(page).getByRole("heading", { level: 2 });
const numbersOf = (page: Page) => page.getByRole("region", { name: "Requests now" });
const names = ["young", "old", "stormed", "held", "paths"] as const;
let apps: Record<(typeof names)[number], ReportedApp>;

test.beforeAll(async ({ sluice }) => {
  const of = (name: string) => new ReportedApp(name, sluice);
  apps = { young: of("young"), old: of("old"), stormed: of("stormed"), held: of("held"), paths: of("paths") };
  await Promise.all(names.map((name) => apps[name].ready()));
  await apps.young.repeat(2, { pass: 10, throttled: 0.2 });
  await apps.old.repeat(3, { pass: 10, throttled: 0.2 });
  await apps.stormed.repeat(4, { pass: 10, throttled: 0.5 });
  await apps.stormed.precede(30, { pass: 10 });
});

test.afterAll(() => Promise.all(names.map((name) => apps[name].close())));

test.afterEach(async ({ sluice: { redis } }) => {
  const entries = await redis.client.keys("*list:*");
  if (entries.length > 0) await redis.client.del(entries);
});

/** Not at the end of a minute or an hour, which would be another one for the page. */
async function inOneMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

test("quiet is said as it is known: as usual only after three days", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await apps.young.report({ pass: 600, throttled: 12 });
  await page.goto("/?app=young");
  await expect(titleOf(page)).toHaveText(/^Quiet: 12 denials\/min, of 10\.2 requests\/s\.$/);
  await expect(situationOf(page)).toContainText("unknown until three earlier days are recorded");
  await expect(numbersOf(page)).not.toContainText("as usual");

  await apps.old.report({ pass: 600, throttled: 12 });
  await page.goto("/?app=old");
  await expect(titleOf(page)).toHaveText("Quiet: 12 denials/min, of 10.2 requests/s, as usual at this hour.");
  await expect(numbersOf(page)).toContainText("as usual");
  await expect(situationOf(page).getByRole("button")).toHaveCount(0);
  await expectBothThemes(page);
});

test("an attack is named with its share and network, and blocked without the customer's address, with one undo", async ({
  signedIn,
  sluice: { redis },
}) => {
  await inOneMinute();
  const app = apps.stormed;
  await app.useAs("acme", "8.8.8.30");
  const owners = async () => Number(await redis.client.zcard("sluice:owners:seen"));
  await expect.poll(owners).toBeGreaterThan(0);
  await app.report(
    { pass: 600, throttled: 1_000 },
    { "8.8.8.77": 400, "8.8.8.81": 300, "8.8.8.30": 120, "1.1.1.1": 30 },
  );
  const page = await signedIn("staff");
  await page.goto("/?app=stormed");
  await expect(titleOf(page)).toHaveText(
    // "or earlier" where no minute before it is known.
    /^Attack since \d\d:\d\d( or earlier)?: 3 clients of AS15169 Google LLC cause at least 82% of denials\.$/,
  );
  await expect(situationOf(page)).toContainText("1 address is used by customer acme.");
  await expect(numbersOf(page)).toContainText("× usual");
  await expect(situationOf(page).getByRole("link", { name: "Review" })).toHaveAttribute(
    "href",
    "/offenders?select=8.8.8.77,8.8.8.81",
  );
  await expectBothThemes(page);

  await situationOf(page).getByRole("button", { name: "Block 2 for 24 h" }).click();
  await expect(page.getByText("2 blocked for 24 hours").first()).toBeVisible();
  const listed = async () => (await redis.client.keys("blocklist:*")).sort();
  expect(await listed()).toEqual(["blocklist:8.8.8.77", "blocklist:8.8.8.81"]);
  await expect(titleOf(page)).toContainText(
    "from blocked clients: 2 clients of AS15169 Google LLC cause at least 70%",
  );
  await expect(situationOf(page).getByRole("button", { name: /^Block/ })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Latest changes" })).toContainText("blocked 8.8.8.77");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(listed).toEqual([]);
  await expect(titleOf(page)).toContainText("Attack since");

  const viewer = await signedIn("viewer");
  await viewer.goto("/?app=stormed");
  await expect(titleOf(viewer)).toContainText("Attack since");
  await expect(situationOf(viewer).getByRole("button")).toHaveCount(0);
});

test("the sentence and its clients stay while the pointer is on the button", async ({ signedIn }) => {
  await inOneMinute();
  const app = apps.held;
  await app.report({ pass: 600, throttled: 400 }, { "203.0.113.77": 400 });
  const page = await signedIn("staff");
  await page.goto("/?app=held");
  const block = situationOf(page).getByRole("button", { name: /^Block \d for 24 h$/ });
  await expect(block).toHaveText("Block 1 for 24 h");
  await block.hover();
  await app.report({ throttled: 400 }, { "203.0.113.81": 400 });
  await page.waitForResponse(
    async (reply) => reply.url().includes("/api/situation") && (await reply.text()).includes("203.0.113.81"),
  );
  await expect(titleOf(page)).toContainText("203.0.113.77 causes");
  await expect(block).toHaveText("Block 1 for 24 h");
  await page.mouse.move(1, 1);
  await expect(block).toHaveText("Block 2 for 24 h");
});

test("any time that is kept can be chosen: chart and numbers are of it, and it is in the URL", async ({
  signedIn,
}) => {
  const page = await signedIn("viewer");
  await page.goto("/?app=old");
  const hourMs = 3_600_000;
  const hour = (Math.floor(Date.now() / hourMs) - 48) * hourMs;
  const minute = (at: number) => new Date(at).toISOString().slice(0, 16);
  const open = () => page.getByRole("button", { name: "Custom period" }).click();
  const form = page.getByRole("dialog", { name: "Custom period" });
  await open();
  await form.getByLabel("From").fill(minute(hour + hourMs));
  await form.getByLabel("Until").fill(minute(hour));
  await form.getByRole("button", { name: "Show" }).click();
  await expect(form.getByRole("alert")).toHaveText("The end must be at least 1 min after the start.");
  await expectNoViolations(page);
  await form.getByLabel("From").fill(minute(hour));
  await form.getByLabel("Until").fill(minute(hour + hourMs));
  await form.getByRole("button", { name: "Show" }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`zoom=${hour / 1_000}-${(hour + hourMs) / 1_000}`));
  const numbers = page.getByRole("region", { name: "Requests in this period" });
  await expect(numbers).toContainText(/Requests\s*10\.2/);
  await expect(numbers).not.toContainText("usual");
  await expect(titleOf(page)).not.toBeEmpty();
  await page.reload();
  await expect(numbers).toContainText(/Requests\s*10\.2/);
  await page.goto(`/?app=old&zoom=${hour / 1_000 - 7_200}-${hour / 1_000 - 3_600}`);
  await expect(numbers).toContainText("100% of this time is unknown");
  await expect(numbers).toContainText(/Requests\s*–/);
  await open();
  await form.getByRole("button", { name: "Back to live" }).click();
  await expect(numbersOf(page)).toBeVisible();
});

test("denied paths have shares, and lead to their denials", async ({ signedIn }) => {
  await apps.paths.report({ throttled: 100 }, {}, { "/login": 75, "/.env": 25 });
  const page = await signedIn("viewer");
  await page.goto("/?app=paths");
  const card = page.getByRole("region", { name: "Denied paths" });
  await expect(card).toContainText("shares of 2 samples");
  await expect(card.getByRole("listitem")).toHaveText([/75%.*\/login.*paths/, /25%.*\/\.env.*paths/]);
  const denials = page.getByRole("table", { name: "Latest denials" });
  await expect(denials).toContainText("/.env");
  await expectNoViolations(page);
  await card.getByRole("button", { name: /^Show denials: 75% \/login paths$/ }).click();
  await expect(page.getByRole("searchbox", { name: /^Filter by client/ })).toHaveValue("/login");
  await expect(denials).not.toContainText("/.env");
  await expect(denials).toContainText("/login");
});

test("protection that is off is the first sentence, with its reason; only an admin can resume", async ({
  signedIn,
  sluice: { as },
}) => {
  await apps.young.report({ pass: 600 });
  await setMode(as("staff"), { mode: "off", reason: "Checkout, ticket 4471" });
  try {
    const viewer = await signedIn("viewer");
    await viewer.goto("/");
    await expect(titleOf(viewer)).toHaveText(
      /^Protection is off since \d\d:\d\d\. Nothing is blocked or throttled\.$/,
    );
    await expect(situationOf(viewer)).toContainText("“Checkout, ticket 4471”");
    await expect(numbersOf(viewer)).toContainText("not enforced");
    await expect(viewer.getByText("Off: nothing is enforced, not even the blocklist")).toHaveCount(0);
    await expect(situationOf(viewer).getByRole("button", { name: "Resume…" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await expectNoViolations(viewer);

    const admin = await signedIn("admin");
    await admin.goto("/");
    await situationOf(admin).getByRole("button", { name: "Resume…" }).click();
    const dialog = admin.getByRole("alertdialog");
    await dialog.getByLabel("Reason").fill("Fixed");
    await dialog.getByRole("radio", { name: /^Enforce/ }).check();
    await dialog.getByRole("button", { name: "Enforce again" }).click();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await expect(titleOf(admin)).not.toContainText("Protection is off");
  } finally {
    await setMode(as("admin"), { mode: "enforce", reason: "over" });
  }
});

test("without Redis nothing is claimed but what was known", async ({ signedIn, sluice: { redis } }) => {
  await apps.young.report({ pass: 600 });
  const page = await signedIn("viewer");
  await page.goto("/?app=young");
  await expect(titleOf(page)).toContainText("Quiet");
  await redis.kill();
  try {
    await expect(titleOf(page)).toHaveText(/^Unknown since \d\d:\d\d:\d\d UTC\. Redis does not answer\.$/);
    await expect(situationOf(page)).toContainText(/Last known at \d\d:\d\d:\d\d UTC: /);
    await expect(situationOf(page)).not.toContainText("Quiet");
  } finally {
    await redis.restart();
  }
  await expect(titleOf(page)).not.toContainText("Unknown since", { timeout: 20_000 });
});
