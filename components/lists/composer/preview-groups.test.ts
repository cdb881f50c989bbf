import { describe, expect, it } from "vitest";
import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";
import { groupsOf } from "./preview-groups.ts";
import { verdictOf } from "./verdicts.tsx";

type Given = Partial<PreviewedLine> & Pick<PreviewedLine, "status">;
const previewOf = (willWrite: readonly string[], ...given: readonly Given[]): LinesPreview => ({
  lines: given.map((line, i) => ({
    line: i + 1,
    text: line.address ?? "",
    message: "wrong.",
    ...line,
  })),
  counts: { add: 0, extend: 0, skip: 0, invalid: 0 },
  willWrite,
});
const titles = (preview: LinesPreview) => groupsOf("blocklist", preview).map(({ title }) => title);

describe("a preview", () => {
  it("lists lines that will be written first, then the others and why", () => {
    const preview = previewOf(
      ["198.51.100.143", "2001:db8:42::/48", "192.0.2.1"],
      { status: "new", address: "198.51.100.143" },
      { status: "new", address: "2001:db8:42::/48", coversSafelisted: 2 },
      { status: "safelisted", address: "203.0.113.201" },
      { status: "own", address: "198.51.100.24" },
      { status: "not-an-address" },
      { status: "not-an-address" },
      { status: "extends", address: "192.0.2.1" },
      { status: "kept", address: "192.0.2.2" },
      { status: "duplicate", address: "198.51.100.143" },
    );
    expect(titles(preview)).toEqual([
      "2 will be added",
      "1 already there will be extended",
      "1 already safelisted",
      "1 is your own address",
      "2 are not addresses",
      "1 already there",
      "1 duplicate",
    ]);
    const [added, , safelisted, own] = groupsOf("blocklist", preview);
    expect(added?.details).toEqual([
      "1 address and 1 range (2001:db8:42::/48).",
      "2 safelisted entries inside: they still pass.",
    ]);
    expect(safelisted?.link).toEqual({ href: "/safelist?q=203.0.113.201", text: "Open entry" });
    expect(own?.details).toEqual(["Skipped so that you keep access."]);
  });

  it("asks for wide ranges again, until they are confirmed", () => {
    const wide = { status: "confirm", address: "198.51.0.0/18" } as const;
    expect(groupsOf("blocklist", previewOf([], wide))).toMatchObject([
      { sign: "ask", ask: ["198.51.0.0/18"] },
    ]);
    expect(titles(previewOf(["198.51.0.0/18"], { ...wide, status: "new" }))).toEqual(["1 will be added"]);
  });

  it("shows three reasons, and the number of the others", () => {
    const wrong = Array.from({ length: 8 }, (): Given => ({ status: "not-an-address" }));
    const [group] = groupsOf("blocklist", previewOf([], ...wrong));
    expect(group).toMatchObject({
      title: "8 are not addresses",
      details: ["Line 1: wrong.", "Line 2: wrong.", "Line 3: wrong."],
      more: 5,
    });
  });

  it("names each address once", () => {
    const groups = groupsOf(
      "blocklist",
      previewOf(
        [],
        { status: "kept", address: "192.0.2.1", message: "On the blocklist already." },
        { status: "protected", address: "192.0.2.2", message: "192.0.2.2 overlaps 192.0.2.0/24." },
      ),
    );
    expect(groups.flatMap(({ details }) => details)).toEqual([
      "192.0.2.2 overlaps 192.0.2.0/24.",
      "192.0.2.1: On the blocklist already.",
    ]);
  });

  it("offers the suggestion", () => {
    const [group] = groupsOf(
      "blocklist",
      previewOf(
        [],
        { status: "not-an-address", suggestion: "198.51.100.0/24" },
        { status: "not-an-address" },
      ),
    );
    expect(group?.corrections).toEqual([{ line: 1, to: "198.51.100.0/24" }]);
  });

  it("has no link to the other list on the safelist", () => {
    const [group] = groupsOf("safelist", previewOf([], { status: "safelisted", address: "203.0.113.1" }));
    expect(group?.link).toBeUndefined();
  });
});

it("gives each line its verdict", () => {
  const line = (status: PreviewedLine["status"], address?: string): PreviewedLine => ({
    ...{ line: 1, text: "", message: "", status },
    ...(address && { address }),
  });
  expect(verdictOf(line("new", "203.0.113.1"))).toEqual({ sign: "add", word: "Add" });
  expect(verdictOf(line("new", "2001:db8:42::/48")).word).toBe("Add, whole /48");
  expect(verdictOf(line("own")).word).toBe("Your address");
});
