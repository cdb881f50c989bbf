import { describe, expect, it } from "vitest";
import type { LinesPreview, PreviewedLine } from "../../../../lib/lists/preview.ts";
import { type Circumstances, readinessOf } from "./readiness.ts";

const previewOf = (
  willWrite: readonly string[],
  ...statuses: readonly PreviewedLine["status"][]
): LinesPreview => ({
  lines: statuses.map((status, i) => ({ line: i + 1, text: "", message: "", status })),
  counts: { add: 0, extend: 0, skip: 0, invalid: 0 },
  willWrite,
});
const around: Circumstances = {
  text: "203.0.113.1\n203.0.113.2",
  ttl: { ok: true, value: 604_800_000 },
  reasonProblem: undefined,
  preview: previewOf(["203.0.113.1", "203.0.113.2"], "new", "new"),
  isCurrent: true,
  failure: undefined,
};

describe("the button", () => {
  it("says what it will do, to what the preview has shown", () => {
    expect(readinessOf("blocklist", around)).toEqual({
      can: true,
      label: "Block 2 for 1 week",
      ttlMs: 604_800_000,
      addresses: ["203.0.113.1", "203.0.113.2"],
      saysMore: false,
    });
  });

  it("does not promise one end for lines that name their own", () => {
    const line = {
      line: 1,
      text: "203.0.113.1,1h,scraper",
      address: "203.0.113.1",
      status: "new",
      message: "",
    } as const;
    const preview = { ...previewOf(["203.0.113.1"]), lines: [line] };
    expect(readinessOf("blocklist", { ...around, preview })).toMatchObject({
      label: "Block 1 as the lines say",
      saysMore: true,
    });
  });

  it("waits for a preview of what stands there now", () => {
    const waiting = { can: false, label: "Checking", isChecking: true };
    expect(readinessOf("blocklist", { ...around, isCurrent: false })).toMatchObject(waiting);
    expect(readinessOf("blocklist", { ...around, preview: undefined })).toMatchObject(waiting);
  });

  it.each([
    [{ text: " \n" }, "Paste an address first."],
    [{ ttl: { ok: false, reason: "Write a whole number" } } as const, "Write a whole number."],
    [{ reasonProblem: "A reason has no control characters" }, "A reason has no control characters."],
    [{ failure: "Redis does not answer." }, "Redis does not answer."],
    [{ preview: previewOf([], "own", "safelisted") }, "Every line is skipped; the preview says why."],
    [{ preview: previewOf([], "confirm", "own") }, "1 wide range waits to be typed again."],
    [{ preview: previewOf([]) }, "There is no address in it."],
  ] satisfies readonly (readonly [Partial<Circumstances>, string])[])(
    "cannot be pressed: %j",
    (change, why) => {
      expect(readinessOf("blocklist", { ...around, ...change })).toMatchObject({ can: false, why });
    },
  );

  it("names what there is nothing to do for", () => {
    const skipped = { ...around, preview: previewOf([], "kept") };
    expect(readinessOf("safelist", skipped).label).toBe("Nothing to safelist");
  });
});
