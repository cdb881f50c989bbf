import { describe, expect, it } from "vitest";
import { matcherOf } from "../../manage/audit/filter.ts";
import type { AuditRecord } from "../../manage/audit/record.ts";
import { seal } from "../../manage/audit/vitest.log.ts";
import { readRows } from "../../manage/lists/csv.ts";
import { writerOf } from "./audit-export.ts";

const record: AuditRecord = {
  ...{ n: 4, at: "2026-03-21T12:00:00.000Z", actor: "=cmd()", via: "console", action: "blocklist.add" },
  ...{ change: 3, reason: '@SUM(A1)\n"loud", he said' },
  changes: [
    { target: "203.0.113.9", before: null, after: { value: "-1+1", expiresAt: "2026-03-28T12:00:00.000Z" } },
    { target: "203.0.113.10", before: { value: null, expiresAt: null, type: "hash" }, after: null },
  ],
};
const text = JSON.stringify(record);
const row = {
  id: "4-0",
  fields: ["record", text, "previous", "the one before", "mac", seal.record("the one before", text)],
};
const everything = { matches: matcherOf({}), isFiltered: false, seal };

describe("as CSV", () => {
  it("a line for each target, which no spreadsheet runs and which reads as it was written", () => {
    const { head, line } = writerOf("csv", everything);
    const written = head + line(row);
    expect(written).not.toMatch(/(^|,)"?[=+@-]/m);
    const [columns, ...rows] = [...readRows(written)].map(({ cells }) => cells);
    const said = rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [columns?.[i], cell])));
    expect(said).toMatchObject([
      {
        ...{ n: "4", at: record.at, actor: "=cmd()", reason: record.reason, target: "203.0.113.9" },
        ...{ before: "", before_until: "", after: "-1+1", after_until: "2026-03-28T12:00:00.000Z" },
        in_words: "blocked 203.0.113.9 and 203.0.113.10",
      },
      { target: "203.0.113.10", before: "a hash in Redis", before_until: "never", after: "", sealed: "yes" },
    ]);
    const forged = { ...row, fields: row.fields.map((field) => field.replace("blocklist", "safelist")) };
    expect(line(forged)).toMatch(/,no\r\n$/);
  });

  it("has damaged rows, too, unless something is looked for", () => {
    const damaged = { id: "5-1", fields: ["record", "{"] };
    expect(writerOf("csv", everything).line(damaged)).toMatch(/^5-1,.*Sluice gives no such number/);
    expect(writerOf("csv", { ...everything, isFiltered: true }).line(damaged)).toBe("");
    expect(
      writerOf("csv", { ...everything, matches: matcherOf({ actor: "eve" }), isFiltered: true }).line(row),
    ).toBe("");
  });
});

it("as JSON lines, the seals can be checked with the secret", () => {
  const { head, line } = writerOf("jsonl", everything);
  const written = line(row);
  expect(head).toBe("");
  expect(written.endsWith("}\n")).toBe(true);
  const { id, record: sealed, previous, mac } = JSON.parse(written);
  expect(id).toBe("4-0");
  expect(seal.record(previous, sealed)).toBe(mac);
  expect(JSON.parse(sealed)).toEqual(record);
});
