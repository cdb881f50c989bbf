import type { Locator, Page } from "@playwright/test";
import { setMode } from "@/lib/manage/policy/set-mode.ts";
import { showAttack } from "./fixtures/attack.ts";
import { expectBothThemes } from "./fixtures/looks.ts";
import { expect, test } from "./fixtures/seeded-test.ts";

const chartOf = (page: Page) => page.getByRole("figure", { name: "Requests per second by verdict" });
const zoomOf = (page: Page) => chartOf(page).getByRole("group", { name: "Zoom" });
const changesOf = (page: Page) => chartOf(page).getByRole("list", { name: "Changes on the chart" });
const isZoomed = /[?&]zoom=\d+-\d+/;

/** The overview, once it shows the attack. */
async function openAttack(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await expect(changesOf(page).getByRole("link").first()).toBeVisible({ timeout: 20_000 });
  await expect(chartOf(page).locator("[data-band=missing]")).toHaveCount(1);
}

/** Presses in the plot at one share of its width, and moves to another. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await boxOf(chartOf(page));
  const y = box.y + 100;
  const x = (share: number) => box.x + 50 + share * (box.width - 70);
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  await page.mouse.move(x((from + to) / 2), y);
  await page.mouse.move(x(to), y);
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not drawn.");
  return box;
}

const timesOf = (page: Page) => chartOf(page).locator("[data-axis=time]").allTextContents();

test("a drag zooms, the chart stays live, and Escape goes back", async ({ signedIn }) => {
  const page = await signedIn("staff");
  await showAttack(page);
  await openAttack(page);
  const before = await timesOf(page);

  await drag(page, 0.6, 0.8);
  await expect(page.getByText("Release to zoom · Esc cancels")).toBeVisible();
  await page.mouse.up();
  await expect(page).toHaveURL(isZoomed);
  await expect(zoomOf(page)).toContainText(/\d\d:\d\d(:\d\d)?–\d\d:\d\d/);
  const zoomed = await timesOf(page);
  expect(zoomed).not.toEqual(before);
  const shown = await zoomOf(page).textContent();
  for (let poll = 0; poll < 3; poll++)
    await page.waitForResponse((response) => response.url().includes("/api/overview"));
  expect(await timesOf(page)).toEqual(zoomed);
  expect(await zoomOf(page).textContent()).toBe(shown);
  await page.reload();
  await expect(zoomOf(page)).toHaveText(shown ?? "", { timeout: 20_000 });

  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(isZoomed);
  await expect(zoomOf(page)).toContainText("Drag to zoom");

  await drag(page, 0.3, 0.5);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Release to zoom · Esc cancels")).toBeHidden();
  await page.mouse.up();
  await expect(page).not.toHaveURL(isZoomed);
});

test("the keyboard zooms in, moves and goes back", async ({ signedIn }) => {
  const page = await signedIn("viewer");
  await showAttack(page);
  await openAttack(page, "/?range=1h");
  const zoomIn = zoomOf(page).getByRole("button", { name: "Zoom in" });
  await zoomIn.focus();
  await page.keyboard.press("Enter");
  await expect(zoomOf(page)).toContainText(/· (30 m|29 m \d+ s)/);
  await page.keyboard.press("Enter");
  await expect(zoomOf(page)).toContainText(/· (15 m|14 m \d+ s)/);
  const newest = await zoomOf(page).textContent();
  await zoomOf(page).getByRole("button", { name: "Earlier" }).press("Enter");
  await expect(zoomOf(page)).not.toHaveText(newest ?? "");
  await zoomOf(page).getByRole("button", { name: "Reset zoom" }).press("Enter");
  await expect(page).toHaveURL(/\?range=1h$/);
  await expect(zoomIn).toBeFocused();
});

test("a change on the chart leads to its record, and the time without protection is shaded", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("admin");
  await page.goto("/");
  const bands = chartOf(page).locator("[data-band=off]");
  await expect(zoomOf(page)).toBeVisible({ timeout: 20_000 });
  await expect(bands).toHaveCount(0);
  try {
    await setMode(sluice.as("admin"), { mode: "off", reason: "a test" });
    await expect(bands).toHaveCount(1, { timeout: 10_000 });
  } finally {
    await setMode(sluice.as("admin"), { mode: "enforce", reason: "a test" });
  }
  const change = changesOf(page).getByRole("link", { name: /switched the mode from off to enforce/ });
  await expect(change).toBeVisible({ timeout: 10_000 });
  await expect(bands).toHaveCount(1);
  await chartOf(page).getByText("Show as a table").click();
  await expect(chartOf(page).getByText(/^Protection off from .* to /)).toBeVisible();

  await change.press("Enter");
  await expect(page).toHaveURL(/\/audit\?record=\d+$/, { timeout: 20_000 });
  const record = page.getByRole("main").getByRole("listitem").first();
  await expect(record).toContainText("switched the mode from off to enforce");
  await expect(record.getByRole("region", { name: /^Record \d+$/ })).toBeVisible();
  await page.getByRole("button", { name: "Show newest" }).click();
  await expect(page).toHaveURL(/\/audit$/);
});

for (const [width, height] of [
  [390, 844],
  [1024, 768],
  [1600, 900],
] as const)
  for (const [range, factor] of [
    ["15m", 1],
    ["1h", 17],
    ["24h", 4_321],
    ["7d", 99_999],
  ] as const)
    test(`labels are apart from each other over ${range} at ${width} px`, async ({ signedIn }) => {
      const page = await signedIn("viewer", { viewport: { width, height } });
      await showAttack(page, { factor });
      await openAttack(page, `/?range=${range}`);
      // Before fonts are there, their widths are others.
      await page.evaluate(() => document.fonts.ready);
      const boxes = await chartOf(page).evaluate(labelBoxes);
      expect(boxes.length).toBeGreaterThan(7);
      expect(overlapsIn(boxes)).toEqual([]);
      const { x, width: chartWidth } = await boxOf(chartOf(page));
      const isOutside = ({ left, right }: LabelBox) => left < x - 1 || right > x + chartWidth + 1;
      expect(boxes.filter(isOutside)).toEqual([]);
    });

interface LabelBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Every text in the frame of the chart, and the frame. */
function labelBoxes(figure: Element): LabelBox[] {
  return [...figure.querySelectorAll("[data-axis], [data-band] text")].flatMap((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    return label.textContent === "" ? [] : [{ text: label.textContent ?? "", left, right, top, bottom }];
  });
}

function overlapsIn(boxes: readonly LabelBox[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );
}

test("nothing of the chart is hard to use for anybody, in both themes", async ({ signedIn }) => {
  const page = await signedIn("staff");
  await showAttack(page);
  await openAttack(page);
  await expectBothThemes(page);
  await zoomOf(page).getByRole("button", { name: "Zoom in" }).click();
  await expect(page).toHaveURL(isZoomed);
  await expectBothThemes(page);
});
