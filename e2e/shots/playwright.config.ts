import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

/** The browser of the tests, but what runs here asserts nothing: it looks. */
export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "*.shots.ts",
  outputDir: "../../test-results/shots",
  reporter: "list",
  timeout: 120_000,
  use: { ...tests.use, trace: "off" },
});
