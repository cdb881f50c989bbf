import { setTimeout as pause } from "node:timers/promises";
import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { keys } from "@/lib/redis/keys.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
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
  const row = page.getByRole("table", { name: "Offenders" }).getByRole("row", { name: named(attacker) });
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
    const question = page.getByRole("alertdialog", { name: "198.18.44.0/24 is used by customer 4711" });
    await question.getByRole("button", { name: "Block 198.18.44.0/24 for 24 hours" }).click();

    await expect.poll(() => shop.status(attacker)).toBe(403);
    expect(await shop.status(accomplice)).toBe(403);
    await expect(why).toContainText("is blocked (403) by blocklist entry ");
    await expect(why).toContainText("Not reached. What they have counted:");
    await expect(why).toContainText("did not decide");
    await expect(page.getByRole("list", { name: "Past listings" })).toContainText("Blocked for 24 hours");

    await page.getByRole("link", { name: "Overview" }).first().click();
    const chart = page.getByRole("region", { name: "Requests by verdict" });
    const rate = async (name: string) =>
      Number(new RegExp(`${name}\\s+([\\d.]+)`).exec(await chart.innerText())?.[1]);
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
  await expect.poll(toldOf).toContain('{"rule":"burst/ip","denied":0,"shadowed":4,');
  await page.goto("/policy");
  // What comes late above the rules moves them.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page
    .getByRole("radiogroup", { name: "Mode of burst/ip" })
    .getByRole("radio", { name: "Enforce" })
    .click();
  const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(asked).toContainText(
    "In the last hour, shadow saw 4 requests of 1 client that this rule would have denied",
  );
  const hit = asked.getByRole("table", { name: "Clients that shadow would have hit" });
  await expect(hit.getByRole("row", { name: "198.18.45.7" })).toContainText("not signed in");
  await asked.getByRole("button", { name: "Enforce in the draft, throttle 1 client" }).click();
  await page
    .getByRole("region", { name: "Unsaved changes" })
    .getByRole("button", { name: /^Publish v/ })
    .click();
  const publish = page.getByRole("dialog", { name: /^Publish v/ });
  await publish.getByLabel("Reason").fill("Shadow saw only the burst");
  await publish.getByLabel("In force").selectOption({ label: "For 1 h" });
  await expect(publish).toContainText("these changes go back on every node");
  await publish.getByRole("button", { name: /^Publish v/ }).click();
  await expect.poll(async () => (await visit()).status).toBe(429);
  await expect(page.getByRole("list", { name: "Versions" })).toContainText(/Until .* UTC, then: .*burst\/ip/);

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

test("the limit of a rule is found by what it counts, and a customer that it would throttle is confirmed first", async ({
  signedIn,
  sluice: { redis },
  shop,
}) => {
  const rule = { client: "ip", algorithm: "fixed", mode: "shadow" } as const;
  const levels = [{ limit: 5, periodSeconds: 3_600 }];
  const change = await savePolicy(redis.client, {
    rules: [
      { ...rule, name: "cart", levels, match: { only: ["/api/cart"], methods: ["GET"] } },
      { ...rule, name: "export", levels, match: { only: ["/export"], methods: ["POST"] }, mode: "off" },
    ],
  });
  await expect.poll(() => changeProgress(redis.client, change ?? 0)).toMatchObject({ lagging: [] });
  await roomInWindow(3_600, 60);
  const visit = (from: string, path: string, headers = {}) => shop.visit(from, headers, path);
  for (let i = 0; i < 12; i++) await visit("198.18.47.7", "/api/cart");
  for (let i = 0; i < 7; i++) await visit("198.18.47.8", "/api/cart", asCustomer);
  // Each of them sends more than the limit, to a path that the rule does not count.
  for (let i = 0; i < 40; i++) await visit(`198.18.47.${100 + (i % 4)}`, "/api/stock");

  const page = await signedIn("admin");
  await page.goto("/policy?find=cart");
  const finder = page.locator("#find-limit");
  await expect(finder).toContainText(/At 5 per 1 h: 2 clients,/, { timeout: 40_000 });
  await expect(finder).toContainText("GET /api/cart; most requests in any 1 h");
  await expect(finder).not.toContainText("198.18.47.100");
  await finder.getByRole("combobox", { name: "Rule" }).selectOption({ label: "export, 5 per 1 h" });
  await expect(finder).toContainText(
    "This rule only counts POST /export. There is no history for it yet: run it in shadow for an hour.",
  );
  await expect(finder.getByRole("button", { name: "Try in shadow" })).toBeVisible();
  await expectNoViolations(page);

  await page
    .getByRole("radiogroup", { name: "Mode of cart" })
    .getByRole("radio", { name: "Enforce" })
    .click();
  const asked = page.getByRole("alertdialog");
  await expect(asked).toContainText("shadow saw 9 requests of 2 clients that this rule would have denied");
  await expect(asked).toContainText("1 customer would be throttled.");
  const hit = asked.getByRole("table", { name: "Clients that shadow would have hit" });
  await expect(hit.getByRole("row").nth(1)).toContainText(/198\.18\.47\.8\s*4711\s*2/);
  await expect(hit.getByRole("row").nth(2)).toContainText(/198\.18\.47\.7\s*not signed in\s*7/);
  await expectNoViolations(page);
  const confirm = asked.getByRole("button", { name: "Enforce in the draft, throttle 2 clients" });
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await asked.getByRole("checkbox", { name: "Also throttle customer 4711" }).check();
  await confirm.click();
  await expect(asked).toBeHidden();
  await expect(page.getByRole("region", { name: "Unsaved changes" })).toBeVisible();
});

test("two browsers see each other's change without a reload", async ({ signedIn, shop }) => {
  const [staff, admin] = [await signedIn("staff"), await signedIn("admin")];
  for (const page of [staff, admin]) await page.goto("/blocklist");
  const changes = [
    { by: staff, other: admin, address: "198.18.45.21" },
    { by: admin, other: staff, address: "198.18.45.22" },
  ];
  for (const { by, address } of changes) {
    await by.getByLabel("Paste anything").fill(address);
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
