import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { playwrightCounts, vitestCounts } from "./test-counts.mjs";

const folder = mkdtempSync(join(tmpdir(), "sluice-counts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {unknown} report */
function reportFile(report) {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(report));
  return path;
}

test("a test file that could not be loaded is a failure", () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{}] },
    ],
  };
  expect(vitestCounts(reportFile(report))).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test("errors outside of a test are failures", () => {
  const report = { stats: { expected: 4, unexpected: 1, flaky: 0, skipped: 1 }, errors: [{}] };
  expect(playwrightCounts(reportFile(report))).toEqual({ passed: 4, failed: 2, skipped: 1 });
});

test("a report that was never written counts nothing", () => {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  expect(vitestCounts(join(folder, "none"))).toEqual(nothing);
  expect(playwrightCounts(join(folder, "none"))).toEqual(nothing);
});
