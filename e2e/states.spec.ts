import type { Page } from "@playwright/test";
import { keys } from "@/lib/redis/keys.ts";
import { expect as base, test } from "./fixtures/seeded-test.ts";

// Every page in every state of its reads. A page may claim absence only while it knows of it.
test.use({
  hasOwnCounters: true,
  sharesCache: true,
  tolerates: [/status of (50[03]|401)|Failed to (load|fetch)|net::|Redis/],
});

/** What pages say counts here, not how soon a busy machine draws it. */
const expect = base.configure({ timeout: 20_000 });

type Reply = Record<string, unknown>;

interface Read {
  readonly path: RegExp;
  /** As in "Failed to load the policy". */
  readonly name: string;
  /** The reply without rows, and what the page says then. */
  readonly empty?: { readonly of: (reply: Reply) => unknown; readonly says: RegExp };
}

interface StatePage {
  readonly name: string;
  readonly path: string;
  readonly reads: readonly Read[];
  /** What it says, beside the banner, while the counters are away. */
  readonly withoutCounters?: RegExp;
}

const without = (parts: Reply) => (reply: Reply) => ({ ...reply, ...parts });

const offenders: Read = {
  path: /\/api\/offenders/,
  name: "the offenders",
  empty: {
    of: without({ clients: [], denied: 0, deniedPerSecond: 0, over: 0, isCounted: true }),
    says: /No client is near a limit\./,
  },
};
const list = (name: "blocklist" | "safelist"): Read => ({
  path: new RegExp(`/api/lists/${name}\\?`),
  name: `the ${name}`,
  empty: {
    of: without({ total: 0, matching: 0, entries: [], isComplete: true }),
    says: new RegExp(`The ${name} is empty`),
  },
});

const pages: readonly StatePage[] = [
  {
    name: "Overview",
    path: "/",
    reads: [
      { path: /\/api\/situation/, name: "the situation" },
      { path: /\/api\/overview/, name: "the requests" },
      offenders,
      {
        path: /\/api\/feed\/paths/,
        name: "the denied paths",
        empty: {
          of: without({ paths: [], samples: 0, since: null }),
          says: /No denial among the samples of the last 5 min/,
        },
      },
      {
        path: /\/api\/feed\?/,
        name: "the latest denials",
        empty: {
          of: without({ items: [] }),
          says: /No request was denied among the (latest samples|samples of the last .+)\./,
        },
      },
      {
        path: /\/api\/audit/,
        name: "the latest changes",
        empty: { of: without({ rows: [], next: null }), says: /No changes yet/ },
      },
    ],
    // Clients that nodes report as denied are shown.
    withoutCounters:
      /(It is unknown which clients are near a limit|Clients may be missing here)\..*COUNTERS_REDIS_URL/,
  },
  {
    name: "Offenders",
    path: "/offenders",
    reads: [offenders],
    // Clients that nodes report as denied are shown.
    withoutCounters:
      /(It is unknown which clients are near a limit|Clients may be missing here)\..*COUNTERS_REDIS_URL/,
  },
  {
    name: "a client",
    path: "/clients/203.0.113.12",
    reads: [{ path: /\/api\/clients\/203\.0\.113\.12(\?|$)/, name: "this client" }],
  },
  { name: "Blocklist", path: "/blocklist", reads: [list("blocklist")] },
  { name: "Safelist", path: "/safelist", reads: [list("safelist")] },
  {
    name: "Customers",
    path: "/customers",
    reads: [
      {
        path: /\/api\/customers\?/,
        name: "the customers",
        empty: {
          of: without({ total: 0, customers: [], counts: { all: 0 } }),
          says: /No customers with a tier or a custom throttle/,
        },
      },
    ],
    withoutCounters: /unknown/,
  },
  {
    name: "a customer",
    path: "/customers/2210",
    reads: [
      { path: /\/customers\/2210\/replay/, name: "the replay" },
      {
        path: /\/customers\/2210\/day/,
        name: "the denials",
        empty: {
          of: without({ denials: [] }),
          says: /No (denial of this customer was recorded in the last 24 h|sample of .+ denials?:)/,
        },
      },
      {
        path: /\/customers\/2210\/addresses/,
        name: "the addresses",
        empty: {
          of: without({ addresses: [], total: 0, knownSince: 1 }),
          says: /No request of this customer in the last/,
        },
      },
    ],
    withoutCounters: /unknown/,
  },
  {
    name: "Policy",
    path: "/policy",
    reads: [{ path: /\/api\/policy(\?|$)/, name: "the policy" }],
  },
  {
    name: "Edge",
    path: "/edge",
    reads: [
      {
        path: /\/api\/edge\/limited/,
        name: "the limited clients",
        empty: {
          of: without({ total: 0, matching: 0, rows: [] }),
          says: /No clients over the edge limit|Limited clients are unknown/,
        },
      },
    ],
  },
  {
    name: "Audit",
    path: "/audit",
    reads: [
      {
        path: /\/api\/audit/,
        name: "the audit log",
        empty: { of: without({ rows: [], next: null }), says: /No changes yet/ },
      },
    ],
  },
  {
    name: "Settings",
    path: "/settings",
    reads: [
      { path: /\/api\/doctor/, name: "the health checks" },
      { path: /\/api\/never-block(\?|$)/, name: "the protected ranges" },
    ],
  },
  { name: "Users", path: "/settings/users", reads: [{ path: /\/api\/users/, name: "the users" }] },
  // Other reads of pages above: they wait until the first read of the page is answered.
  {
    name: "the limit finder",
    path: "/policy",
    reads: [
      {
        path: /\/api\/rates/,
        name: "the rates",
        empty: { of: without({ top: [] }), says: /No requests were counted in this period/ },
      },
    ],
  },
  {
    name: "the state of the edge",
    path: "/edge",
    reads: [{ path: /\/api\/edge(\?|$)/, name: "the state of the edge" }],
  },
];

