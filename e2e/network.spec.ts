import { createGuard } from "@/lib/enforce/guard/guard.ts";
import type { PolicyInput } from "@/lib/enforce/policy/schema.ts";
import { readPolicy } from "@/lib/enforce/policy/versions.ts";
import { setPolicy } from "@/lib/manage/policy/set.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { cutOff } from "./fixtures/cut-off.ts";

test.use({ world: "a network" });

const network = "203.0.113.0/24";
const rule: PolicyInput["rules"][number] = {
  name: "net",
  client: { ip: { v4: 24, v6: 48 } },
  algorithm: "fixed",
  levels: [{ limit: 20, periodSeconds: 31_622_400 }],
};

test("a network that hides behind 200 addresses is one offender, and is blocked as one", async ({
  signedIn,
  sluice,
}) => {
  const { version } = await readPolicy(sluice.redis.client);
  const policy = { mode: "enforce", rules: [rule], tiers: {} };
  await setPolicy(sluice.as("admin"), { policy, basedOn: version, reason: "an attack" });
  const guard = createGuard({ redis: sluice.redis.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const attack = () =>
      Promise.all(Array.from({ length: 200 }, (_, i) => guard.check({ ip: `203.0.113.${i}`, path: "/" })));
    await attack();
    const page = await signedIn("admin");
    await page.goto("/offenders");
    const row = page.getByRole("table", { name: "Offenders" }).getByRole("row", { name: network });
    await expect(row).toContainText("20 / 20", { timeout: 20_000 });
    await expectNoViolations(page);
    await row.getByRole("button", { name: `Block ${network} for 1h` }).click();
    await expect.poll(async () => (await guard.check({ ip: "203.0.113.250" })).outcome).toBe("blocked");
    expect(await sluice.redis.client.exists(`blocklist:${network}`)).toBe(1);

    await page.goto("/policy");
    await page.getByRole("button", { name: /^net/ }).first().click();
    const sheet = page.getByRole("dialog", { name: "Rule net" });
    await expect(sheet.getByLabel("IPv4 network")).toHaveValue("24");
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await expect.poll(() => cutOff(page)).toEqual([]);
      await expectNoViolations(page);
    }
  } finally {
    await guard.close();
  }
});
