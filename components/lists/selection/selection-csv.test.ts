import { expect, it } from "vitest";
import { readImport } from "@/lib/manage/lists/import-lines.ts";
import { csvOf } from "./selection-csv.ts";

const at = "2031-03-21T14:32:00.000Z";

it("writes selected rows for an import, without formulas that a spreadsheet runs", () => {
  const csv = csvOf([
    {
      ...{
        address: "203.0.113.9",
        isRange: false,
        reason: '=HYPERLINK("http://example.org")',
        by: "ops@example.org",
      },
      ...{ at, via: "console", expiresAt: Date.parse(at), lifeMs: 1 },
    },
    { address: "198.51.100.0/24", isRange: true, reason: "one, two", expiresAt: null, lifeMs: null },
  ]);
  expect(csv).not.toMatch(/(^|,|")=/m);
  expect(readImport(csv)).toMatchObject({
    problems: [],
    lines: [
      { address: "203.0.113.9", life: { until: Date.parse(at) }, reason: '=HYPERLINK("http://example.org")' },
      { address: "198.51.100.0/24", life: "forever", reason: "one, two" },
    ],
  });
});
