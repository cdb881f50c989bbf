import { setTimeout as pause } from "node:timers/promises";
import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { savePolicy } from "./fixtures/policy.ts";
import { roomInWindow } from "./fixtures/window.ts";

const [attacker, accomplice] = ["198.18.44.7", "198.18.44.8"];
const scrapy = { "user-agent": "Scrapy/2.11 (+https://scrapy.org)" };
const asCustomer = { ...scrapy, "x-signed-in-as": "4711" };

/** For row names: an address with its dots as they are. */
const named = (address: string) => new RegExp(address.replaceAll(".", "\\."));

/** Wave upon wave until it is called off; then none is under way any more. */
function besiege(wave: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const siege = (async () => {
    while (!isOver) {
      await wave();
      await pause(100);
    }
  })();
  return () => {
    isOver = true;
    return siege;
  };
}

// What was listed and published here is nobody else's business: the next file of specs may run on the same Redis.
test.afterEach(async ({ sluice: { redis }, shop }) => {
  const entries = await redis.client.keys("*list:*");
  await redis.client.del(keys.policy(), keys.policyVersions(), ...entries);
  const policyOf = async () => (await shop.visit("198.18.46.1")).headers.get("ratelimit-policy");
  await expect.poll(policyOf).toContain("q=300;w=300");
});

test("an attack is on the Overview within two seconds; from there: who, why, whom a block would hit, the block, and its curve falls", async ({
  signedIn,
  shop,
}) => {
  const page = await signedIn("staff");
  await page.goto("/");
  const row = page
    .getByRole("table", { name: "Top offenders by counter" })
    .getByRole("row", { name: named(attacker) });
  await roomInWindow(300, 20);
  const wave = () =>
    Promise.all([
      ...Array.from({ length: 15 }, () => shop.visit(attacker, scrapy)),
      ...Array.from({ length: 15 }, () => shop.visit(attacker, asCustomer)),
      shop.visit(accomplice, scrapy),
    ]);
  const isDenied = async () => (await wave()).some(({ status }) => status === 429);
  await expect.poll(isDenied, { timeout: 20_000, intervals: [5] }).toBe(true);
  const callOff = besiege(wave);
  try {
    const told = async () => (await page.request.get("/api/offenders?most=10")).text();
    await expect.poll(told, { timeout: 2_000 }).toContain(attacker);
    await expect(row).toBeVisible();
    await expect(row).toContainText("Scrapy");
    await row.getByRole("link", { name: attacker }).click();

    const why = page.getByRole("region", { name: "Why?" });
    await expect(why).toContainText("this rule decides");
    await expect(why).toContainText("is throttled (429) by rule ");
    await expect(page.getByRole("list", { name: "Broad fingerprints" })).toContainText(
      `${attacker}:Scrapy/2.11`,
    );

    await page.getByRole("button", { name: "Block or safelist…" }).click();
    const dialog = page.getByRole("dialog", { name: "Block or safelist" });
    const preview = dialog.getByRole("region", { name: "Preview" });
    // How many of them were denied anyway is known once nodes have reported the denials.
    await expect(preview).toContainText(/Would have denied [\d,]+ requests of 1 client in the last hour/);
    await expect(preview).toContainText("1 will be added");
    await expect(preview.getByRole("link", { name: "4711" })).toBeVisible({ timeout: 10_000 });
    await dialog.getByRole("radio", { name: "198.18.44.0/24" }).check();
    await expect(preview).toContainText(/requests of 2 clients in the last hour/);
    await dialog.getByRole("radio", { name: "24h" }).check();
    await dialog.getByRole("button", { name: "Block 1 for 24 hours" }).click();

    await expect.poll(() => shop.status(attacker)).toBe(403);
    expect(await shop.status(accomplice)).toBe(403);
    await expect(why).toContainText("is blocked (403) by blocklist entry ");
    await expect(why).toContainText("Not reached. What they have counted:");
    await expect(why).toContainText("did not decide");
    await expect(page.getByRole("list", { name: "Past listings" })).toContainText("Blocked for 24 hours");

    await page.getByRole("link", { name: "Overview" }).first().click();
    const tiles = page.getByRole("region", { name: "Requests now" });
    const rate = async (name: string) =>
      Number(new RegExp(`${name}\\s+([\\d.]+)`).exec(await tiles.innerText())?.[1]);
    await expect
      .poll(async () => (await rate("Blocked")) > (await rate("Throttled")), { timeout: 15_000 })
      .toBe(true);
    await expect(page.getByRole("table", { name: "Latest denials" })).toContainText(
      "blocklist:198.18.44.0/24",
    );
  } finally {
    await callOff();
  }
});

