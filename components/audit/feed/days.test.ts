import { describe, expect, it } from "vitest";
import { byDay, type Row, sayDay, undoneIn } from "./days.ts";

const row = (n: number, at: string): Row => ({
  ...{
    id: `${n}-0`,
    n,
    at,
    actor: "",
    address: null,
    via: "console",
    look: "change",
    tone: "plain",
    about: "blocklist",
  },
  ...{ says: [], reason: "", change: null, targets: 1, bulk: null, hits: null, undoes: null, noUndo: null },
});
const damaged = (n: number): Row => ({ id: `${n}-0`, n, look: "damaged", damage: "" });
const numbers = (rows: readonly Row[]) => byDay(rows).map(({ day, rows }) => [day, rows.map(({ n }) => n)]);

describe("days", () => {
  it("gather what was made on them, in UTC", () => {
    expect(
      numbers([
        row(3, "2026-03-21T00:30:00Z"),
        row(2, "2026-03-20T23:59:00Z"),
        row(1, "2026-03-20T01:00:00Z"),
      ]),
    ).toEqual([
      ["2026-03-21", [3]],
      ["2026-03-20", [2, 1]],
    ]);
  });

  it("keep damaged rows in their place", () => {
    expect(
      numbers([damaged(4), row(3, "2026-03-21T00:30:00Z"), damaged(2), row(1, "2026-03-20T01:00:00Z")]),
    ).toEqual([
      ["2026-03-21", [4, 3, 2]],
      ["2026-03-20", [1]],
    ]);
    expect(numbers([damaged(1)])).toEqual([["", [1]]]);
  });

  it.each([
    ["2026-03-21", "Today"],
    ["2026-03-20", "Yesterday"],
    ["2026-03-14", "Saturday 14 March"],
    ["2025-12-31", "31 December 2025"],
    ["", "Unknown day"],
  ])("%s is %s", (day, words) => {
    expect(sayDay(day, Date.parse("2026-03-21T12:00:00Z"))).toBe(words);
  });
});

describe("what is undone", () => {
  const of = (...undone: [number, number, boolean][]) =>
    [...undoneIn([{ undone }])].map(([n, { by, isPartly }]) => [n, by, ...(isPartly ? ["partly"] : [])]);

  it("is so until its undo is undone", () => {
    expect(of([5, 6, false])).toEqual([[5, 6]]);
    expect(of([6, 7, false], [5, 6, false])).toEqual([[6, 7]]);
    expect(of([7, 8, false], [6, 7, false], [5, 6, false])).toEqual([
      [7, 8],
      [5, 6],
    ]);
  });

  it("is partly so when entries were chosen, changed since, or put back", () => {
    expect(of([5, 6, true])).toEqual([[5, 6, "partly"]]);
    expect(of([5, 7, false], [5, 6, true])).toEqual([[5, 7]]);
    expect(of([5, 7, true], [5, 6, false])).toEqual([[5, 6]]);
    expect(of([6, 7, true], [5, 6, false])).toEqual([
      [6, 7, "partly"],
      [5, 6, "partly"],
    ]);
  });
});
