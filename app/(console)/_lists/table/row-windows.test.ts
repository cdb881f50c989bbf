import { describe, expect, it } from "vitest";
import type { EntriesPage, ListedEntry } from "../../../../lib/queries/entries.ts";
import { hold, latest, rowsOf, windowsFor } from "./row-windows.ts";

const entry = (address: string, reason = ""): ListedEntry => ({
  ...{ address, reason, isRange: false, expiresAt: null, lifeMs: null },
});
const page = (addresses: readonly string[], asOf = 0): EntriesPage => ({
  ...{ total: 300, matching: 300, isComplete: true, asOf, ageMs: 0 },
  facets: { all: 300, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 },
  entries: addresses.map((address) => entry(address)),
});
const rows = (...addresses: readonly string[]) => new Map(addresses.map((address, i) => [i, entry(address)]));
const shown = (held: ReturnType<typeof hold>) =>
  [...held.rows]
    .sort(([a], [b]) => a - b)
    .map(([, { entry, isGone }]) => `${entry.address}${isGone ? " gone" : ""}`);

describe("windows", () => {
  it("are the reads that hold the rows", () => {
    expect(windowsFor({ from: 0, to: 20 })).toEqual([0]);
    expect(windowsFor({ from: 95, to: 120 })).toEqual([0, 100]);
    expect(windowsFor({ from: 100, to: 200 })).toEqual([100]);
    expect(windowsFor({ from: 999_990, to: 1_000_000 })).toEqual([999_900]);
    expect(windowsFor({ from: 0, to: 0 })).toEqual([0]);
  });

  it("put every entry in its place", () => {
    const read = rowsOf([
      { offset: 100, page: page(["203.0.113.1", "203.0.113.2"]) },
      { offset: 200, page: undefined },
    ]);
    expect([...read].map(([place, { address }]) => [place, address])).toEqual([
      [100, "203.0.113.1"],
      [101, "203.0.113.2"],
    ]);
  });

  it("speak for the list by the latest of them", () => {
    expect(latest([page([], 5), undefined, page(["203.0.113.9"], 9), page([], 7)])?.asOf).toBe(9);
    expect(latest([undefined])).toBeUndefined();
  });
});

describe("rows that are held", () => {
  it("keep their places when others come before them", () => {
    const held = hold(rows("a", "b", "c"), rows("new", "a", "b"), [0]);
    expect(shown(held)).toEqual(["a", "b", "c"]);
    expect(held.isBehind).toBe(true);
  });

  it("say what they say now", () => {
    const held = hold(rows("a"), new Map([[0, entry("a", "changed")]]), [0]);
    expect(held.rows.get(0)?.entry.reason).toBe("changed");
    expect(held.isBehind).toBe(false);
  });

  it("stay, marked, when they are gone", () => {
    const held = hold(rows("a", "b"), rows("b"), [0]);
    expect(shown(held)).toEqual(["a gone", "b"]);
    expect(held.isBehind).toBe(true);
  });

  it("let places be filled that had not been read", () => {
    const held = hold(rows("a"), rows("a", "b"), [0]);
    expect(shown(held)).toEqual(["a", "b"]);
    expect(held.isBehind).toBe(false);
  });

  it("are not gone because nobody reads them any more", () => {
    const below = new Map([[150, entry("z")]]);
    const held = hold(rows("a", "b"), below, [100]);
    expect(shown(held)).toEqual(["a", "b", "z"]);
    expect(held.isBehind).toBe(false);
  });
});
