import { describe, expect, it } from "vitest";
import { readImport } from "@/lib/manage/lists/import-lines.ts";
import type { ListEntry } from "@/lib/queries/entries.ts";
import * as selection from "./selection.ts";
import { csvOf } from "./selection.ts";

const entry = (address: string): ListEntry => ({
  ...{ address, reason: "", isRange: false, expiresAt: null, lifeMs: null },
});
const [one, two, three] = [entry("203.0.113.1"), entry("203.0.113.2"), entry("203.0.113.3")] as const;
const matching = { kind: "matching", q: "scan", facet: "ranges", tag: "", count: 12_000 } as const;

describe("a selection", () => {
  it("adds and removes rows", () => {
    const both = selection.toggled(selection.toggled(selection.nothing, one, 0), two, 1);
    expect(selection.countOf(both)).toBe(2);
    const left = selection.toggled(both, one, 0);
    expect(selection.isSelected(left, one.address)).toBe(false);
    expect(selection.selectionInput(left)).toEqual({ addresses: [two.address] });
  });

  it("stretches from the row selected last, in both directions", () => {
    const start = selection.toggled(selection.nothing, two, 7);
    expect(selection.stretchTo(start, 3)).toEqual({ from: 3, to: 8 });
    expect(selection.stretchTo(start, 9)).toEqual({ from: 7, to: 10 });
    expect(selection.stretchTo(selection.nothing, 9)).toEqual({ from: 9, to: 10 });
    expect(selection.countOf(selection.stretched(start, [one, two, three], 3))).toBe(3);
  });

  it("may be all matching entries", () => {
    expect(selection.countOf(matching)).toBe(12_000);
    expect(selection.isSelected(matching, one.address)).toBe(true);
    expect(selection.selectionInput(matching)).toEqual({ selection: { q: "scan", facet: "ranges" } });
    expect(selection.selectionInput({ ...matching, tag: "bot" })).toEqual({
      selection: { q: "scan", facet: "ranges", tag: "bot" },
    });
    // A click on one row must not leave 11,999 unseen rows selected.
    expect(selection.countOf(selection.toggled(matching, one, 0))).toBe(1);
  });
});

describe("the checkbox in the head", () => {
  const seen = [one, two];
  it("shows none, some and all", () => {
    expect(selection.headState(selection.nothing, seen)).toBe(false);
    const some = selection.toggled(selection.nothing, one, 0);
    expect(selection.headState(some, seen)).toBe("indeterminate");
    const all = selection.allToggled(some, seen);
    expect(selection.headState(all, seen)).toBe(true);
    expect(selection.countOf(selection.allToggled(all, seen))).toBe(0);
  });

  it("is off for an empty table", () => {
    expect(selection.headState(selection.nothing, [])).toBe(false);
    expect(selection.countOf(selection.allToggled(matching, seen))).toBe(0);
  });
});

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
