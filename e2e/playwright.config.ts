import { defineConfig } from "@playwright/test";
import { findChromium } from "@/scripts/ensure-chromium.mjs";

const executablePath = findChromium();
const specs = (...names: string[]) => names.map((name) => `${name}.spec.ts`);
/** What no clock is held against. */
const untimed = specs(
  ...[
    "pages",
    "small-screens",
    "charts",
    "states",
    "dev-server",
    "next-15",
    "demo",
    "first-load",
    "server-data",
  ],
);
/** The same, of files whose tests follow one another. */
const ordered = specs(
  ...["alarms", "api", "attack-mode", "bodies", "bulk-import", "check", "client-evidence", "console"],
  ...[
    "customer-day",
    "edge",
    "entry-hits",
    "feeds",
    "lazy-dialogs",
    "look-up",
    "loss",
    "network",
    "networks",
  ],
  ...["overrides", "overview", "owners", "paste", "previews", "request-rules", "roles", "settings"],
  ...["stories-lists", "suspension"],
);
const report = process.env.E2E_REPORT;

const disabledFeatures = [
  // For each window, Chromium draws two pages for the list below its address field, which has no window here. They take as much of
  // the processor as the page under test.
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  // Chromium takes the last list only, so this one begins with what Playwright disables.
  ...["AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"],
  ...["ThirdPartyStoragePartitioning"],
];

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  timeout: 60_000,
  // A promise about time names its own.
  expect: { timeout: 10_000 },
  retries: 0,
  // Stories time how fast a change takes hold: neighbours would spoil that, and a second try would hide it. Two workers use two cores:
  // with a third one, a console may answer that Redis does not.
  workers: 2,
  projects: [
    { name: "stories", testIgnore: [...untimed, ...ordered], workers: 1 },
    { name: "ordered", testMatch: ordered, dependencies: ["stories"] },
    { name: "untimed", testMatch: untimed, fullyParallel: true, dependencies: ["stories"] },
  ],
  forbidOnly: process.env.CI === "true",
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    browserName: "chromium",
    // Every action is recorded, but no film and no copy of the document at each of them: recording these takes more of the
    // processor than the pages do. `--trace on` records them, too.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Chromium refuses its sandbox to root.
      args: [
        ...["--no-sandbox", "--disable-quic", "--disable-background-networking"],
        `--disable-features=${disabledFeatures.join(",")}`,
      ],
    },
  },
});
