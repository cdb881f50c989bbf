import { expect, type Page, test } from "@playwright/test";
import type { AuditPage } from "@/lib/queries/audit.ts";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import type { LimitedReply } from "@/lib/queries/edge.ts";
import type { EntriesPage, ListEntry } from "@/lib/queries/entries.ts";
import type { PolicyReply } from "@/lib/queries/policy.ts";
import { eventually } from "@/lib/redis/testing.ts";
import { findProgram } from "../scripts/find-program.mjs";
import { Clone, interrupt, printedPassword, type Running, ready } from "./fixtures/clone.ts";

test.describe.configure({ mode: "serial", timeout: 120_000 });

/** Within the first minute of the demonstration. */
const soon = { timeout: 60_000, intervals: [200] };
const dayMs = 86_400_000;

let clone: Clone;
let demo: Running;
let page: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  clone = await Clone.make({ made: [".next/standalone", "dist"], packages: "linked" });
  demo = await ready(clone.start("demo"));
  page = await browser.newPage({ baseURL: `http://localhost:${clone.port}` });
  await page.goto("/signin");
  await page.getByLabel("Email").fill("admin@localhost");
  await page.getByLabel("Password", { exact: true }).fill(printedPassword(demo));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname === "/");
});

test.afterAll(() => clone.remove());

async function read<T>(path: string): Promise<T> {
  const answer = await page.request.get(path);
  expect(answer.status(), path).toBe(200);
  return answer.json();
}

const listed = async (list: string) => (await read<EntriesPage>(`/api/lists/${list}`)).entries;

test("the console says that its data are a demonstration", async () => {
  await expect(page.getByText("Demonstration data")).toBeVisible();
});

for (const list of ["safelist", "blocklist"]) {
  test(`the ${list} has entries of every kind`, async () => {
    const kinds: Readonly<Record<string, (entry: ListEntry) => boolean>> = {
      address: ({ isRange }) => !isRange,
      "IPv4 range": ({ isRange, address }) => isRange && !address.includes(":"),
      IPv6: ({ address }) => address.includes(":"),
      timed: ({ expiresAt }) => expiresAt !== null && expiresAt < Date.now() + 90 * dayMs,
      permanent: ({ expiresAt }) => expiresAt === null,
      imported: ({ reason }) => reason.startsWith(list === "safelist" ? "Partner: " : "Abuse feed: "),
    };
    const entries = await listed(list);
    expect(Object.keys(kinds).filter((kind) => !entries.some((entry) => kinds[kind]?.(entry)))).toEqual([]);
    expect(entries.filter(({ reason, flag }) => reason === "" || flag !== undefined)).toEqual([]);
  });
}

test("a rule has banned a client within the first minute", async () => {
  await expect(async () => {
    expect(await listed("blocklist")).toContainEqual(
      expect.objectContaining({ address: "198.51.100.143", via: "auto:login" }),
    );
  }).toPass(soon);
});

test("the policy has versions, and a rule in shadow that reports hits", async () => {
  const { versions } = await read<PolicyReply>("/api/policy");
  expect(versions.map(({ version, by }) => `${version} ${by}`)).toEqual(
    expect.arrayContaining(["1 ada@example.org", "4 ada@example.org"]),
  );
  await expect(async () => {
    const { lastHour } = await read<PolicyReply>("/api/policy");
    expect(lastHour.find(({ rule }) => rule === "search")?.shadowed).toBeGreaterThan(0);
  }).toPass(soon);
});

test("customers are far below, near and at their limits", async () => {
  await expect(async () => {
    const { customers } = await read<CustomersPage>("/api/customers");
    const shares = new Map(customers.map(({ id, usage }) => [id, usage && usage.used / usage.limit]));
    expect(shares.get("1042")).toBeGreaterThanOrEqual(1);
    expect(shares.get("5518")).toBeGreaterThan(0.4);
    expect(shares.get("5518")).toBeLessThan(1);
    expect(shares.get("globex")).toBeGreaterThan(0);
    expect(shares.get("globex")).toBeLessThan(0.4);
    expect(customers.find(({ id }) => id === "3307")?.override).not.toBeNull();
  }).toPass(soon);
});

test("users of three roles have changed something, and a viewer was refused", async () => {
  const { rows } = await read<AuditPage>("/api/audit");
  const looks = new Map(rows.flatMap((row) => ("actor" in row ? [[`${row.actor} ${row.look}`, row]] : [])));
  for (const who of ["ada", "ben", "sam"]) expect([...looks.keys()]).toContain(`${who}@example.org change`);
  expect([...looks.keys()]).toContain("vera@example.org refused");
  expect([...looks.keys()]).toContain("ada@example.org undo");
});

test("an edge limits a client, if HAProxy is installed", async () => {
  test.skip(findProgram("haproxy") === undefined, "HAProxy is not installed");
  await expect(async () => {
    const { rows } = await read<LimitedReply>("/api/edge/limited?from=0&to=50");
    expect(rows.find(({ ip }) => ip === "203.0.113.77")?.at.join(" ")).toContain("haproxy");
  }).toPass(soon);
});

test("Ctrl-C leaves nothing behind", async () => {
  interrupt(demo);
  expect(await demo.ended).toBe(130);
  await eventually(() => expect(clone.leftovers()).toEqual([]));
});

test("a Redis of the environment is refused", async () => {
  const refused = clone.start("demo", { REDIS_URL: "redis://127.0.0.1:1" });
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toContain("npm run demo uses only a Redis of its own");
});
