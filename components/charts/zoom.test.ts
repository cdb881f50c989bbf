import { describe, expect, it } from "vitest";
import { plotOf } from "./plot.ts";
import { draggedSpan, shifted, zoomedIn, zoomedOut } from "./zoom.ts";

const stepMs = 10;
const whole = { from: 0, until: 6_000 };
/** From 36 px to 636 px, 10 ms per px. */
const plot = plotOf({ width: 650, height: 152, highest: 100, ...whole });
const drag = (start: number, x: number) => draggedSpan(plot, { stepMs }, start, x);

describe("a drag", () => {
  it("selects whole steps, in both directions", () => {
    expect(drag(1_003, 336)).toEqual({ from: 1_000, until: 3_000 });
    expect(drag(3_000, 136)).toEqual({ from: 1_000, until: 3_000 });
    expect(drag(1_000, 236.35)).toEqual({ from: 1_000, until: 2_010 });
  });

  it("of a few pixels is a click", () => {
    expect(drag(1_000, 140)).toBeUndefined();
    expect(drag(1_000, 131)).toBeUndefined();
  });

  it("selects a minimum number of points, and stays in the plot", () => {
    const wide = { stepMs: 100 };
    expect(draggedSpan(plot, wide, 1_000, 156)).toEqual({ from: 800, until: 1_400 });
    expect(draggedSpan(plot, wide, 0, 46)).toEqual({ from: 0, until: 600 });
    expect(drag(5_000, 9_999)).toEqual({ from: 5_000, until: 6_000 });
  });
});

describe("buttons", () => {
  const bounds = { stepMs, whole };
  const span = { from: 2_000, until: 3_000 };

  it("show the newer half, and a minimum number of points", () => {
    expect(zoomedIn(whole, bounds)).toEqual({ from: 3_000, until: 6_000 });
    expect(zoomedIn({ from: 0, until: 60 }, bounds)).toEqual({ from: 0, until: 60 });
  });

  it("show twice as much, up to everything", () => {
    expect(zoomedOut(span, bounds)).toEqual({ from: 1_500, until: 3_500 });
    expect(zoomedOut({ from: 0, until: 4_000 }, bounds)).toBeUndefined();
  });

  it("show earlier and later data, up to the bounds", () => {
    expect(shifted(span, bounds, 1)).toEqual({ from: 2_500, until: 3_500 });
    expect(shifted(span, bounds, -1)).toEqual({ from: 1_500, until: 2_500 });
    expect(shifted({ from: 100, until: 1_100 }, bounds, -1)).toEqual({ from: 0, until: 1_000 });
    expect(shifted({ from: 5_000, until: 6_000 }, bounds, 1)).toEqual({ from: 5_000, until: 6_000 });
  });
});
