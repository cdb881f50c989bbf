import { keys } from "@/lib/redis/keys.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { people } from "./fixtures/people.ts";

const health = async (url: string) => {
  const response = await fetch(`${url}/api/health`);
  return [response.status, await response.json()];
};

test("health says ok, and says when Redis is away, without details", async ({ sluice: { url, redis } }) => {
  expect(await health(url)).toEqual([200, { status: "ok" }]);
  await redis.kill();
  // Answers are shared for half a second.
  await expect.poll(() => health(url), { timeout: 5_000 }).toEqual([503, { status: "redis-unavailable" }]);
  await redis.restart();
  await expect.poll(() => health(url), { timeout: 10_000 }).toEqual([200, { status: "ok" }]);
});

test("whoever is not signed in is led to sign in, and then to where they wanted to go", async ({
  signedOut,
  sluice,
}) => {
  const page = await signedOut();
  for (const path of [
    "/",
    "/blocklist",
    "/safelist",
    "/customers",
    "/audit",
    "/settings",
    "/settings/users",
  ]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname, path).toBe("/signin");
  }
  await page.goto("/blocklist?facet=mine");
  await page.getByLabel("Email").fill(people.staff.email);
  await page.getByLabel("Password", { exact: true }).fill(people.staff.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${sluice.url}/blocklist?facet=mine`);
  await expect(page.getByRole("heading", { name: "Blocklist", level: 1 })).toBeVisible();
});

test.describe("from a blocked address", () => {
  test.use({ tolerates: [/status of 403/] });

  test("the console's own proxy enforces the lists, but never on its health", async ({
    signedOut,
    sluice,
  }) => {
    const page = await signedOut();
    await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.9" });
    await sluice.redis.client.set("blocklist:203.0.113.9", "x");
    await expect.poll(async () => (await page.goto("/signin"))?.status()).toBe(403);
    await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
    const answer = await page.request.get("/api/health");
    expect(answer.status()).toBe(200);
    await sluice.redis.client.del("blocklist:203.0.113.9");
  });
});

test("pages carry the headers of an internal tool", async ({ sluice: { url } }) => {
  const { headers } = await fetch(`${url}/signin`);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("x-powered-by")).toBeNull();
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  expect(policy).toContain("frame-ancestors 'none'");
  const [unsafe] = policy.match(/[a-z-]+ [^;]*'unsafe-[^;]*/g) ?? [];
  expect(unsafe).toBe("style-src-attr 'unsafe-inline'");
});

test("the icon stays named from page to page: without a name browsers ask for /favicon.ico", async ({
  signedIn,
}) => {
  const page = await signedIn("viewer");
  await page.goto("/");
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (!document.head.querySelector("link[rel=icon]")) document.body.dataset.unnamed = "";
    });
    seen.observe(document.head, { childList: true });
  });
  for (const name of ["Customers", "Blocklist"]) {
    await page.getByRole("navigation").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  }
  await expect(page.locator("body[data-unnamed]")).toHaveCount(0);
});

test("a link fetches its page before it is pressed, which extends no session; pressing something does", async ({
  signedIn,
  sluice: { redis },
}) => {
  const { client } = redis;
  const lastActivity = async () => {
    const held = await client.mget(await client.keys(keys.session("*")));
    const sessions = held.map((text) => JSON.parse(text ?? "{}"));
    return Math.max(
      ...sessions.map(({ email, lastActivity }) => (email === people.support.email ? lastActivity : 0)),
    );
  };
  const page = await signedIn("support");
  await page.goto("/");
  const before = await lastActivity();
  const polled = () => page.waitForResponse((response) => response.url().endsWith("/api/status"));
  await polled();
  const fetched = page.waitForResponse(
    (response) =>
      response.url().includes("/customers?") && !("next-router-prefetch" in response.request().headers()),
  );
  const link = page.getByRole("navigation").getByRole("link", { name: "Customers" });
  await link.hover();
  await fetched;
  await polled();
  await polled();
  expect(await lastActivity()).toBe(before);
  await page.keyboard.press("Shift");
  await expect.poll(lastActivity).toBeGreaterThan(before);
});
