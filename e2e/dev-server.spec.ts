import { test } from "@playwright/test";
import { testDevServer } from "./fixtures/dev-server.ts";

// One worker installs the storefront.
test.describe.configure({ mode: "default", timeout: 180_000 });

for (const bundler of ["turbopack", "webpack"] as const)
  test(`next dev of Next 16 with ${bundler} serves pages and enforces the lists`, () =>
    testDevServer("16", bundler));
