import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { chunksOf, merged } from "./file-chunks.ts";

const small = { bytes: 60, lines: 3 };

describe("a file in pieces", () => {
  it("is one piece when it is small", () => {
    const text = "address,reason\r\n203.0.113.1,scan\r\n";
    expect(chunksOf(text)).toEqual([{ text, firstLine: 1 }]);
    expect(chunksOf("")).toEqual([]);
  });

  it("has at most the lines of one preview, the repeated header among them", () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}\n`).join("");
    const counts = chunksOf(`address\n${rows}`).map(({ text }) => text.split("\n").length - 1);
    expect(counts).toEqual([1_999, 2_000, 1_004]);
  });

  it("repeats its header, and keeps the line numbers of the file", () => {
    const rows = ["203.0.113.1,a", "203.0.113.2,b", "203.0.113.3,c"].map((row) => `${row}\n`);
    const [first, second] = chunksOf(`address,reason\n${rows.join("")}`, small);
    expect(first).toEqual({ text: `address,reason\n${rows[0]}${rows[1]}`, firstLine: 1 });
    expect(second?.text).toBe(`address,reason\n${rows[2]}`);
    // The header takes the place of line 3 of the file: its row is line 4.
    expect(second?.firstLine).toBe(3);
  });

  it("has no header when the file has none", () => {
    const chunks = chunksOf("192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4", small);
    expect(chunks).toEqual([
      { text: "192.0.2.1\n192.0.2.2\n192.0.2.3\n", firstLine: 1 },
      { text: "192.0.2.4", firstLine: 4 },
    ]);
  });

  it("is not cut inside quotes", () => {
    const row = '192.0.2.3,1w,"one\ntwo ""2""\nthree"\n';
    const chunks = chunksOf(`192.0.2.1\n192.0.2.2\n${row}192.0.2.4\n`, small);
    expect(chunks.map(({ text }) => text)).toContain(row);
  });

  it("treats an unclosed quote as a fault of one line", () => {
    const chunks = chunksOf(`192.0.2.1,"oops\n${"192.0.2.2\n".repeat(200)}`, { bytes: 1_000, lines: 20 });
    expect(chunks.length).toBeGreaterThan(5);
  });

  it("loses nothing and stays below its limits", () => {
    const line = fc.stringMatching(/^[a-f0-9.:,ä ]{0,20}$/);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.map((each) => `${each}\n`).join("");
        const chunks = chunksOf(text, small);
        expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
        for (const chunk of chunks)
          expect(new TextEncoder().encode(chunk.text).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});

const previewOf = (line: number, address: string): LinesPreview => ({
  lines: [{ line, address, text: address, status: "new", message: "" }],
  counts: { add: 1, extend: 0, skip: 0, invalid: 0 },
  willWrite: [address],
});

it("has the line numbers of the file, and marks an address of an earlier piece as a duplicate", () => {
  const whole = merged([
    { preview: previewOf(3, "203.0.113.1"), chunk: { text: "", firstLine: 1 } },
    { preview: previewOf(1, "203.0.113.1"), chunk: { text: "", firstLine: 5_001 } },
  ]);
  expect(whole.lines.map(({ line }) => line)).toEqual([3, 5_001]);
  expect(whole.lines[1]).toEqual({
    ...{ line: 5_001, text: "203.0.113.1", status: "duplicate" },
    message: "203.0.113.1 is on line 3 already.",
  });
  expect(whole.counts).toEqual({ add: 1, extend: 0, skip: 1, invalid: 0 });
  expect(whole.willWrite).toEqual(["203.0.113.1"]);
});
