import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bucket } from "./series.ts";
import { readUsual, usualOf } from "./usual.ts";

const hourMs = 3_600_000;
const nowMs = Date.parse("2026-11-18T20:46:00Z");
const hourNow = Math.floor(nowMs / hourMs) * hourMs;
const daysAgo = (days: number) => hourNow - days * 24 * hourMs;

interface Day {
  readonly denied: number;
  readonly seconds?: number;
}

/** Hours of a week. Only the given days have counts, at this hour. */
function weekOf(days: Readonly<Record<number, Day>>, app = "shop") {
  return {
    async read(resolution: number, count: number, untilMs: number): Promise<Bucket[]> {
      expect([resolution, untilMs]).toEqual([3_600, nowMs]);
      return Array.from({ length: count }, (_, i) => {
        const at = hourNow - (count - 1 - i) * hourMs;
        const found = Object.entries(days).find(([day]) => daysAgo(Number(day)) === at)?.[1];
        const counts: [string, number][] = found
          ? [
              ["throttled", found.denied * 3_600],
              ["pass", 100 * 3_600],
              ["seconds", found.seconds ?? 3_600],
            ]
          : [];
        return { at, apps: new Map(found ? [[app, new Map(counts)]] : []) };
      });
    },
  };
}

const read = (days: Readonly<Record<number, Day>>, off: { from: number; until: number | null }[] = []) =>
  readUsual(weekOf(days), { app: undefined, nowMs, off });

describe("the usual rate of an hour", () => {
  it("is of the same hour on at least three earlier days", async () => {
    expect(await read({ 1: { denied: 10 }, 2: { denied: 12 } })).toBeUndefined();
    const usual = await read({ 1: { denied: 10 }, 2: { denied: 12 }, 7: { denied: 11 } });
    expect(usual).toMatchObject({ days: 3, denied: { median: 11 }, requests: { median: 111 } });
  });

  it("leaves out an hour of which a third was not reported, and this hour itself", async () => {
    const days = {
      0: { denied: 900 },
      1: { denied: 10 },
      2: { denied: 10 },
      3: { denied: 10, seconds: 2_300 },
    };
    expect(await read(days)).toBeUndefined();
    expect(await read({ ...days, 4: { denied: 10, seconds: 2_400 } })).toMatchObject({ days: 3 });
  });

  it("leaves out days on which the mode was off at this hour", async () => {
    const days = { 1: { denied: 10 }, 2: { denied: 10 }, 3: { denied: 0 } };
    expect(await read(days, [{ from: daysAgo(3) + 1_000, until: daysAgo(3) + 2_000 }])).toBeUndefined();
    expect(await read(days, [{ from: daysAgo(3) - 1_000, until: daysAgo(3) }])).toMatchObject({ days: 3 });
    expect(await read(days, [{ from: daysAgo(3), until: null }])).toBeUndefined();
  });

  it("is that of the wanted app", async () => {
    const days = { 1: { denied: 1 }, 2: { denied: 1 }, 3: { denied: 1 } };
    const of = (app: string) => readUsual(weekOf(days), { app, nowMs, off: [] });
    expect([await of("docs"), (await of("shop"))?.days]).toEqual([undefined, 3]);
  });

  it("has a band that one day of attack does not widen", () => {
    expect(usualOf([20, 24, 26, 1_400, 22])).toMatchObject({ median: 24, low: 18, high: 30 });
  });

  it("contains its median, is never below 0, and is as wide as the chance of one minute", () => {
    const rate = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(rate, { minLength: 3, maxLength: 7 }), (rates) => {
        const { low, median, high } = usualOf(rates);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(median);
        expect(high - median).toBeGreaterThanOrEqual(3 / 60);
        expect(Math.min(...rates)).toBeLessThanOrEqual(median);
        expect(Math.max(...rates)).toBeGreaterThanOrEqual(median);
      }),
    );
  });
});