/** Every sentence that claims absence. */
const claims = anyOf([
  ...pages.flatMap(({ reads }) => reads.flatMap(({ empty }) => empty?.says ?? [])),
  /Nobody is|No client is near|0 over a limit|0 clients over|Nothing was denied|No changes yet/,
]);
const claimOfCounts = /Nobody is near|No client is near|\d+ over a limit|\d+ clients? over a limit/;
/** Each page once. First the one with the rarest read: its outage is over when that read is retried early. */
const routes = pages
  .filter(({ path }, i) => pages.findIndex((other) => other.path === path) === i)
  .toSorted((a, b) => Number(b.name === "Policy") - Number(a.name === "Policy"));
/** At once: a claim that goes again was made. */
const claimsNothing = async (page: Page, name: string) =>
  expect.soft(await page.getByText(claims).count(), `${name} claims absence`).toBe(0);
const failed = (page: Page, { name }: Read) => page.getByText(`Failed to load ${name}`);
const stale = /Stale: last updated \d\d:\d\d:\d\d UTC \(\d+ (s|min)( \d+ s)? ago\)/;

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** Answers of one page's reads: held back, refused, or the server's own, changed. */
class Answers {
  #release = () => {};
  #held = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
  isEmpty = false;

  async take(page: Page, { path, empty }: Read): Promise<void> {
    await page.route(path, async (route) => {
      await this.#held;
      if (!this.isEmpty)
        return route.fulfill({ status: 503, json: { error: { message: "Redis does not answer." } } });
      const answer = await route.fetch();
      const reply = await answer.json();
      return route.fulfill({ json: answer.ok() && empty ? empty.of(reply) : reply });
    });
  }

  release(): void {
    this.#release();
  }
}

/** Takes the data out of each page that the router loads, as if the server had not read it in time. */
async function takeOutData(page: Page): Promise<void> {
  const isOfRouter = (url: URL) => url.searchParams.has("_rsc");
  await page.route(isOfRouter, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    // The browser looks for the data of a query by this name.
    await route.fulfill({ response, body: body.replaceAll('"queryHash":"', '"queryHash":"late ') });
  });
}

/** Loads a page as a link does. */
const follow = (page: Page, path: string) => page.evaluate(`next.router.push(${JSON.stringify(path)})`);

/** A page without reads of its own. */
const start = "/settings/account";

test("each page: slow, 503, empty", async ({ signedIn }) => {
  test.setTimeout(240_000);
  const page = await signedIn("admin");
  const seen = new Set<string>();
  for (const state of pages) {
    await test.step(state.name, async () => {
      // What a tab has read it keeps, so each page and each read comes once.
      const names = [state.path, ...state.reads.map(({ path }) => path.source)];
      if (seen.size === 0 || names.some((one) => seen.has(one))) {
        await page.goto(start);
        seen.clear();
      }
      for (const one of names) seen.add(one);
      await takeOutData(page);
      await inEveryState(page, state);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  }
});

async function inEveryState(page: Page, { name, path, reads }: StatePage): Promise<void> {
  const answers = new Answers();
  for (const read of reads) await answers.take(page, read);
  await follow(page, path);
  for (const read of reads) {
    await expect(page.getByText(`Loading ${read.name}`).first()).toBeAttached();
    await expect(failed(page, read)).toHaveCount(0);
  }
  await claimsNothing(page, `${name}, slow,`);

  answers.release();
  for (const read of reads) {
    await expect(failed(page, read).first()).toBeVisible();
    await expect(page.getByText(`Loading ${read.name}`)).toHaveCount(0);
  }
  await expect(page.getByText("Redis does not answer.").first()).toBeVisible();
  await claimsNothing(page, `${name}, 503,`);

  answers.isEmpty = true;
  const retry = page.getByRole("button", { name: "Retry", exact: true }).first();
  for (const { empty } of reads) {
    if (!empty) continue;
    // A page that repeats its reads may be faster than the click.
    await expect(async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 500 });
      await expect(page.getByText(empty.says).first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 12_000 });
  }
}

