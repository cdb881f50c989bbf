import fc from "fast-check";
import { expect, it } from "vitest";
import { isLater, parseLife } from "../../manage/lists/life.ts";
import { formatDuration, parseDuration, readNote, readUsualNote, reasonProblem, writeNote } from "./entry.ts";

it.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["24h", 86_400_000],
  [" 7D ", 604_800_000],
  ["1w", 604_800_000],
  ["1d12h", 129_600_000],
  ["never", null],
])("reads %s", (text, ms) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: ms });
});

it.each(["", "1", "h", "1y", "1.5h", "-1h", "1h!", "1e3s", "3600"])("refuses %j with an example", (text) => {
  expect(parseDuration(text)).toMatchObject({ ok: false, reason: /write 90s, 30m, 24h, 7d, 1w or never/ });
});

it("refuses what is too short or too long", () => {
  expect(parseDuration("0s")).toMatchObject({ ok: false, reason: /a second at least/ });
  expect(parseDuration("999999999999w")).toMatchObject({ ok: false, reason: /ten years/ });
  expect(parseDuration("522w")).toMatchObject({ ok: false });
  expect(parseDuration("521w")).toMatchObject({ ok: true });
});

it.each([
  [null, "never"],
  [604_800_000, "1w"],
  [604_799_000, "6d 23h"],
  [90_000, "1m 30s"],
  [3_600_000 + 5_000, "1h"],
  [400, "under 1s"],
])("writes %s ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it("reads a moment in place of a duration", () => {
  expect(parseLife("2030-01-31T12:00:00Z")).toEqual({
    ok: true,
    value: { until: Date.UTC(2030, 0, 31, 12) },
  });
  expect(parseLife("2030-01-31 12:00+02:00")).toEqual({
    ok: true,
    value: { until: Date.UTC(2030, 0, 31, 10) },
  });
  expect(parseLife("2030-01-31")).toEqual({ ok: true, value: { until: Date.UTC(2030, 0, 31) } });
  expect(parseLife("never")).toEqual({ ok: true, value: "forever" });
  for (const text of ["2030-13-01", "2030-01-31T12:00", "2030-1-1", "2030-"]) {
    expect(parseLife(text)).toMatchObject({ ok: false, reason: /is not a moment/ });
  }
});

it("takes an end that was read twice for the same", () => {
  expect([isLater(1_005, 1_000), isLater(1_000, 1_005), isLater(1_020, 1_000)]).toEqual([false, false, true]);
  expect([isLater(null, 1), isLater(1, null), isLater(null, null)]).toEqual([true, false, false]);
});

it("reads what it writes", () => {
  const tag = fc.stringMatching(/^[a-z0-9][a-z0-9._:-]{0,31}$/);
  const note = fc.record(
    {
      ...{ reason: fc.string(), by: fc.string(), at: fc.string(), via: fc.string() },
      tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 8 }),
    },
    { requiredKeys: ["reason", "by", "at", "via"] },
  );
  fc.assert(fc.property(note, (written) => void expect(readNote(writeNote(written))).toEqual(written)));
});

it("writes a note without tags as earlier versions do, and adds tags behind it", () => {
  const note = { reason: "bot", by: "ada", at: "2026-01-05T00:00:00.000Z", via: "cli" };
  const plain = '{"reason":"bot","by":"ada","at":"2026-01-05T00:00:00.000Z","via":"cli"}';
  expect([writeNote(note), writeNote({ ...note, tags: [] })]).toEqual([plain, plain]);
  expect(writeNote({ ...note, tags: ["a", "b"] })).toBe(plain.replace("}", ',"tags":["a","b"]}'));
});

it("reads a usual note as any other reader does", () => {
  const head = '{"reason":"bot","by":"ada","at":"2026-01-05T00:00:00.000Z","via":"cli","tags":';
  for (const [tags, isUsual] of [
    ['["a","b.c:d_e-1"]', true],
    ['["a","a"]', false],
    ['["a",".b"]', false],
    ['["a,b"]', false],
    ['["A"]', false],
    ["[]", false],
    ['["a"', false],
    [`[${Array.from({ length: 9 }, (_, i) => `"${i}"`)}]`, false],
  ] as const) {
    const value = `${head}${tags}}`;
    const usual = readUsualNote(value);
    expect(usual !== undefined, value).toBe(isUsual);
    if (usual) expect(readNote(value)).toEqual(usual);
  }
});

it.each([
  ["x", { reason: "x" }],
  ["", { reason: "" }],
  ["{broken", { reason: "{broken" }],
  ['{"by":"ada"}', { reason: '{"by":"ada"}' }],
  ['{"reason":5}', { reason: '{"reason":5}' }],
  ['["reason"]', { reason: '["reason"]' }],
  ["null", { reason: "null" }],
  ['{"reason":"rails","by":7,"via":"console"}', { reason: "rails", via: "console" }],
  ['{"reason":"rails","tags":["a","B",5,"a","b c",null]}', { reason: "rails", tags: ["a"] }],
  ['{"reason":"rails","tags":"a"}', { reason: "rails" }],
])("takes %s from any writer", (value, note) => {
  expect(readNote(value)).toEqual(note);
});

it("never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (value) => void readNote(value)));
});

it("bounds reasons", () => {
  expect(reasonProblem("two\nlines\tand ünïcode 🙂")).toBeUndefined();
  expect(reasonProblem("x".repeat(501))).toContain("at most 500");
  for (const bad of ["\0", "\x1b[31m", "a\rb", "\x9b"]) expect(reasonProblem(bad)).toContain("control");
});
