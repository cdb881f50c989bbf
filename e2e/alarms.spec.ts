import { type Receiver, startReceiver } from "@/lib/manage/alarms/vitest.receiver.ts";
import { setMode } from "@/lib/manage/policy/set-mode.ts";
import { expectNoViolations } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { expectAtEveryWidth } from "./fixtures/looks.ts";
import { people } from "./fixtures/people.ts";

// Incidents of other files of specs would be grouped with these.
test.use({ world: "alarms" });

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(async ({ sluice }) => {
  await receiver.stop();
  const { redis } = sluice.as("admin");
  await redis.del("sluice:alarms:destinations", "sluice:alarms:secrets", "sluice:requests");
  await setMode(sluice.as("admin"), { mode: "enforce", reason: "after a test" });
});

const events = () => receiver.received.map(({ body }) => JSON.parse(body).event);

test("an admin adds a signed webhook, tests it, is called when the mode is switched, and acknowledges", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("admin");
  await page.goto("/alarms");
  await page.getByRole("button", { name: "Add destination" }).click();
  const form = page.getByRole("dialog", { name: "Add a destination" });
  await form.getByLabel("Name").fill("On-call");
  await form.getByLabel("URL").fill("ftp://x");
  await form.getByRole("button", { name: "Add destination" }).click();
  await expect(form.getByText("begins with https://")).toBeVisible();
  await form.getByLabel("URL").fill(receiver.url("/hook"));
  await expectNoViolations(page);
  await form.getByRole("button", { name: "Add destination" }).click();
  const added = page
    .getByRole("dialog", { name: /On-call/ })
    .or(page.getByRole("alertdialog", { name: /On-call/ }));
  await expect(added.getByLabel("Signing key")).toHaveValue(/^whs_/);
  await added.getByLabel("I have stored the key").check();
  await added.getByRole("button", { name: "Close" }).last().click();

  const destination = page.getByRole("list", { name: "Destinations" }).getByRole("listitem");
  await destination.getByRole("button", { name: "Send a test to On-call" }).click();
  await expect.poll(events).toEqual(["test"]);
  await expect(destination).toContainText("Last sent");

  await setMode(sluice.as("admin"), { mode: "shadow", reason: "drill" });
  await expect.poll(events).toEqual(["test", "opened"]);
  const incident = page
    .getByRole("list", { name: "Open incidents" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "The mode was switched" }) });
  await expect(incident).toContainText("switched the mode from enforce to shadow: drill");
  await expect(incident.getByRole("list", { name: "Sent to" })).toContainText(/On-call \d\d:/);
  await expect(page.getByRole("link", { name: /^Alarms\s*\d+ waiting/ })).toBeVisible();
  await incident.getByRole("button", { name: /^Acknowledge/ }).click();
  await expect(incident).toContainText(`Acknowledged by ${people.admin.email}`);
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Conditions" }).click();
  const conditions = page.getByRole("dialog", { name: "Conditions" });
  const ban = conditions.getByLabel("Ban", { exact: true });
  const quiet = conditions.getByRole("combobox", { name: "Quiet time of Ban" });
  await ban.click();
  await expect(ban).not.toBeChecked();
  await expect(quiet).toBeDisabled();
  await ban.click();
  await expect(ban).toBeChecked();
  await expect(quiet).toBeEnabled();
  await expectNoViolations(page);
});

test("a viewer asks for a block, staff confirm it, and the viewer reads the answer", async ({
  signedIn,
  sluice,
}) => {
  const viewer = await signedIn("viewer");
  await viewer.goto("/clients/203.0.113.44");
  await viewer.getByRole("button", { name: "Ask staff…" }).click();
  const dialog = viewer.getByRole("dialog", { name: "Ask staff" });
  await expect(dialog.getByLabel("Address or range")).toHaveValue("203.0.113.44");
  await dialog.getByLabel("Reason").fill("Tries passwords");
  await expectNoViolations(viewer);
  await dialog.getByRole("button", { name: "Send request" }).click();
  await expect(dialog).toHaveCount(0);

  const staff = await signedIn("staff");
  await staff.goto("/alarms");
  const request = staff
    .getByRole("list", { name: "Requests" })
    .getByRole("listitem")
    .filter({ hasText: "203.0.113.44" });
  await expect(request).toContainText(`${people.viewer.email} (viewer)`);
  await request.getByLabel(/^Answer to the request/).fill("well seen");
  await expectNoViolations(staff);
  await request.getByRole("button", { name: "Block 203.0.113.44" }).click();
  await expect(request).toContainText(`Confirmed by ${people.staff.email}`);
  expect(await sluice.redis.client.exists("blocklist:203.0.113.44")).toBe(1);

  await viewer.goto("/alarms");
  await expect(viewer.getByRole("list", { name: "Requests" })).toContainText("well seen");
  await expect(
    viewer.getByRole("button", { name: /Acknowledge|Send a test|Conditions|Decline/ }),
  ).toHaveCount(0);
  await sluice.redis.client.del("blocklist:203.0.113.44");
});

test("incidents fit at every width, in both themes", async ({ signedIn, sluice }) => {
  await setMode(sluice.as("admin"), { mode: "shadow", reason: "drill" });
  const page = await signedIn("viewer");
  await page.goto("/alarms");
  await expect(page.getByRole("heading", { name: "The mode was switched" }).first()).toBeVisible();
  await expectAtEveryWidth(page, "alarms");
});
