import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number; failed: number; skipped: number }} Counts */

/** Counts of Vitest's JSON report. A file that cannot be loaded counts as one failure.
 * @param {string} reportFile @returns {Counts}
 */
export function vitestCounts(reportFile) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 0, skipped: 0 };
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  /** @type {{ status: string; assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const unloaded = files.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts of Playwright's JSON report.
 * @param {string} reportFile @returns {Counts}
 */
export function playwrightCounts(reportFile) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 0, skipped: 0 };
  const { stats, errors } = JSON.parse(readFileSync(reportFile, "utf8"));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}
