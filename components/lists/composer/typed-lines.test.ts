import { describe, expect, it } from "vitest";
import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";
import { corrected, leftOver, linesOf, typedLines } from "./typed-lines.ts";

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
    expect(first?.judged?.status).toBe("new");
    expect(second?.judged?.status).toBe("kept");
    expect(third).toMatchObject({ judged: undefined, isWaiting: true });
  });

  it("lose it when they change or move", () => {
    const lines = typedLines("203.0.113.15\n203.0.113.2", preview, before);
    expect(lines.map(({ judged }) => judged?.status)).toEqual([undefined, "kept"]);
    const moved = typedLines(`\n${before}`, preview, before);
    expect(moved.map(({ judged }) => judged?.status)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("do not wait when they are empty", () => {
    expect(typedLines("\n  \n# scanners", undefined, "").map(({ isWaiting }) => isWaiting)).toEqual([
      false,
      false,
      false,
    ]);
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

it("puts each address on its own line", () => {
  expect(linesOf("203.0.113.1, 203.0.113.2;198.51.100.0/24  2001:db8::1")).toBe(
    "203.0.113.1\n203.0.113.2\n198.51.100.0/24\n2001:db8::1",
  );
  expect(linesOf("203.0.113.1\r\n203.0.113.2\r")).toBe("203.0.113.1\n203.0.113.2\n");
});

it("does not change lines that are not a list of addresses", () => {
  for (const text of [
    "203.0.113.1, 1w, scraper, one of many",
    "see 203.0.113.1",
    "",
    "203.0.113.1",
    "a, b",
  ]) {
    expect(linesOf(text)).toBe(text);
  }
});
