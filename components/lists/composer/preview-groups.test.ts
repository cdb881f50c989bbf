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
      "1 conflicts with the safelist",
      "1 is your own address",
      "1 already there",
      "1 duplicate",
      "2 lines have no address",
    ]);
    const [added, , safelisted, own] = groupsOf("blocklist", preview);
    expect(added?.details).toEqual([
      "1 address and 1 range (2001:db8:42::/48).",
      "2 safelisted entries inside: they still pass.",
    ]);
    expect(safelisted?.link).toEqual({ href: "/safelist?q=203.0.113.201", text: "Open entry" });
    expect(own?.details).toEqual(["Skipped so that you keep access."]);
  });

  it("says once which entry safelists several addresses", () => {
    const campus = { address: "198.51.100.16/28", reason: "Campus" };
    const inside = (i: number): Given => ({
      ...{ status: "safelisted", address: `198.51.100.${i}`, message: `${i}` },
      conflict: { by: campus, inside: 0 },
    });
    const monitor = { status: "safelisted", address: "203.0.113.201", message: "Uptime monitor" } as const;
    const [group] = groupsOf("blocklist", previewOf([], ...[16, 17, 18, 19, 20].map(inside), monitor));
    expect(group?.title).toBe("6 conflict with the safelist");
    expect(group?.conflicts).toEqual([
      {
        address: "198.51.100.16",
        says: "5 addresses are safelisted by 198.51.100.16/28 (Campus): they are skipped, because the safelist wins.",
        asksRequests: false,
      },
      { address: "203.0.113.201", says: "Uptime monitor", asksRequests: true },
    ]);
    expect(group?.more).toBe(0);
  });

  it("says which blocked clients a safelisting lets pass", () => {
    const by = { address: "203.0.113.0/24", reason: "scanner /24" };
    const preview = previewOf(
      ["203.0.113.0/24", "203.0.113.7", "198.51.100.0/24", "192.0.2.1"],
      {
        ...{ status: "new", address: "203.0.113.0/24" },
        conflict: { by, inside: 3, decided: { requests: 5_300, isAll: true } },
      },
      { status: "new", address: "203.0.113.7", conflict: { by: { ...by, reason: "" }, inside: 0 } },
      {
        ...{ status: "new", address: "198.51.100.0/24" },
        conflict: { inside: 1, decided: { requests: 1, isAll: false } },
      },
      { status: "new", address: "192.0.2.1" },
    );
    const [, group] = groupsOf("safelist", preview);
    expect(group).toMatchObject({ title: "3 conflict with the blocklist", more: 0 });
    expect(group?.conflicts).toEqual([
      {
        address: "203.0.113.0/24",
        says:
          "203.0.113.0/24 is on the blocklist (scanner /24): it will pass from now on. " +
          "It contains 3 more entries of the blocklist: they will have no effect. " +
          "These entries denied 5,300 requests in the last hour.",
        asksRequests: false,
      },
      {
        address: "203.0.113.7",
        says: "203.0.113.7 is blocked by 203.0.113.0/24: it will pass from now on.",
        asksRequests: true,
      },
      {
        address: "198.51.100.0/24",
        says:
          "198.51.100.0/24 contains 1 entry of the blocklist: it will have no effect. " +
          "The entry denied at least 1 request in the last hour.",
        asksRequests: false,
      },
    ]);
    expect(titles(preview)).toEqual(["4 will be added"]);
  });

  it("asks for each address of a customer", () => {
    const owners = [{ customer: "acme", requests: 2_440 }];
    const preview = previewOf(
      ["203.0.113.1", "192.0.2.10"],
      { status: "new", address: "203.0.113.1" },
      { status: "customer", address: "192.0.2.30", owners },
      { status: "new", address: "192.0.2.10", owners: [{ customer: "1042", requests: 166 }] },
    );
    const [, group] = groupsOf("blocklist", preview);
    expect(group).toMatchObject({
      title: "2 lines are addresses of customers acme and 1042",
      owned: [{ address: "192.0.2.30", owners }, { address: "192.0.2.10" }],
    });
    expect(titles({ ...preview, areCustomersUnknown: true })).toContain("Customers unknown");
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
      title: "8 lines have no address",
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

  it("offers the suggestions, apart from the lines without an address", () => {
    const preview = previewOf(
      [],
      { status: "not-an-address", suggestions: ["198.51.100.0/24"] },
      { status: "no-address" },
      { status: "not-an-address", suggestions: ["203.0.113.1", "203.0.113.2"] },
      { status: "not-an-address", message: "203.0.113.300 is not an IPv4 address." },
    );
    expect(groupsOf("blocklist", preview)).toMatchObject([
      {
        title: "2 lines have a suggestion",
        kind: "suggestions",
        corrections: [
          { line: 1, to: "198.51.100.0/24" },
          { line: 3, to: "203.0.113.1\n203.0.113.2" },
        ],
      },
      {
        ...{ title: "2 lines have no address", kind: "none", more: 0 },
        details: ["Line 4: 203.0.113.300 is not an IPv4 address."],
      },
    ]);
  });

  it("counts the comments beside the lines without an address, as the filter does", () => {
    const [group] = groupsOf("blocklist", previewOf([], { status: "no-address" }), 8);
    expect(group).toMatchObject({
      title: "1 line has no address",
      details: ["8 other lines with a comment or a header."],
      more: 0,
    });
  });

  it("has no link to the other list on the safelist", () => {
    const [group] = groupsOf("safelist", previewOf([], { status: "safelisted", address: "203.0.113.1" }));
    expect(group?.link).toBeUndefined();
  });
});

it("gives each line its verdict", () => {
  const line = (text: string, ...judged: readonly Given[]) => ({
    text,
    judged: judged.map((one) => ({ line: 1, text, message: "", ...one })),
  });
  const of = (text: string, ...judged: readonly Given[]) => verdictOf(line(text, ...judged));
  expect(of("203.0.113.1", { status: "new", address: "203.0.113.1" })).toEqual({ sign: "add", word: "Add" });
  expect(of("2001:db8:42::/48", { status: "new", address: "2001:db8:42::/48" })?.word).toBe("Add, whole /48");
  expect(of("203[.]0[.]113[.]1 x", { status: "new", address: "203.0.113.1" })?.word).toBe("Add 203.0.113.1");
  const both: Given[] = [
    { status: "new", address: "203.0.113.10/31" },
    { status: "new", address: "203.0.113.12/31" },
  ];
  expect(of("203.0.113.10-203.0.113.13", ...both)?.word).toBe("Add 2 ranges");
  expect(of("203.0.113.10-203.0.113.13", ...both.slice(1), { status: "kept" })?.word).toBe(
    "Add 1 of 2 ranges",
  );
  expect(of("x", { status: "not-an-address", suggestions: ["203.0.113.0/24"] })?.word).toBe(
    "Use 203.0.113.0/24",
  );
  expect(of("x", { status: "not-an-address", suggestions: ["203.0.113.1", "203.0.113.2"] })?.word).toBe(
    "Use 2 lines",
  );
  expect(of("203.0.113.1", { status: "own", address: "203.0.113.1" })?.word).toBe("Your address");
  expect(of("# x")).toBeUndefined();
});
