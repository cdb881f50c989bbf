import { describe, expect, it } from "vitest";
import { textWidth } from "./text-width.ts";
import { timeTicks, valueTicks } from "./ticks.ts";

const noon = Date.parse("2026-11-18T12:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const texts = (startMs: number, spanMs: number, width: number) =>
  timeTicks({ from: startMs, until: startMs + spanMs, width }).map(({ text }) => text);

describe("times on an axis", () => {
  it.each([
    ["30 s", 30_000, 640, ["12:00:05", "12:00:10", "12:00:15", "12:00:20", "12:00:25", "12:00:30"]],
    ["15 min", 15 * minuteMs, 300, ["12:05", "12:10", "12:15"]],
    ["8 min", 8 * minuteMs, 640, ["12:01", "12:02", "12:03", "12:04", "12:05", "12:06", "12:07", "12:08"]],
    ["1 h", hourMs, 400, ["12:10", "12:20", "12:30", "12:40", "12:50", "13:00"]],
    ["24 h", 24 * hourMs, 400, ["18:00", "19 Nov", "06:00", "12:00"]],
    ["7 d", 7 * 24 * hourMs, 700, ["19 Nov", "20 Nov", "21 Nov", "22 Nov", "23 Nov", "24 Nov", "25 Nov"]],
  ])("are round over %s", (_, spanMs, width, expected) => {
    expect(texts(noon + 1_000, spanMs, width)).toEqual(expected);
  });

  it("leave room for their labels at any span and width", () => {
    for (let spanMs = 10_000; spanMs <= 8 * 24 * hourMs; spanMs = Math.round(spanMs * 1.37))
      for (const width of [120, 260, 330, 700, 1_300]) {
        const ticks = timeTicks({ from: noon + 1_234, until: noon + 1_234 + spanMs, width });
        const x = (at: number) => ((at - noon) / spanMs) * width;
        for (const [i, { at, text }] of ticks.entries()) {
          const next = ticks[i + 1];
          if (!next) continue;
          const apart = x(next.at) - x(at);
          expect(apart).toBeGreaterThan((textWidth(text) + textWidth(next.text)) / 2);
        }
      }
  });
});

it.each([
  [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [4, [0, 1, 2, 3, 4]],
  [100, [0, 20, 40, 60, 80, 100]],
  [220, [0, 50, 100, 150, 200, 250]],
  [948, [0, 200, 400, 600, 800, 1_000]],
  [1_010, [0, 500, 1_000, 1_500]],
  [3_248_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
])("%d: %j", (highest, ticks) => {
  expect(valueTicks(highest)).toEqual(ticks);
});

it("uses whole numbers for counts", () => {
  expect(valueTicks(0, { isWhole: true })).toEqual([0, 1]);
  expect(valueTicks(3, { isWhole: true })).toEqual([0, 1, 2, 3]);
});

it("has two to five steps, the last at or above every value", () => {
  for (let highest = 0.001; highest < 1e9; highest *= 1.7) {
    const ticks = valueTicks(highest);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
  }
});
