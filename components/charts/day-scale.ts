import type { Plot } from "./plot.ts";

export interface Bar {
  readonly at: number;
  /** One value per layer, from the bottom up. */
  readonly values: readonly number[];
}

/** Whether a limit is low enough to draw. A far higher one would flatten all bars. */
export function isInReach(limit: number, most: number): boolean {
  return limit <= Math.max(4, 2.5 * most);
}

/** Path of one layer of all bars. */
export function layerPath(bars: readonly Bar[], layer: number, stepMs: number, plot: Plot): string {
  const gap = plot.x(stepMs) - plot.x(0) >= 4 ? 1 : 0;
  return bars
    .flatMap(({ at, values }) => {
      const value = values[layer] ?? 0;
      if (value === 0) return [];
      const below = values.slice(0, layer).reduce((sum, part) => sum + part, 0);
      const [x0, x1] = [Math.max(plot.left, plot.x(at)), Math.min(plot.right, plot.x(at + stepMs))];
      if (x1 <= x0) return [];
      const [y0, y1] = [plot.y(below), Math.min(plot.y(below + value), plot.y(below) - 1)];
      return [`M${px(x0)} ${px(y0)}V${px(y1)}H${px(Math.max(x0 + 0.5, x1 - gap))}V${px(y0)}Z`];
    })
    .join("");
}

const px = (value: number): string => value.toFixed(1);
