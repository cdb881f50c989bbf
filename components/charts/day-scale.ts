/** Where values and times of a chart lie, in px. */
export interface DayScale {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly highest: number;
  x(at: number): number;
  y(value: number): number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly from: number;
  readonly until: number;
  readonly highest: number;
}

const margin = { left: 36, right: 8, top: 22, bottom: 20 } as const;

export function dayScale({ width, height, from, until, highest }: Frame): DayScale {
  const [left, right] = [margin.left, Math.max(margin.left + 1, width - margin.right)];
  const [top, bottom] = [margin.top, height - margin.bottom];
  return {
    ...{ left, right, top, bottom, highest },
    x: (at) => left + ((at - from) / Math.max(1, until - from)) * (right - left),
    y: (value) => bottom - (Math.min(value, highest) / highest) * (bottom - top),
  };
}

/** From 0 on, four or five whole numbers, until all values lie below the last. */
export function valueTicks(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const ten = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const factors = ten >= 10 ? [1, 2, 2.5, 5] : [1, 2, 5];
  const step = ten * (factors.find((factor) => factor * ten >= rough) ?? 10);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, i) => i * step);
}

const hourMs = 3_600_000;

/** Full hours of the clock, as many as fit. */
export function hourTicks({ left, right, x }: DayScale, from: number, until: number): number[] {
  const most = Math.max(1, Math.floor((right - left) / 64));
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (until - from) / hourMs / hours <= most) ?? 24;
  const first = Math.ceil(from / hourMs / step) * step * hourMs;
  const ticks = Array.from({ length: 26 }, (_, i) => first + i * step * hourMs);
  return ticks.filter((at) => at <= until && x(at) >= left + 12 && x(at) <= right - 12);
}

export interface Bar {
  readonly at: number;
  /** Layer by layer, from the bottom up. */
  readonly values: readonly number[];
}

/** A limit far above everything that came would press it all to the ground. */
export function isInReach(limit: number, most: number): boolean {
  return limit <= Math.max(4, 2.5 * most);
}

/** All bars' parts of one layer as one path. */
export function layerPath(bars: readonly Bar[], layer: number, stepMs: number, scale: DayScale): string {
  const gap = scale.x(stepMs) - scale.x(0) >= 4 ? 1 : 0;
  return bars
    .flatMap(({ at, values }) => {
      const value = values[layer] ?? 0;
      if (value === 0) return [];
      const below = values.slice(0, layer).reduce((sum, part) => sum + part, 0);
      const [x0, x1] = [Math.max(scale.left, scale.x(at)), Math.min(scale.right, scale.x(at + stepMs))];
      if (x1 <= x0) return [];
      const [y0, y1] = [scale.y(below), Math.min(scale.y(below + value), scale.y(below) - 1)];
      return [`M${px(x0)} ${px(y0)}V${px(y1)}H${px(Math.max(x0 + 0.5, x1 - gap))}V${px(y0)}Z`];
    })
    .join("");
}

const px = (value: number): string => value.toFixed(1);
