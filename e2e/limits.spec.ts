import { sendEvidence, sendReport } from "@/lib/enforce/stats/report.ts";
import { connectControl } from "@/lib/redis/connect.ts";
import { expect, test } from "./fixtures/console-test.ts";

test("a customer without a key in Redis shows the tier that the app's session gave", async ({
  signedIn,
  sluice,
}) => {
  const id = "session-4711";
  const redis = connectControl(sluice.redis.url, "patiently");
  const sample = {
    ...{ ip: "203.0.113.171", method: "GET", host: "shop.example.org", path: "/", userAgent: "curl/8" },
    ...{ outcome: "pass" as const, rule: "", customerId: id, session: "pro", standsFor: 1 },
    ...{ network: "203.0.113.171", nthOfIp: 1, nthOfCustomer: 1 },
  };
  const evidence = { denied: [], passed: [sample] };
  await sendEvidence(redis, { app: "shop", node: "n", seen: [], evidence, nowMs: Date.now() });
  redis.disconnect();
  const page = await signedIn("support");
  await page.goto(`/customers/${id}`);
  await expect(page.getByText("tier Pro, from the app's session").first()).toBeVisible();
  await expect(page.getByRole("radio", { name: "No tier" })).toBeChecked();
  await expect(page.getByText("Limits of tier Pro, from the app's session")).toBeVisible();
  await expect(page.getByRole("region", { name: "Custom throttle" })).toContainText("5,000");
});

test("a rule whose limits are the customer's tier shows the denials of all its levels", async ({
  signedIn,
  sluice,
}) => {
  const redis = connectControl(sluice.redis.url, "patiently");
  const counts = new Map([
    ["denied req/customer/60", 3_117],
    ["denied req/customer", 66],
    ["shadow req/customer/60", 294],
  ]);
  const report = { counts, hitters: [], seen: [] };
  await sendReport(redis, { app: "shop", node: "n", report, nowMs: Date.now() });
  redis.disconnect();
  const page = await signedIn("viewer");
  await page.goto("/policy");
  const row = page.getByRole("table", { name: "Rules" }).getByRole("row", { name: /req\/customer/ });
  await expect(row.getByRole("cell", { name: "3,183", exact: true })).toBeVisible();
  await expect(row.getByRole("cell", { name: "294", exact: true })).toBeVisible();
});

test("a rule gets a limit per month of the calendar", async ({ signedIn }) => {
  const page = await signedIn("admin");
  await page.goto("/policy");
  await page.getByRole("button", { name: "Add rule" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Name").fill("quota");
  await sheet.getByRole("button", { name: "Add day or month" }).click();
  const level = sheet.getByRole("group", { name: "Level 2" });
  await level.getByLabel("Time zone").fill("Europe/Berl");
  await expect(level).toContainText("Write the name of a time zone");
  await level.getByLabel("Time zone").fill("Europe/Berlin");
  await level.getByLabel("From day").fill("15");
  await expect(level).not.toContainText("Write the name of a time zone");
  await page.keyboard.press("Escape");
  await expect(page.getByText("per month from day 15 in Europe/Berlin").first()).toBeVisible();
});
