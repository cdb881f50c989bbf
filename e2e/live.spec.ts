import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { roomInWindow } from "./fixtures/window.ts";

const attacker = "203.0.113.177";
const sqlmap = { "user-agent": "sqlmap/1.8.9#stable (https://sqlmap.org)" };

// The next file of specs may run on the same Redis.
test.afterEach(async ({ sluice: { redis } }) => {
  const entries = await redis.client.keys("*list:*");
  if (entries.length > 0) await redis.client.del(entries);
});

test("an attack appears, is understood and is blocked, and the blocked requests are seen", async ({
  signedIn,
  sluice,
  shop,
}) => {
  const attack = () => Promise.all(Array.from({ length: 20 }, () => shop.visit(attacker, sqlmap)));
  const page = await signedIn("staff");
  await page.goto("/");
  await roomInWindow(300, 20);
  await expect
    .poll(async () => (await attack()).some(({ status }) => status === 429), {
      timeout: 30_000,
      intervals: [10],
    })
    .toBe(true);

  const counters = page.getByRole("table", { name: "Offenders" });
  const row = counters.getByRole("row", { name: new RegExp(attacker.replaceAll(".", "\\.")) });
  await expect(row).toBeVisible({ timeout: 10_000 });
  await expect(row).toContainText("sqlmap");
  await expect(row).toContainText("300 / 300");
  await expect(page.getByRole("table", { name: "Latest denials" })).toContainText(attacker);
  await expect(row).toContainText(/limit [\d.]+/);

  await row.getByRole("link", { name: attacker }).click();
  await expect(page).toHaveURL(/\/clients\/203\.0\.113\.177/);
  await expect(page.getByText("this decides")).toBeVisible();
  await expect(page.getByText("req/ip/1").first()).toBeVisible();
  await expect(page.getByText("Tool: sqlmap")).toBeVisible();

  await page.getByRole("button", { name: `Block ${attacker} for 24h` }).click();
  await expect.poll(() => shop.status(attacker)).toBe(403);
  await expect(page.getByText(/Applied on (\d+) of \1 nodes/).first()).toBeVisible();
  await expect(page.getByText("is blocked (403) by blocklist entry ")).toBeVisible({ timeout: 10_000 });
  expect(await sluice.redis.client.ttl(`blocklist:${attacker}`)).toBeLessThanOrEqual(86_400);
  await attack();
  await page.goto("/");
  const feed = page.getByRole("region", { name: "Latest denials" });
  await expect(feed).toContainText(`blocklist:${attacker}`, { timeout: 10_000 });
  await expect(feed).toContainText(/samples of the last /);
  const filter = feed.getByRole("searchbox", { name: "Filter by client, rule or path" });
  await filter.fill("req/ip/1");
  await expect(feed.getByRole("row", { name: /req\/ip\/1/ }).first()).toBeVisible();
  await expect(feed).not.toContainText(`blocklist:${attacker}`);
  await filter.fill("/no-such-path");
  await expect(feed).toContainText(/No request of this filter was denied among the samples of the last /);
});

test("rows keep their order under a still pointer, and follow the traffic after it has left", async ({
  signedIn,
  shop,
}) => {
  const visits = (from: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => shop.visit(from)));
  await roomInWindow(300, 20);
  for (const [i, count] of [120, 100, 80].entries()) await visits(`203.0.113.${180 + i}`, count);
  const page = await signedIn("staff");
  await page.goto("/");
  const counters = page.getByRole("table", { name: "Offenders" });
  await expect(counters.getByRole("row", { name: /203\.0\.113\.182/ })).toBeVisible({ timeout: 10_000 });
  const rows = counters.getByRole("row");
  const client = "203.0.113.180";
  await rows
    .filter({ hasText: client })
    .getByRole("button", { name: / for 24h$/ })
    .hover();
  const place = (await rows.allTextContents()).findIndex((text) => text.includes(client));
  // An attacker of the test before may have a row above, for a minute.
  const pointed = rows.nth(place);
  const block = pointed.getByRole("button", { name: / for 24h$/ });
  const name = `Block ${client} for 24h`;
  await expect(block).toHaveAccessibleName(name);
  const counter = pointed.getByRole("meter");
  const count = (await counter.getAttribute("aria-valuenow")) ?? "";

  const isOvertaken = page.waitForResponse(async (response) => {
    if (!response.url().includes("/api/offenders")) return false;
    const { clients }: { clients: { client: string }[] } = await response.json();
    const placeOf = (address: string) => clients.findIndex((one) => one.client === address);
    return placeOf("203.0.113.183") >= 0 && placeOf("203.0.113.183") < placeOf(client);
  });
  await visits("203.0.113.183", 240);
  await visits(client, 5);
  await isOvertaken;
  await expect(page.getByText("Order held while you point. 1 newer row waits.").first()).toBeVisible();
  for (let poll = 0; poll < 3; poll++) {
    await page.waitForResponse((response) => response.url().includes("/api/offenders"));
    await expect(block).toHaveAccessibleName(name);
  }
  await expect(counter).not.toHaveAttribute("aria-valuenow", count);
  await expect(block).toHaveAccessibleName(name);

  await page.mouse.move(1, 1);
  await expect(block).not.toHaveAccessibleName(name);
  await expect(counters.getByRole("row", { name: /203\.0\.113\.183/ })).toBeVisible();
});

test("a row says by itself that it is blocked, on how many nodes, and that it no longer is", async ({
  signedIn,
  sluice,
  shop,
}) => {
  const client = "203.0.113.187";
  await roomInWindow(300, 20);
  for (let i = 0; i < 30; i++) await shop.visit(client);
  const page = await signedIn("staff");
  await page.goto("/offenders");
  const row = page.getByRole("table", { name: "Offenders" }).getByRole("row", { name: /203\.0\.113\.187/ });
  await expect(row).toBeVisible();
  // No read tells the row.
  await page.getByRole("button", { name: "Pause live" }).click();
  await row.getByRole("button", { name: `Block ${client} for 1h` }).click();
  await expect(row).toContainText("blocklist");
  await expect(row).toContainText(/on (\d+) of \1/);
  expect(await sluice.redis.client.exists(`blocklist:${client}`)).toBe(1);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect(row.getByRole("button", { name: `Block ${client} for 1h` })).toBeVisible();
});

test("totals of the page are the generator's, within ten seconds of the last request", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("viewer");
  const sum = async () => {
    const { points } = (await (await page.request.get("/api/overview?range=15m&app=totals")).json()) as {
      points: { pass: number; blocked: number }[];
    };
    return Math.round(points.reduce((all, { pass, blocked }) => all + 5 * (pass + blocked), 0));
  };
  // No other test sends requests to this app.
  const guard = createGuard({ redis: sluice.redis.url, app: "totals", log: () => {} });
  let sent = 0;
  const visit = async (ip: string) => {
    sent++;
    return (await guard.check({ ip, path: "/api/stock", method: "GET" })).outcome;
  };
  try {
    await guard.ready();
    await sluice.redis.client.set("blocklist:203.0.113.178", "x");
    await expect.poll(() => visit("203.0.113.178")).toBe("blocked");
    for (let i = 0; i < 60; i++) await visit(i % 3 === 0 ? "203.0.113.178" : `198.18.7.${i}`);
    // Two seconds until a node's report is read, two that are left out, and a step of five.
    await expect.poll(sum, { timeout: 10_000 }).toBe(sent);
  } finally {
    await guard.close();
  }
});

test("what machines read needs the token", async ({ sluice }) => {
  const answer = await fetch(`${sluice.url}/api/metrics`);
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, "not-configured"]);
});
