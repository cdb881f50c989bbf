import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/console-test.ts";
import { hammered, tidyEdge } from "./fixtures/edge.ts";

const attacker = "203.0.113.9";
const scanner = "198.51.100.66";

// The next file of specs may run on the same Redis.
test.afterEach(({ sluice }) => tidyEdge(sluice));

const deniedClients = (page: Page) => page.getByRole("table", { name: "Denied clients" });
const offBanner = (page: Page) =>
  page.getByRole("status").filter({ hasText: "Edge off: no client is denied there" });

test("staff see which clients the edge denies and let one in; an admin switches the edge off and on", async ({
  signedIn,
  sluice,
}) => {
  const curl = "curl/8.5.0";
  const [login = "", search = "", tool = ""] = await hammered(sluice.redis.client, [
    { ip: attacker, path: "/login", userAgent: curl, count: 611 },
    { ip: attacker, path: "/search", userAgent: curl, count: 240 },
    { ip: scanner, userAgent: "sqlmap/1.8.9#stable", count: 900 },
  ]);
  const atEdge = () => [...sluice.edge.items.keys()].toSorted();
  await expect.poll(atEdge).toEqual([login, search, tool].toSorted());

  const page = await signedIn("staff");
  await page.goto("/edge");
  await expect(page.getByText("3 clients denied")).toBeVisible();
  await expect(page.getByRole("region", { name: /^fastly / })).toContainText("3 of 3 wanted");
  const row = deniedClients(page).getByRole("row", { name: /\/login/ });
  await expect(row).toContainText("611 / 120");
  await expect(deniedClients(page).getByRole("row", { name: /sqlmap/ })).toContainText("all requests");
  await expect(page.getByRole("button", { name: "Switch off" })).toBeDisabled();
  await row.getByRole("button", { name: /^Let in 203\.0\.113\.9/ }).click();
  await expect(page.getByText("It is still denied for 1 other request.").first()).toBeVisible();
  await expect.poll(atEdge).toEqual([search, tool].toSorted());

  const admin = await signedIn("admin");
  await admin.goto("/edge?q=SQLmap");
  await expect(deniedClients(admin).getByRole("row")).toHaveCount(2);
  await admin.getByRole("button", { name: "Switch off" }).click();
  const dialog = admin.getByRole("alertdialog");
  await expect(dialog).toContainText("Lets in the 2 clients that are denied now");
  await dialog.getByLabel("Reason").fill("The map has the wrong shop");
  await dialog.getByRole("button", { name: "Switch off and let in 2" }).click();
  await expect.poll(atEdge).toEqual([]);
  await expect(offBanner(admin)).toContainText("The map has the wrong shop");
  await page.goto("/blocklist");
  await expect(offBanner(page)).toBeVisible();
  await expect(page.getByRole("link", { name: "Edge off" })).toBeVisible();

  await admin.getByRole("button", { name: "Switch on" }).click();
  await dialog.getByLabel("Reason").fill("Fixed");
  await dialog.getByRole("button", { name: "Switch on and deny 2" }).click();
  await expect.poll(atEdge).toEqual([search, tool].toSorted());
  await expect(offBanner(page)).toHaveCount(0);
});

test("a viewer sees the page and can change nothing; an error of the edge is shown in words", async ({
  signedIn,
  sluice,
}) => {
  const [key = ""] = await hammered(sluice.redis.client, [
    { ip: attacker, path: "/cart", userAgent: "curl/8.5.0", count: 300 },
  ]);
  sluice.edge.troubles.push({ status: 403 });
  const page = await signedIn("viewer");
  await page.goto("/edge");
  await expect(page.getByRole("table", { name: "Latest syncs" })).toContainText("Fastly refuses the token");
  await expect(deniedClients(page).getByRole("row", { name: /\/cart/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Switch off" })).toBeDisabled();
  await expect(page.getByRole("button", { name: /^Let in/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect.poll(() => sluice.edge.items.has(key)).toBe(true);
});
