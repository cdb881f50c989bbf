import type { VerdictName } from "@/components/ui/verdicts.tsx";
import { Hatch } from "./hatch.tsx";
import type { Plot } from "./plot.ts";

/** Pattern of a layer, so that layers differ not only by colour. */
type Look = "plain" | "hatched" | "crossed";

export interface Layer {
  readonly name: string;
  readonly verdict: VerdictName;
  readonly look: Look;
}

interface DayLayersProps {
  /** Prefix of the ids of the chart's patterns. */
  id: string;
  plot: Plot;
  bars: readonly Bar[];
  layers: readonly Layer[];
  stepMs: number;
}

export function DayLayers({ id, plot, bars, layers, stepMs }: DayLayersProps) {
  return (
    <>
      <defs>
        {layers.map(({ verdict, look }, i) => (
          <Hatch
            key={`${verdict} ${look}`}
            id={`${id}${i}`}
            color={`var(--${verdict}-graphic)`}
            opacity={0.85}
            ground={look === "plain" ? undefined : 0.4}
            isCrossed={look === "crossed"}
          />
        ))}
      </defs>
      {layers.map(({ name, verdict, look }, i) => (
        <path
          key={name}
          d={layerPath(bars, i, stepMs, plot)}
          fill={look === "plain" ? `var(--${verdict}-graphic)` : `url(#${id}${i})`}
          fillOpacity={look === "plain" ? 0.75 : 1}
        />
      ))}
    </>
  );
}

/** A layer's pattern, for a legend. */
export function LayerSwatch({ id, layer: { verdict, look } }: { id: string; layer: Layer }) {
  const color = `var(--${verdict}-graphic)`;
  return (
    <svg width="10" height="10" aria-hidden="true" className="shrink-0 rounded-[2px]">
      {look !== "plain" && (
        <defs>
          <Hatch id={id} {...{ color }} opacity={0.85} ground={0.4} isCrossed={look === "crossed"} />
        </defs>
      )}
      <rect width="10" height="10" fill={look === "plain" ? color : `url(#${id})`} />
    </svg>
  );
}

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
