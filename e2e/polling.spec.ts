import { expect, test } from "./fixtures/console-test.ts";

// While nodes reconnect, a page may be told that Redis does not answer.
test.use({ tolerates: [/status of 503/] });

const offender = "203.0.113.9";

test("without client tracking the console names polling and what follows from it, and its changes are in force", async ({
  signedIn,
  shop,
  sluice: { redis },
}) => {
  const { client } = redis;
  const withTracking = async (right: "+client|tracking" | "-client|tracking") => {
    await client.call("ACL", "SETUSER", "default", right);
    await client.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
  };
  await withTracking("-client|tracking");
  try {
    const page = await signedIn("staff");
    await page.goto("/");
    const node = page.getByRole("region", { name: "Nodes" }).getByRole("row", { name: /storefront/ });
    await expect(node).toContainText(/polling, others \d+ s/, { timeout: 15_000 });
    const pill = page.getByRole("button", { name: /^Redis OK .* in sync · polling$/ });
    await pill.click({ timeout: 15_000 });
    const consequence = /poll for changes\. .* writes by redis-cli and other programs within \d+ s\./;
    await expect(page.getByText(consequence)).toBeVisible();

    await page.goto("/blocklist");
    await page.getByLabel("Paste anything").fill(offender);
    await page.getByLabel("Reason").fill("a test");
    await page.getByRole("button", { name: /^Block 1 for 1 week/ }).click();
    await expect.poll(() => shop.status(offender), { timeout: 5_000 }).toBe(403);
    await expect(page.getByText(/Applied on 2 of 2 nodes/).first()).toBeVisible();
    await withTracking("+client|tracking");
    // The next file of specs tolerates no reconnecting.
    const ways = async () => {
      const answer = await page.request.get("/api/status");
      const { nodes = [] }: { nodes?: { following: string }[] } = await answer.json();
      return nodes.map(({ following }) => following);
    };
    await expect.poll(ways, { timeout: 30_000 }).toEqual(["tracking", "tracking"]);
  } finally {
    await withTracking("+client|tracking");
    await client.del(`blocklist:${offender}`);
  }
});
