import { readFileSync } from "node:fs";
import { sendEvidence } from "@/lib/enforce/stats/report.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";

const sample = { method: "GET", host: "shop.example", userAgent: "test", standsFor: 1 };
const denials = [
  { ...sample, ip: "198.18.80.1", path: "/log-in", outcome: "throttled", rule: "log-in", customerId: "acme" },
  { ...sample, ip: "198.18.80.2", path: "/basket", outcome: "blocked", rule: "feed:log", customerId: "" },
] as const;

test("a viewer searches the denial log by client and verdict, and exports what the filter finds", async ({
  signedIn,
  sluice,
}) => {
  const { client } = sluice.redis;
  const [seconds = "0"] = await client.time();
  const nowMs = Number(seconds) * 1_000;
  await sendEvidence(client, {
    ...{ app: "log-shop", node: "a", nowMs, seen: denials },
    evidence: { denied: [], passed: [] },
  });
  const page = await signedIn("viewer");
  await page.goto("/denials?app=log-shop");
  const table = page.getByRole("table", { name: "Denied requests" });
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(page.getByText(/denials of these hours are kept/)).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("searchbox", { name: "Client" }).fill("198.18.80.1/32");
  await expect(table.getByRole("row")).toHaveCount(2);
  await expect(table.getByRole("link", { name: "acme" })).toBeVisible();
  await expect(page).toHaveURL(/client=198\.18\.80\.1/);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("198.18.80.1,acme,log-in,log-shop");
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("Blocked");
  await expect(page.getByText("No denials match")).toBeVisible();
});
