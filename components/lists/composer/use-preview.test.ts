import { describe, expect, it } from "vitest";
import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";
import { ReadError } from "@/lib/queries/query.ts";
import { type Circumstances, failureOf, readinessOf } from "./use-preview.ts";

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
  tags: { ok: true, value: ["bot"] },
  reasonProblem: undefined,
  preview: previewOf(["203.0.113.1", "203.0.113.2"], "new", "new"),
  isCurrent: true,
  failure: undefined,
};

describe("the button", () => {
  it("names the action and takes its addresses from the preview", () => {
    expect(readinessOf("blocklist", around)).toEqual({
      can: true,
      label: "Block 2 for 1 week",
      ttlMs: 604_800_000,
      addresses: ["203.0.113.1", "203.0.113.2"],
      tags: ["bot"],
      saysMore: false,
      isTagging: false,
    });
  });

  it("says that tags alone change, and what is wrong with them", () => {
    const address = "203.0.113.1";
    const line = { line: 1, text: address, address, message: "", status: "tags" as const };
    const preview = { ...previewOf([address]), lines: [line] };
    expect(readinessOf("blocklist", { ...around, preview })).toMatchObject({
      label: "Tag 1",
      isTagging: true,
    });
    const bad = readinessOf("blocklist", { ...around, tags: { ok: false, reason: '"ä" is not a tag' } });
    expect(bad).toMatchObject({ can: false, why: '"ä" is not a tag.' });
  });

  it("names no duration when lines have their own", () => {
    const line = {
      line: 1,
      text: "203.0.113.1,1h,scraper",
      address: "203.0.113.1",
      status: "new",
      message: "",
      saysMore: true,
    } as const;
    const preview = { ...previewOf(["203.0.113.1"]), lines: [line] };
    expect(readinessOf("blocklist", { ...around, preview })).toMatchObject({
      label: "Block 1 as specified",
      saysMore: true,
    });
    const other = { ...line, text: "GET /a, 203.0.113.1", saysMore: undefined };
    expect(readinessOf("blocklist", { ...around, preview: { ...preview, lines: [other] } })).toMatchObject({
      label: "Block 1 for 1 week",
      saysMore: false,
    });
  });

  it("names the customers that it would block", () => {
    const line = { line: 1, text: "192.0.2.30", address: "192.0.2.30", status: "new", message: "" } as const;
    const owners = [{ customer: "acme", requests: 9 }];
    const preview = { ...previewOf(["192.0.2.30"]), lines: [{ ...line, owners }] };
    expect(readinessOf("blocklist", { ...around, preview }).label).toBe(
      "Block 1 for 1 week, with customer acme",
    );
    const notChosen = {
      ...previewOf(["203.0.113.1"]),
      lines: [{ ...line, status: "customer", owners } as const],
    };
    expect(readinessOf("blocklist", { ...around, preview: notChosen }).label).toBe("Block 1 for 1 week");
  });

  it("waits for a preview of the current text", () => {
    const waiting = { can: false, label: "Checking", isChecking: true };
    expect(readinessOf("blocklist", { ...around, isCurrent: false })).toMatchObject(waiting);
    expect(readinessOf("blocklist", { ...around, preview: undefined })).toMatchObject(waiting);
  });

  it.each([
    [{ text: " \n" }, "Paste an address first."],
    [{ ttl: { ok: false, reason: "Enter a whole number" } } as const, "Enter a whole number."],
    [{ reasonProblem: "A reason has no control characters" }, "A reason has no control characters."],
    [{ failure: "Redis does not answer." }, "Redis does not answer."],
    [{ preview: previewOf([], "own", "safelisted") }, "Every line is skipped. The preview shows why."],
    [{ preview: previewOf([], "confirm", "own") }, "Type 1 wide range again to confirm it."],
    [{ preview: previewOf([]) }, "The text contains no address."],
  ] satisfies readonly (readonly [Partial<Circumstances>, string])[])("is disabled: %j", (change, why) => {
    expect(readinessOf("blocklist", { ...around, ...change })).toMatchObject({ can: false, why });
  });

  it("names the action that has nothing to do", () => {
    const skipped = { ...around, preview: previewOf([], "kept") };
    expect(readinessOf("safelist", skipped).label).toBe("Nothing to safelist");
  });
});

it("says that a failed check is retried only where it is", () => {
  const away = new ReadError(503, "Redis does not answer.");
  expect(failureOf(away)).toEqual({ message: "Redis does not answer.", isPassing: true });
  for (const error of [new ReadError(200, "The console was updated. Load the page again."), new Error("x")])
    expect(failureOf(error).isPassing).toBe(false);
});
