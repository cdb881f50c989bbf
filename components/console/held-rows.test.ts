import { describe, expect, it } from "vitest";
import { freeRows, type HeldRows, isSameRead, nextRows, type RowsRead } from "./held-rows.ts";

interface Row {
  readonly id: string;
  readonly value: number;
}

const keyOf = ({ id }: Row) => id;
const rowsOf = (ids: string, value = 0): readonly Row[] => [...ids].map((id) => ({ id, value }));

/** A table without windows, one letter a row. */
const read = (ids: string, value = 0, view = "all"): RowsRead<Row> => ({
  ...{ view, parts: [{ offset: 0, rows: rowsOf(ids, value) }], count: ids.length },
});
/** One part of a longer table. */
const part = (offset: number, ids: string, count: number): RowsRead<Row> => ({
  ...{ view: "all", parts: [{ offset, rows: rowsOf(ids) }], count },
});
const hold = (before: HeldRows<Row>, next: RowsRead<Row>) => nextRows(before, next, true, keyOf);

/** "a b- c": rows in the order they are drawn. A minus marks a gone row. */
const shown = ({ rows }: HeldRows<Row>) =>
  [...rows].map(([, { row, isGone }]) => row.id + (isGone ? "-" : "")).join(" ");

describe("held rows", () => {
  const before = freeRows(read("abc"));

  it("keep their order when the order changes, and take new values", () => {
    const held = hold(before, read("cab", 7));
    expect(shown(held)).toBe("a b c");
    expect([...held.rows.values()].map(({ row }) => row.value)).toEqual([7, 7, 7]);
    expect(held).toMatchObject({ isBehind: true, newer: 0 });
  });

  it("hold new rows back at any place, and count them", () => {
    for (const next of ["xabc", "axbc", "abcx"]) {
      const held = hold(before, read(next));
      expect([next, shown(held), held.newer, held.count]).toEqual([next, "a b c", 1, 3]);
    }
    expect(hold(before, read("xyabc")).newer).toBe(2);
  });

  it("stay after they leave the table, marked and with the last known values", () => {
    for (const [next, expected] of [
      ["bc", "a- b c"],
      ["ab", "a b c-"],
      ["", "a- b- c-"],
    ] as const) {
      const held = hold(before, read(next, 7));
      expect([shown(held), held.isBehind, held.count]).toEqual([expected, true, 3]);
    }
    expect(hold(before, read("bc", 7)).rows.get(0)).toEqual({ row: { id: "a", value: 0 }, isGone: true });
  });

  it("lose the mark when they come back", () => {
    expect(shown(hold(hold(before, read("bc")), read("bca")))).toBe("a b c");
  });

  it("keep their places over many reads, and follow the order again after they are released", () => {
    const reads = ["xab", "yxc", "cba", "zyx", "bzy"].map((ids) => read(ids));
    const held = reads.reduce(hold, before);
    expect(shown(held)).toBe("a- b c-");
    expect(nextRows(held, read("bzy"), false, keyOf)).toEqual(freeRows(read("bzy")));
  });

  it("are not behind while nothing changed", () => {
    expect(hold(before, read("abc", 3))).toMatchObject({ isBehind: false, newer: 0 });
  });

  it("are replaced by the rows of another view, which are held from then on", () => {
    const asked = { ...read("abc", 0, "other"), isPlaceholder: true };
    const waiting = hold(before, asked);
    expect(shown(waiting)).toBe("a b c");
    const settled = hold(waiting, read("xyz", 0, "other"));
    expect(shown(settled)).toBe("x y z");
    expect(shown(hold(settled, read("zyx", 0, "other")))).toBe("x y z");
  });

  it("fill an empty table", () => {
    expect(shown(hold(freeRows(read("")), read("ab")))).toBe("a b");
  });
});

describe("held rows of a table that is read in parts", () => {
  const before = freeRows(part(0, "abc", 6));

  it("are not gone if their part is no longer read", () => {
    const held = hold(before, part(3, "def", 6));
    expect(shown(held)).toBe("a b c d e f");
    expect(held).toMatchObject({ isBehind: false, newer: 0 });
  });

  it("are not gone if they may have moved to a part that is not read", () => {
    expect(shown(hold(before, part(0, "xab", 7)))).toBe("a b c");
    expect(hold(before, part(0, "xab", 7)).newer).toBe(1);
    const closedUp = hold(before, part(0, "acd", 5));
    expect([shown(closedUp), closedUp.newer]).toEqual(["a b- c", 0]);
  });

  it("are followed by the next row that has no place yet", () => {
    const both = (first: string, second: string, count: number): RowsRead<Row> => ({
      ...part(0, first, count),
      parts: [
        { offset: 0, rows: rowsOf(first) },
        { offset: 3, rows: rowsOf(second) },
      ],
    });
    expect(shown(hold(before, both("xab", "cde", 7)))).toBe("a b c d e");
    expect(shown(hold(before, both("acd", "ef", 5)))).toBe("a b- c d e");
    expect(shown(hold(before, both("bca", "def", 6)))).toBe("a b c d e f");
  });

  it("stay marked while their place is not read", () => {
    const gone = hold(before, part(0, "acd", 5));
    expect(shown(hold(gone, part(3, "ef", 5)))).toMatch(/^a b- c/);
  });
});

it("reads are the same if their rows are", () => {
  const one = read("ab");
  expect(isSameRead(one, { ...one, parts: [...one.parts] })).toBe(true);
  expect(isSameRead(read(""), read(""))).toBe(true);
  expect(isSameRead(one, read("ab"))).toBe(false);
  expect(isSameRead(one, { ...one, count: 3 })).toBe(false);
  expect(isSameRead(one, { ...one, isPlaceholder: true })).toBe(false);
  expect(isSameRead(one, { ...one, view: "other" })).toBe(false);
});
