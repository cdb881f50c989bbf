import { textWidth } from "./text-width.ts";

/** A span of a time axis, in ms. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** Converts values and times of a chart to px of its frame. */
export interface Plot extends TimeSpan {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Distance from the plot to the right and bottom edge of the frame, in px. */
  readonly after: number;
  readonly below: number;
  /** The largest value of the axis. */
  readonly highest: number;
  x(at: number): number;
  y(value: number): number;
  /** Time at a position, limited to the plot. */
  at(x: number): number;
}

interface Frame extends TimeSpan {
  readonly width: number;
  readonly height: number;
  /** The largest value of the axis. */
  readonly highest: number;
  /** Labels of the value axis. The plot starts beside the widest. */
  readonly labels?: readonly string[];
}

/** Outline that keeps a label readable on top of lines. */
export const halo = {
  stroke: "var(--surface)",
  strokeWidth: 3,
  strokeLinejoin: "round",
  paintOrder: "stroke",
} as const;

/** Height of the lane of changes above the plot, in px. */
export const lane = 30;
const margin = { left: 36, right: 14, bottom: 22 } as const;
const beforePlot = 12;

export function plotOf({ width, height, from, until, highest, labels = [] }: Frame): Plot {
  const left = Math.max(margin.left, beforePlot + Math.ceil(Math.max(0, ...labels.map(textWidth))));
  const right = Math.max(left + 1, width - margin.right);
  const [top, bottom] = [lane, height - margin.bottom];
  const span = Math.max(1, until - from);
  return {
    ...{ left, right, top, bottom, from, until, highest },
    ...{ after: margin.right, below: margin.bottom },
    x: (at) => left + ((at - from) / span) * (right - left),
    y: (value) => bottom - (Math.min(value, highest) / highest) * (bottom - top),
    at: (x) => from + ((Math.min(right, Math.max(left, x)) - left) / (right - left)) * span,
  };
}

/** Left and right edge of a span within the plot. Undefined if it is outside. */
export function edgesOf(plot: Plot, { from, until }: TimeSpan): [left: number, right: number] | undefined {
  if (until <= plot.from || from >= plot.until) return undefined;
  return [Math.max(plot.left, plot.x(from)), Math.min(plot.right, plot.x(until))];
}
