import type { VerdictName } from "@/components/ui/verdicts.tsx";
import { type Bar, layerPath } from "./day-scale.ts";
import type { Plot } from "./plot.ts";

/** Pattern of a layer, so that layers differ not only by colour. */
export type Look = "plain" | "hatched" | "crossed";

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

interface HatchProps {
  id: string;
  color: string;
  opacity: number;
  ground?: number | undefined;
  isCrossed?: boolean;
}

function Hatch({ id, color, opacity, ground, isCrossed = false }: HatchProps) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      {ground !== undefined && <rect width="6" height="6" fill={color} fillOpacity={ground} />}
      <rect width="2" height="6" fill={color} fillOpacity={opacity} />
      {isCrossed && <rect width="6" height="2" fill={color} fillOpacity={opacity} />}
    </pattern>
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
