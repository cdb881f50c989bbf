import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drawnHeight,
  follow,
  type List,
  type Place,
  type Reach,
  rest,
  start,
  tallestPx,
  windowOf,
} from "./row-window.ts";

const viewport = 600;
const short: List = { count: 1_000, rowHeight: 32 };
const long: List = { count: 1_000_000, rowHeight: 32 };

function reachOf(list: List): Reach {
  const mostOffset = list.count * list.rowHeight - viewport;
  return { mostScrolled: drawnHeight(list) - viewport, mostOffset, viewport };
}

describe("a list that can be drawn whole", () => {
  it("moves as the bar does", () => {
    expect(follow(start, 12_345, reachOf(short))).toEqual({ scrolled: 12_345, offset: 12_345 });
    expect(rest({ scrolled: 40, offset: 40 }, reachOf(short))).toBe(40);
  });

  it("draws what is on screen and a few rows around it", () => {
    const shown = windowOf(short, { scrolled: 3_200, offset: 3_200 }, viewport);
    expect(shown).toEqual({ first: 92, last: 126, before: 92 * 32, after: (1_000 - 127) * 32, raised: 0 });
  });

  it("draws nothing for an empty list", () => {
    const { first, last, before, after } = windowOf({ count: 0, rowHeight: 32 }, start, viewport);
    expect([last < first, before, after]).toEqual([true, 0, 0]);
  });
});

describe("a list of a million", () => {
  const reach = reachOf(long);

  it("is not taller than browsers can draw", () => {
    expect(drawnHeight(long)).toBe(tallestPx);
  });

  it("is not drawn beyond its end", () => {
    const near = { scrolled: reach.mostScrolled - 1, offset: reach.mostOffset - 400 };
    const { first, last, before, raised } = windowOf(long, near, viewport);
    const bottom = before - raised + (last - first + 1) * long.rowHeight;
    expect(bottom - tallestPx).toBeLessThan(long.rowHeight);
  });

  it("shows its first row at the top and its last at the bottom", () => {
    expect(windowOf(long, follow(start, 0, reach), viewport).first).toBe(0);
    const end = follow(start, reach.mostScrolled, reach);
    const { last, after } = windowOf(long, end, viewport);
    expect([last, after]).toEqual([999_999, 0]);
  });

  it("moves by the px of a step, and by the share of a drag", () => {
    const dragged = follow(start, reach.mostScrolled / 2, reach);
    expect(dragged.offset).toBeCloseTo(reach.mostOffset / 2);
    const stepped = follow(dragged, dragged.scrolled + 100, reach);
    expect(stepped.offset - dragged.offset).toBe(100);
  });

  it("does not move its rows when scrolling ends", () => {
    let place: Place = follow(start, 5_000_000, reach);
    for (let step = 0; step < 500; step++) place = follow(place, place.scrolled + 100, reach);
    const rested = { scrolled: rest(place, reach), offset: place.offset };
    expect(rested.scrolled).not.toBeCloseTo(place.scrolled);
    const onScreen = (at: Place) => {
      const { first, before, raised } = windowOf(long, at, viewport);
      return first * long.rowHeight - (before - raised) + at.scrolled;
    };
    expect(onScreen(rested)).toBeCloseTo(onScreen(place), 4);
  });

  it("fills the screen at every place", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (shares) => {
        let place: Place = start;
        for (const share of shares) {
          // Every other move is a step, as a wheel makes it.
          const to = share < 0.5 ? share * 2 * reach.mostScrolled : place.scrolled + (share - 0.75) * 400;
          place = follow(place, Math.min(Math.max(0, to), reach.mostScrolled), reach);
        }
        const { first, last, before, raised } = windowOf(long, place, viewport);
        const top = before - raised - place.scrolled;
        expect(top).toBeLessThanOrEqual(1e-6);
        const bottom = top + (last - first + 1) * long.rowHeight;
        expect(last === long.count - 1 || bottom >= viewport - 1e-6).toBe(true);
      }),
    );
  });
});
