import { defineConfig } from "@playwright/test";
import { findChromium } from "../scripts/ensure-chromium.mjs";

const executablePath = findChromium();
/** What is only looked at. */
const pages = "pages.spec.ts";
const report = process.env.E2E_REPORT;

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  timeout: 60_000,
  retries: 0,
  // Stories time how fast a change takes hold: neighbours would spoil that, and a second try would hide it.
  workers: 2,
  projects: [
    { name: "stories", testIgnore: pages, workers: 1 },
    { name: "pages", testMatch: pages, fullyParallel: true, dependencies: ["stories"] },
  ],
  forbidOnly: process.env.CI === "true",
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    browserName: "chromium",
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Chromium refuses its sandbox to root.
      args: ["--no-sandbox", "--disable-quic", "--disable-background-networking"],
    },
  },
});
