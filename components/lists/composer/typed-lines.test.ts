import { describe, expect, it } from "vitest";
import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";
import {
  corrected,
  countKinds,
  kindOf,
  leftOver,
  type TypedLine,
  typedLines,
  withSuggestions,
} from "./typed-lines.ts";

const line = (line: number, status: PreviewedLine["status"], address?: string): PreviewedLine => ({
  ...{ line, status, text: "", message: "" },
  ...(address && { address }),
});
const previewOf = (...lines: readonly PreviewedLine[]): LinesPreview => ({
  ...{ lines, willWrite: [], counts: { add: 0, extend: 0, skip: 0, invalid: 0 } },
});

describe("lines while they are typed", () => {
  const before = "203.0.113.1\n203.0.113.2\n";
  const preview = previewOf(line(1, "new"), line(2, "kept"));

  it("keep their verdict while they are unchanged", () => {
    const [first, second, third] = typedLines(`${before}203.0`, preview, before);
    expect(first?.judged).toMatchObject([{ status: "new" }]);
    expect(second?.judged).toMatchObject([{ status: "kept" }]);
    expect(third).toMatchObject({ judged: [], isWaiting: true });
  });

  it("lose it when they change or move", () => {
    const lines = typedLines("203.0.113.15\n203.0.113.2", preview, before);
    expect(lines.map(({ judged }) => judged[0]?.status)).toEqual([undefined, "kept"]);
    const moved = typedLines(`\n${before}`, preview, before);
    expect(moved.map(({ judged }) => judged)).toEqual([[], [], [], []]);
  });

  it("do not wait when they are empty", () => {
    expect(
      typedLines("\n  \n# scanners\n; bots\n// both", undefined, "").map(({ isWaiting }) => isWaiting),
    ).toEqual([false, false, false, false, false]);
  });
});

it("keeps lines that can be fixed, and lines whose write failed", () => {
  const text = "203.0.113.1\n203.0.113.\n198.51.100.7\n198.51.0.0/18\n203.0.113.9";
  const preview = previewOf(
    line(1, "new", "203.0.113.1"),
    line(2, "not-an-address"),
    line(3, "safelisted", "198.51.100.7"),
    line(4, "confirm", "198.51.0.0/18"),
    line(5, "new", "203.0.113.9"),
  );
  expect(leftOver(text, preview, [{ address: "203.0.113.9" }])).toBe(
    "203.0.113.\n198.51.0.0/18\n203.0.113.9\n",
  );
  expect(leftOver("203.0.113.1", previewOf(line(1, "new", "203.0.113.1")), [])).toBe("");
});

it("replaces one line with its suggestion", () => {
  expect(corrected("203.0.113.1\n198.51.100.7/24\n", 2, "198.51.100.0/24")).toBe(
    "203.0.113.1\n198.51.100.0/24\n",
  );
});

const typed = (text: string, ...judged: readonly Partial<PreviewedLine>[]): TypedLine => ({
  text,
  judged: judged.map((one) => ({ ...line(1, "not-an-address"), ...one })),
  isWaiting: false,
});

describe("the kinds of lines", () => {
  const lines = [
    typed("203.0.113.1", { status: "new" }),
    typed("203.0.113.1-203.0.113.4", { status: "kept" }, { status: "extends" }),
    typed("203.0.113.9/24", { suggestions: ["203.0.113.0/24"] }),
    typed("203.0.113.9", { status: "safelisted" }),
    typed("203.0.113.10", { status: "own" }),
    typed("192.0.2.30", { status: "customer" }),
    typed("# comment"),
    typed("203.0.113.300", {}),
    typed("Hello", { status: "no-address" }),
    typed(" "),
  ];

  it("add up", () => {
    const { all, ...kinds } = countKinds(lines);
    expect(kinds).toEqual({ ready: 2, suggestions: 1, customers: 1, skipped: 2, none: 3 });
    expect(Object.values(kinds).reduce((sum, count) => sum + count)).toBe(all);
  });

  it("are unknown while a line is checked", () => {
    expect(kindOf({ ...typed("203.0.113.1"), isWaiting: true })).toBeUndefined();
    expect(kindOf(typed(""))).toBeUndefined();
  });
});

it("puts every suggestion in the place of its line, and changes no other", () => {
  const lines = [
    typed("  203.0.113.1 x", { status: "new" }),
    typed("203.0.113.9/24", { suggestions: ["203.0.113.0/24"] }),
    typed("Http://example.com", { status: "no-address" }),
    typed("a, b", { suggestions: ["203.0.113.7", "203.0.113.8"] }),
    typed(""),
  ];
  expect(withSuggestions(lines)).toBe(
    "  203.0.113.1 x\n203.0.113.0/24\nHttp://example.com\n203.0.113.7\n203.0.113.8\n",
  );
});

it("keeps a line with several verdicts once", () => {
  const text = "203.0.0.0-203.0.63.255";
  const preview = previewOf(line(1, "confirm", "203.0.0.0/19"), line(1, "confirm", "203.0.32.0/19"));
  expect(leftOver(text, preview, [])).toBe(`${text}\n`);
});
