import { expect, it } from "vitest";
import { addedRow, areSame, type LevelRow, readHash, readRows, rowsOf, writeHash } from "./level-rows.ts";

const row = (count: string, unit: LevelRow["unit"], limit: string, key = "0"): LevelRow => ({
  key,
  count,
  unit,
  limit,
});

it("shows each period in the largest unit without a rest, and limits as people write them", () => {
  const levels = [60, 90, 5_400, 7_200, 172_800].map((periodSeconds) => ({ limit: 10_000, periodSeconds }));
  expect(rowsOf(levels).map(({ count, unit, limit }) => `${count} ${unit} ${limit}`)).toEqual([
    "1 min 10,000",
    "90 s 10,000",
    "90 min 10,000",
    "2 h 10,000",
    "2 d 10,000",
  ]);
});

it("reads back what it shows, the shortest period first", () => {
  const levels = [
    { limit: 1_000, periodSeconds: 3_600 },
    { limit: 7, periodSeconds: 90 },
  ];
  expect(readRows(rowsOf(levels)).levels).toEqual([levels[1], levels[0]]);
});

it.each([
  [row("1", "h", ""), { limit: "Write a whole number from 0 to 1,000,000,000,000" }],
  [row("1", "h", "1.5"), { limit: "Write a whole number from 0 to 1,000,000,000,000" }],
  [row("", "h", "5"), { period: "Write a whole number from 1 to 31,622,400" }],
  [row("400", "d", "5"), { period: "Write a whole number from 1 to 31,622,400" }],
  [row("1e3", "s", "-1"), { period: expect.any(String), limit: expect.any(String) }],
])("says beside a row what is wrong with it: %j", (wrong, problem) => {
  const { levels, problems } = readRows([row("1", "min", "5", "9"), wrong]);
  expect(levels).toBeUndefined();
  expect([...problems]).toEqual([["0", problem]]);
});

it("finds two that are alike, and too many", () => {
  const twice = readRows([row("60", "min", "5"), row("1", "h", "6", "1")]);
  expect(twice.problems.get("1")?.period).toMatch(/^There is a level of 3,600 s already/);
  const many = readRows(Array.from({ length: 9 }, (_, i) => row(String(i + 1), "min", "5", String(i))));
  expect(many).toMatchObject({ levels: undefined, problem: "At most 8 levels fit here" });
  expect(readRows([]).problem).toMatch(/Add a period/);
});

it("takes numbers as people write them", () => {
  expect(readRows([row("3,600", "s", "10 000")]).levels).toEqual([{ limit: 10_000, periodSeconds: 3_600 }]);
});

it("adds the first usual period that is missing, under a key of its own", () => {
  expect(addedRow([])).toEqual(row("1", "min", "", "0"));
  expect(addedRow([row("60", "s", "5", "3"), row("1", "h", "5", "1")])).toEqual(row("1", "d", "", "4"));
});

it("compares levels whatever their order", () => {
  const [a, b] = [
    { limit: 1, periodSeconds: 1 },
    { limit: 2, periodSeconds: 2 },
  ] as const;
  expect(areSame([a, b], [b, a])).toBe(true);
  expect(areSame([a], [a, b])).toBe(false);
  expect(areSame([a], [{ ...a, limit: 3 }])).toBe(false);
  expect([areSame(null, null), areSame(null, [])]).toEqual([true, false]);
});

it("writes what it reads", () => {
  const text = '{"60": 100, "3600": 1000}';
  const { levels } = readHash(text);
  expect(writeHash(levels ?? [])).toBe(text);
  expect(readHash('{"3600":"1000","60":"100"}')).toEqual({ levels });
});

it.each([
  ["", 'Write JSON: {"60": 100, "3600": 1000}'],
  ["[1]", 'Write JSON: {"60": 100, "3600": 1000}'],
  ["{}", "write at least one level"],
  ['{"min": 5}', '"min" is not a period: use whole seconds'],
  ['{"60": "many"}', 'The limit of "60" is not a whole number'],
  ['{"60": 1.5}', 'The limit of "60" is not a whole number'],
  ['{"60": -1}', 'The limit of "60" is not a whole number'],
  ['{"86399": 1, "86400": 2}', /^"86400": there is a level of 86,399 s/],
])("refuses %s", (text, problem) => {
  expect(readHash(text).problem).toEqual(
    problem instanceof RegExp ? expect.stringMatching(problem) : problem,
  );
});
