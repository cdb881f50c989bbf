import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drawnHeight,
  positionAt,
  type Scrolled,
  scrolledTo,
  spaceAround,
  spanAt,
  tallest,
  topFor,
} from "./scroll-map.ts";

const short = { rows: 1_204, rowHeight: 36, view: 600 };
const million = { rows: 1_000_000, rowHeight: 36, view: 600 };
const start: Scrolled = { top: 0, position: 0 };

describe("a list that browsers can draw", () => {
  it("scrolls one to one", () => {
    expect(drawnHeight(short)).toBe(1_204 * 36);
    const far = scrolledTo(20_000, start, short);
    expect(far.position).toBe(20_000);
    expect(scrolledTo(20_090, far, short).position).toBe(20_090);
  });

  it("draws the visible rows and a few around them", () => {
    expect(spanAt(3_600, short, 2)).toEqual({ from: 98, to: 119 });
    expect(spanAt(0, { ...short, rows: 3 })).toEqual({ from: 0, to: 3 });
    expect(spanAt(0, { ...short, rows: 0 })).toEqual({ from: 0, to: 0 });
  });
});

describe("a million rows", () => {
  it("stay below the height that browsers can draw", () => {
    expect(drawnHeight(million)).toBe(tallest);
  });

  it("can all be reached with the scrollbar", () => {
    const end = scrolledTo(tallest - million.view, start, million);
    expect(spanAt(end.position, million).to).toBe(1_000_000);
    expect(scrolledTo(0, end, million).position).toBe(0);
  });

  it("move by the pixel in small steps, at any position of the scrollbar", () => {
    const middle = scrolledTo(2_000_000, start, million);
    expect(middle.position).toBeCloseTo(18_000_000, -4);
    const nudged = scrolledTo(2_000_100, middle, million);
    expect(nudged.position - middle.position).toBe(100);
  });

  it("can be scrolled to a row", () => {
    const position = 765_432 * million.rowHeight;
    expect(positionAt(topFor(position, million), million)).toBeCloseTo(position, 3);
  });
});

it("draws the rows at the window, and never past the end", () => {
  const talls = fc.record({
    rows: fc.integer({ min: 1, max: 2_000_000 }),
    rowHeight: fc.constantFrom(36, 124),
    view: fc.integer({ min: 200, max: 2_000 }),
  });
  fc.assert(
    fc.property(talls, fc.double({ min: 0, max: 1, noNaN: true }), (tall, share) => {
      const top = share * Math.max(0, drawnHeight(tall) - tall.view);
      const scrolled = scrolledTo(top, start, tall);
      const span = spanAt(scrolled.position, tall);
      const { before, after } = spaceAround(span, scrolled, tall);
      const drawn = (span.to - span.from) * tall.rowHeight;
      expect(before).toBeLessThanOrEqual(top + tall.rowHeight);
      expect(before + drawn).toBeGreaterThanOrEqual(Math.min(top + tall.view, drawnHeight(tall)) - 1);
      expect(before + drawn + after).toBeLessThanOrEqual(drawnHeight(tall) + tall.rowHeight * 10);
    }),
  );
});
