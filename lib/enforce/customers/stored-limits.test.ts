import { expect, it } from "vitest";
import { readOverride, writeOverride } from "./stored-limits.ts";
import { readTier } from "./tier.ts";

const read = (fields: Record<string, string>) => readOverride(Object.entries(fields));

it("reads the source system's format, the shortest period first", () => {
  expect(read({ "86400": "10000", "60": "100", "3600": "1000" })).toEqual({
    levels: [
      { limit: 100, periodSeconds: 60 },
      { limit: 1_000, periodSeconds: 3_600 },
      { limit: 10_000, periodSeconds: 86_400 },
    ],
    flags: [],
  });
});

it.each([
  ["60", "00"],
  ["60", "-0"],
  ["0", "5"],
  ["60", "-1"],
  ["60", "1.5"],
  ["60", ""],
  ["minute", "5"],
  ["60", "1000000000001"],
  ["31622401", "5"],
  ["60", "1e3"],
  ["060", "5"],
])("ignores %s → %s, and reports it", (period, limit) => {
  expect(read({ [period]: limit, "10": "1" })).toEqual({
    levels: [{ limit: 1, periodSeconds: 10 }],
    flags: [`"${period}": "${limit}" is no level: period in seconds from 1 → limit from 0, whole numbers`],
  });
});

it("reads a limit of 0, which allows nothing", () => {
  expect(read({ "60": "0" })).toEqual({ levels: [{ limit: 0, periodSeconds: 60 }], flags: [] });
});

it("is undefined without a level, and shows no unprintable characters", () => {
  expect(read({ "\x1b[31m": "x".repeat(99) })).toEqual({
    levels: undefined,
    flags: [
      `"\ufffd[31m": "${"x".repeat(30)}…" is no level: period in seconds from 1 → limit from 0, whole numbers`,
    ],
  });
});

it("enforces the eight shortest levels", () => {
  const fields = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), "5"]));
  const { levels, flags } = read(fields);
  expect(levels).toHaveLength(8);
  expect(flags).toEqual(["the level of 9 s is one too many: 8 are enforced"]);
});

it("enforces one of two levels whose windows could share a counter", () => {
  expect(read({ "86399": "1", "86400": "2", "60": "3" })).toEqual({
    levels: [
      { limit: 3, periodSeconds: 60 },
      { limit: 1, periodSeconds: 86_399 },
    ],
    flags: ["the level of 86,400 s is not enforced: its windows could share the counter of 86,399 s"],
  });
});

it("reads the format that it writes", () => {
  const levels = [{ limit: 7, periodSeconds: 60 }];
  expect(read(JSON.parse(writeOverride(levels)))).toEqual({ levels, flags: [] });
});

it("reads tiers as people write them", () => {
  expect(["pro", " Pro\n", "PRO"].map(readTier)).toEqual(["pro", "pro", "pro"]);
  expect(["", "__proto__", "a b", "x".repeat(33), "{}"].map(readTier)).toEqual(Array(5).fill(undefined));
});
