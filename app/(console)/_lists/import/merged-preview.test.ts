import { expect, it } from "vitest";
import type { LinesPreview } from "../../../../lib/lists/preview.ts";
import { merged } from "./merged-preview.ts";

const previewOf = (line: number, address: string): LinesPreview => ({
  lines: [{ line, address, text: address, status: "new", message: "" }],
  counts: { add: 1, extend: 0, skip: 2, invalid: 0 },
  willWrite: [address],
});

it("tells the lines of the file, and writes nothing twice", () => {
  const whole = merged([
    { preview: previewOf(3, "203.0.113.1"), firstLine: 1 },
    { preview: previewOf(1, "203.0.113.1"), firstLine: 5_001 },
  ]);
  expect(whole.lines.map(({ line }) => line)).toEqual([3, 5_001]);
  expect(whole.counts).toEqual({ add: 2, extend: 0, skip: 4, invalid: 0 });
  expect(whole.willWrite).toEqual(["203.0.113.1"]);
});
