import { describe, expect, it } from "vitest";
import type { EntriesPage, ListEntry } from "@/lib/queries/entries.ts";
import { latest, partsOf, windowsFor } from "./row-windows.ts";

const entry = (address: string, reason = ""): ListEntry => ({
  ...{ address, reason, isRange: false, expiresAt: null, lifeMs: null },
});
const page = (addresses: readonly string[], asOf = 0): EntriesPage => ({
  ...{ total: 300, matching: 300, isComplete: true, asOf, ageMs: 0 },
  facets: { all: 300, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 },
  tags: [],
  entries: addresses.map((address) => entry(address)),
});

describe("windows", () => {
  it("are the reads that contain the rows", () => {
    expect(windowsFor({ from: 0, to: 20 })).toEqual([0]);
    expect(windowsFor({ from: 95, to: 120 })).toEqual([0, 100]);
    expect(windowsFor({ from: 100, to: 200 })).toEqual([100]);
    expect(windowsFor({ from: 999_990, to: 1_000_000 })).toEqual([999_900]);
    expect(windowsFor({ from: 0, to: 0 })).toEqual([0]);
  });

  it("are the parts of the table that have been read", () => {
    const first = page(["203.0.113.1", "203.0.113.2"]);
    const parts = partsOf([
      { offset: 100, page: first },
      { offset: 200, page: undefined },
    ]);
    expect(parts).toEqual([{ offset: 100, rows: first.entries }]);
  });

  it("take the counts of the list from the latest read", () => {
    expect(latest([page([], 5), undefined, page(["203.0.113.9"], 9), page([], 7)])?.asOf).toBe(9);
    expect(latest([undefined])).toBeUndefined();
  });
});
