import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepsOf } from "./span-steps.ts";

const nowMs = Date.parse("2026-11-18T20:46:12Z");
const minuteMs = 60_000;
const ago = (minutes: number) => nowMs - minutes * minuteMs;

describe("the steps of a span", () => {
  it.each([
    ["8 min, 17 min ago", 17, 9, 1, 2],
    ["8 min, half an hour ago", 38, 30, 10, 1],
    ["an hour of this morning", 600, 540, 60, 1],
    ["a day", 1_500, 60, 60, 5],
    ["an hour, three days ago", 4_380, 4_320, 3_600, 1],
    ["all that is kept", 11_520, 0, 3_600, 1],
  ])("of %s", (_, from, until, resolution, grouped) => {
    expect(stepsOf({ from: ago(from), until: ago(until) }, nowMs)).toMatchObject({ resolution, grouped });
  });

  it("cover the span with a step before and after it, and end with what was reported", () => {
    const { points, endMs } = stepsOf({ from: ago(38) - 12_000, until: ago(30) - 12_000 }, nowMs);
    expect([points, endMs]).toEqual([50, ago(30) - 2_000]);
    expect(stepsOf({ from: ago(8), until: ago(-5) }, nowMs).endMs).toBe(nowMs - 2_000);
  });

  it("are bounded, aligned, and never outlive their buckets", () => {
    const kept = { 1: 1_200, 10: 7_200, 60: 93_600, 3600: 691_200 };
    const moment = fc.integer({ min: -20 * 86_400, max: 3_600 });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [from, until] = [Math.min(a, b), Math.max(a, b) + 1].map((at) => nowMs + at * 1_000);
        const { resolution, grouped, points, endMs } = stepsOf({ from: from ?? 0, until: until ?? 0 }, nowMs);
        expect(points).toBeGreaterThanOrEqual(1);
        expect(points).toBeLessThanOrEqual(304);
        expect(points * grouped).toBeLessThanOrEqual(1_700);
        expect(endMs % (resolution * grouped * 1_000)).toBe(0);
        expect(endMs).toBeLessThanOrEqual(nowMs);
        const start = endMs - points * grouped * resolution * 1_000;
        expect(nowMs - start).toBeLessThanOrEqual((kept[resolution] + 2 * grouped * resolution) * 1_000);
      }),
    );
  });
});
