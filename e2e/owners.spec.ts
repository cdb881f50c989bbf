import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { listNodes } from "@/lib/observe/stats/nodes.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectBothThemes } from "./fixtures/looks.ts";

const customer = "acme-owners";
const owned = "192.0.2.130";
const free = "198.51.100.177";

let guard: Guard | undefined;

test.afterEach(async ({ sluice: { redis } }) => {
  await guard?.close();
  guard = undefined;
  const keys = await redis.client.keys("*list:*");
  await redis.client.del(`customer:${customer}:tier_redis`, ...keys);
});

test.describe("a customer's only address", () => {
  test.beforeEach(async ({ sluice: { redis } }) => {
    await redis.client.set(`customer:${customer}:tier_redis`, "enterprise");
    guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
    await guard.ready();
    for (let i = 0; i < 4; i++) await guard.check({ ip: owned, path: "/orders", customerId: customer });
    const known = async () => Number(await redis.client.zcard("sluice:owners:seen"));
    await expect.poll(known).toBeGreaterThan(0);
    // Until a node has reported, it is unknown which addresses are no customer's.
    const report = async () =>
      (await listNodes(redis.client)).every(({ ownersFormat }) => ownersFormat === 1);
    await expect.poll(report).toBe(true);
  });

  test("is marked everywhere, blocked only after a question, and its customer's page no longer says that it passes", async ({
    signedIn,
    sluice: { redis },
  }) => {
    const staff = await signedIn("staff");
    await staff.goto(`/clients/${owned}`);
    const chip = staff.getByRole("main").getByRole("link", { name: `Customer ${customer}` });
    await expect(chip.first()).toHaveAttribute("href", `/customers/${customer}`);
    await staff.getByRole("button", { name: `Block ${owned} for 1h` }).click();
    const question = staff.getByRole("alertdialog", { name: `${owned} is used by customer ${customer}` });
    await expect(question).toContainText("4 signed-in requests in the last hour");
    await expectNoViolations(staff);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    expect(await redis.client.exists(`blocklist:${owned}`)).toBe(0);
    await staff.getByRole("button", { name: `Block ${owned} for 1h` }).click();
    await question.getByRole("button", { name: `Block ${owned} for 1 hour` }).click();
    await expect(staff.getByText(`${owned} (${customer}) blocked for 1 hour`).first()).toBeVisible();
    expect(await redis.client.exists(`blocklist:${owned}`)).toBe(1);
    await staff.goto("/blocklist");
    await expect(staff.getByRole("row", { name: owned }).getByRole("link", { name: customer })).toBeVisible();

    const support = await signedIn("support");
    await support.goto(`/customers/${customer}`);
    const main = support.getByRole("main");
    await expect(main).toContainText(
      `Its only known address, ${owned}, is on the blocklist. All of its requests get 403.`,
    );
    await expect(main).toContainText("The blocklist can be changed by staff or admin.");
    await expect(main.getByText("Blocked by address")).toBeVisible();
    await expect(main.getByRole("region", { name: "Next request" })).toContainText("Blocked, sends 403");
    await expect(main.getByRole("region", { name: "Next request" })).not.toContainText("Passes");
    await expect(main.getByText(/^Passes,/)).toHaveCount(0);
    await expectBothThemes(support);
    await redis.client.del(`blocklist:${owned}`);
    await expect(main.getByText("Blocked by address")).toBeHidden({ timeout: 10_000 });
    await expect(main.getByText(/^Passes,/).first()).toBeVisible();
  });

  test("an address without a customer is blocked with one click", async ({ signedIn, sluice: { redis } }) => {
    const staff = await signedIn("staff");
    await staff.goto(`/clients/${free}`);
    await expect(staff.getByRole("main").getByText("no customer")).toBeVisible();
    await staff.getByRole("button", { name: `Block ${free} for 24h` }).click();
    await expect(staff.getByText(`${free} blocked for 24 hours`).first()).toBeVisible();
    expect(await redis.client.exists(`blocklist:${free}`)).toBe(1);
  });
});

test.describe("while customers fail to load", () => {
  test.use({ tolerates: [/503/] });

  test("a block is not delayed, and says that they are unknown", async ({ signedIn, sluice: { redis } }) => {
    const staff = await signedIn("staff");
    await staff.route("**/api/owners", (route) => route.fulfill({ status: 503, json: {} }));
    await staff.goto(`/clients/${free}`);
    await expect(staff.getByRole("main").getByText("customer unknown")).toBeVisible();
    await staff.getByRole("button", { name: `Block ${free} for 1h` }).click();
    await expect(staff.getByText("Whether a customer uses it is unknown").first()).toBeVisible();
    expect(await redis.client.exists(`blocklist:${free}`)).toBe(1);
  });
});
