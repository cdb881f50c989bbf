import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRows, writeRow } from "./csv.ts";

const read = (text: string) => [...readRows(text)].map(({ text, ...row }) => row);
const cells = (text: string) => read(text).map((row) => row.cells);

describe("reading", () => {
  it("knows quotes, doubled quotes, commas and line ends inside them, and counts lines", () => {
    expect(read('a,"b ""c"", d"\r\n"two\nlines",x\n\nlast')).toEqual([
      { line: 1, cells: ["a", 'b "c", d'] },
      { line: 2, cells: ["two\nlines", "x"] },
      { line: 5, cells: ["last"] },
    ]);
  });

  it("leaves out a byte order mark, blank lines and comments", () => {
    expect(read('\ufeffa\r\n# "unclosed\r\n  \r\n   # more\rb\n; c\n//, "d\n')).toEqual([
      { line: 1, cells: ["a"] },
      { line: 5, cells: ["b"] },
    ]);
  });

  it("has the text of each row, without its line end", () => {
    expect([...readRows('a,"b\r\nc"\r\n\n d\re,"f" g\n,')].map(({ text }) => text)).toEqual([
      'a,"b\r\nc"',
      " d",
      'e,"f" g',
      ",",
    ]);
  });

  it("keeps a quote in the middle of a cell, and empty cells", () => {
    expect(cells('1.2.3.4,,he said "no"\n,,')).toEqual([
      ["1.2.3.4", "", 'he said "no"'],
      ["", "", ""],
    ]);
  });

  it("takes a formula, or an apostrophe, without a guard as it is", () => {
    expect(cells("=1,-2,'quoted',\"@x\"")).toEqual([["=1", "-2", "'quoted'", "@x"]]);
  });

  it("tells a quote that is not closed, or goes on, and reads the next lines all the same", () => {
    const rows = read('a,"b" c\nd\ne,"f\ng');
    expect(rows.map(({ line, problem }) => [line, problem?.slice(0, 21)])).toEqual([
      [1, "a quote is not closed"],
      [2, undefined],
      [3, "a quote is not closed"],
      [4, undefined],
    ]);
  });

  it("takes a long file with many faults in its stride", () => {
    const begin = performance.now();
    expect(read('1.2.3.4,"x\n'.repeat(100_000))).toHaveLength(100_000);
    expect(read(`"${'""'.repeat(1_000_000)}`)).toHaveLength(1);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it("refuses a row that is too long, in one line or over several, and reads the rows after it", () => {
    const says = (length: string) => `the line is ${length} characters long. Lines may have 2,000`;
    const rows = read(`a\n${"x".repeat(300_000)}\nb\n"${"y\n".repeat(2_000)}"\nc`);
    expect(rows.map(({ line, cells, problem }) => [line, cells, problem])).toEqual([
      [1, ["a"], undefined],
      [2, [], says("300,000")],
      [3, ["b"], undefined],
      [4, [], says("4,003")],
      [2_005, ["c"], undefined],
    ]);
    const longest = `"${"x".repeat(1_998)}"`;
    expect(read(`${longest}\r\n${longest}x`).map(({ problem }) => problem)).toEqual([
      undefined,
      says("2,001"),
    ]);
    expect(read(`# ${"x".repeat(3_000)}\n${" ".repeat(3_000)}\na`)).toEqual([{ line: 3, cells: ["a"] }]);
  });
});

describe("writing", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])(
    "guards %j against spreadsheets",
    (cell) => {
      expect(writeRow(["x", cell])).toMatch(/^x,"?'/);
      expect(cells(writeRow(["x", cell]))).toEqual([["x", cell]]);
    },
  );

  it("leaves other cells as they are", () => {
    expect(writeRow(["2001:db8::1", "it's", "a-b", "'quoted'"])).toBe("2001:db8::1,it's,a-b,'quoted'\r\n");
  });

  it("is undone by reading, whatever the cells hold", () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n\",# a＝") }),
      fc.string({ unit: "binary" }),
    );
    const row = fc.array(cell, { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        expect(cells(rows.map(writeRow).join(""))).toEqual(rows);
      }),
      { numRuns: 2_000 },
    );
  });
});