test("a rule is watched in shadow, enforced when shadow has said whom it stops, bites, and is rolled back", async ({
  signedIn,
  sluice: { redis },
  shop,
}) => {
  const rule = { name: "burst/ip", client: "ip", algorithm: "first-hit", mode: "shadow" } as const;
  const levels = [{ limit: 3, periodSeconds: 600 }];
  const change = await savePolicy(redis.client, {
    rules: [{ ...rule, levels, match: { apps: ["storefront"] } }],
  });
  await expect.poll(() => changeProgress(redis.client, change ?? 0)).toMatchObject({ lagging: [] });
  const visit = () => shop.visit("198.18.45.7");
  for (let i = 0; i < 3; i++) expect((await visit()).headers.get("x-would-be-stopped-by")).toBeNull();
  for (let i = 0; i < 4; i++) {
    const watched = await visit();
    expect([watched.status, watched.headers.get("x-would-be-stopped-by")]).toEqual([200, "burst/ip"]);
  }

  const page = await signedIn("admin");
  const toldOf = async () => (await page.request.get("/api/policy")).text();
  await expect.poll(toldOf).toContain('{"rule":"burst/ip","denied":0,"shadowed":4,"over":0}');
  await page.goto("/policy");
  // What comes late above the rules moves them.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page
    .getByRole("radiogroup", { name: "Mode of burst/ip" })
    .getByRole("radio", { name: "Enforce" })
    .click();
  const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(asked).toContainText("In the last hour, shadow saw 4 requests that it would have denied");
  await asked.getByRole("button", { name: "Enforce in the draft" }).click();
  await page
    .getByRole("region", { name: "Unsaved changes" })
    .getByRole("button", { name: /^Publish v/ })
    .click();
  const publish = page.getByRole("dialog", { name: /^Publish v/ });
  await publish.getByLabel("Reason").fill("Shadow saw only the burst");
  await publish.getByRole("button", { name: /^Publish v/ }).click();
  await expect.poll(async () => (await visit()).status).toBe(429);

  await page
    .getByRole("button", { name: /^Roll back to v/ })
    .first()
    .click();
  const back = page.getByRole("alertdialog", { name: /^Roll back to v/ });
  await back.getByLabel("Reason").fill("It stops the wrong ones");
  await back.getByRole("button", { name: /^Roll back to v/ }).click();
  const seen = async () => {
    const { status, headers } = await visit();
    return [status, headers.get("x-would-be-stopped-by")];
  };
  await expect.poll(seen).toEqual([200, "burst/ip"]);
});

test("two browsers see each other's change without a reload", async ({ signedIn, shop }) => {
  const [staff, admin] = [await signedIn("staff"), await signedIn("admin")];
  for (const page of [staff, admin]) await page.goto("/blocklist");
  const changes = [
    { by: staff, other: admin, address: "198.18.45.21" },
    { by: admin, other: staff, address: "198.18.45.22" },
  ];
  for (const { by, address } of changes) {
    await by.getByLabel("Paste IPs or CIDRs, one per line").fill(address);
    await by.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
    await expect.poll(() => shop.status(address)).toBe(403);
  }
  for (const { other, address } of changes)
    await expect(other.getByRole("row", { name: named(address) })).toBeVisible({ timeout: 8_000 });
  await admin.goto(`/clients/${changes[0]?.address}`);
  await expect(admin.getByRole("region", { name: "Why?" })).toContainText(
    "is blocked (403) by blocklist entry ",
  );
});
