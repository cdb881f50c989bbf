import { expect, it } from "vitest";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { merged } from "./merged-preview.ts";

const previewOf = (line: number, address: string): LinesPreview => ({
  lines: [{ line, address, text: address, status: "new", message: "" }],
  counts: { add: 1, extend: 0, skip: 0, invalid: 0 },
  willWrite: [address],
});

it("has the line numbers of the file, and marks an address of an earlier piece as a duplicate", () => {
  const whole = merged([
    { preview: previewOf(3, "203.0.113.1"), firstLine: 1 },
    { preview: previewOf(1, "203.0.113.1"), firstLine: 5_001 },
  ]);
  expect(whole.lines.map(({ line }) => line)).toEqual([3, 5_001]);
  expect(whole.lines[1]).toEqual({
    ...{ line: 5_001, text: "203.0.113.1", status: "duplicate" },
    message: "203.0.113.1 is on line 3 already.",
  });
  expect(whole.counts).toEqual({ add: 1, extend: 0, skip: 1, invalid: 0 });
  expect(whole.willWrite).toEqual(["203.0.113.1"]);
});