test("the Overview loads without its reads of the audit log", async ({ signedIn, sluice }) => {
  const { client } = sluice.redis;
  const aside = `${keys.audit()}:aside`;
  const page = await signedIn("admin");
  await page.route(/\/api\/audit/, (route) =>
    route.fulfill({ status: 503, json: { error: { message: "Redis does not answer." } } }),
  );
  // The log's key of another type: no page of it can be read.
  await client.rename(keys.audit(), aside);
  await client.set(keys.audit(), "x");
  try {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Latest changes" })).toContainText(
      "Failed to load the latest changes",
    );
    await expect(page.getByRole("heading", { name: "Latest denials" })).toBeVisible();
    await expect(page.getByText("No changes yet")).toHaveCount(0);
  } finally {
    await client.rename(aside, keys.audit());
  }
});

test("counters away, then Redis away", async ({ signedIn, sluice: { redis, counters } }) => {
  test.setTimeout(240_000);
  const page = await signedIn("admin");
  await page.goto(start);
  await counters.kill();
  for (const { name, path, withoutCounters } of routes)
    await test.step(`${name} without counters`, async () => {
      await follow(page, path);
      await expect(page).toHaveURL(path);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      const banner = page.getByRole("status").filter({ hasText: "Counters unavailable." });
      await expect(banner).toContainText("Check COUNTERS_REDIS_URL");
      if (withoutCounters) await expect(page.getByText(withoutCounters).first()).toBeVisible();
      await expect(page.getByText(claimOfCounts)).toHaveCount(0);
    });
  await counters.restart();
  await expect(page.getByText("Counters unavailable")).toHaveCount(0);

  await redis.kill();
  // Back shows a page as it was, with the data of then.
  for (const { name, path } of routes.toReversed())
    await test.step(`${name} without Redis`, async () => {
      await expect(page).toHaveURL(path);
      await expect(page.getByRole("alert").filter({ hasText: "does not answer" })).toBeVisible();
      await expect(page.getByText(stale).first()).toBeVisible();
      // A read that failed once, a moment ago, still counts.
      await expect(page.getByText(claims)).toHaveCount(0);
      if (path !== routes[0]?.path) await page.goBack();
    });
  const late = await page.context().newPage();
  await late.goto("/offenders");
  await expect(late.getByText("Redis does not answer.").first()).toBeVisible();
  await claimsNothing(late, "Offenders, loaded in the outage,");
  await redis.restart();
  await expect(page.getByText(stale)).toHaveCount(0);
  await expect(late.getByRole("heading", { level: 1, name: "Offenders" })).toBeVisible();
});

test("a failed write says what is known of it, until the outage is over", async ({ signedIn, sluice }) => {
  const page = await signedIn("admin");
  await page.goto("/blocklist");
  const block = page.getByRole("button", { name: /^Block 1 for 1 week/ });
  const nothing = page.getByText("Nothing was written");
  const unknown = page.getByText("Outcome unknown");

  await page.getByLabel("Paste anything").fill("203.0.113.71");
  await expect(block).toBeEnabled();
  await page.route(
    ({ pathname }) => pathname === "/blocklist",
    (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()),
  );
  await block.click();
  await expect(unknown).toBeVisible();
  await expect(page.getByText("It is unknown whether the change was made.")).toBeVisible();
  await expect(nothing).toHaveCount(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });

  await sluice.redis.kill();
  try {
    await block.click();
    await expect(nothing).toBeVisible();
    await expect(page.getByText("The change was not started.")).toBeVisible();
    await expect(unknown).toHaveCount(0);
  } finally {
    await sluice.redis.restart();
  }
  await expect(nothing).toHaveCount(0);
  await expect(block).toBeEnabled();
  await expect(page.getByLabel("Paste anything")).toHaveValue("203.0.113.71");
  expect(await sluice.redis.client.exists("blocklist:203.0.113.71")).toBe(0);
});

test("what is open on a page stays while its data grows stale, and after", async ({ signedIn, sluice }) => {
  const page = await signedIn("admin");
  await page.goto("/policy");
  await page.getByRole("button", { name: "Add rule" }).click();
  const name = page.getByRole("dialog").getByLabel("Name");
  await name.fill("kept-open");
  await sluice.redis.kill();
  try {
    await expect(page.getByText(stale).first()).toBeVisible();
    await expect(name).toHaveValue("kept-open");
    await expect(name).toBeFocused();
  } finally {
    await sluice.redis.restart();
  }
  await expect(page.getByText(stale)).toHaveCount(0);
  await expect(name).toHaveValue("kept-open");
});
