import type { VerdictName } from "../ui/verdicts.tsx";
import { type Bar, type DayScale, layerPath } from "./day-scale.ts";
import { MissingPattern } from "./missing-pattern.tsx";

/** Hatched one way or the other, so that no layer is told by its colour alone. */
export type Look = "plain" | "hatched" | "crossed";

export interface Layer {
  readonly name: string;
  readonly verdict: VerdictName;
  readonly look: Look;
}

interface DayLayersProps {
  /** Of the chart's patterns. */
  id: string;
  scale: DayScale;
  bars: readonly Bar[];
  layers: readonly Layer[];
  gaps: readonly { readonly from: number; readonly until: number }[];
  stepMs: number;
}

export function DayLayers({ id, scale, bars, layers, gaps, stepMs }: DayLayersProps) {
  return (
    <>
      <MissingPattern id={`${id}gap`} />
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
      {gaps.map(({ from, until }) => {
        const [x0, x1] = [Math.max(scale.left, scale.x(from)), Math.min(scale.right, scale.x(until))];
        return (
          <rect
            key={from}
            x={x0}
            y={scale.top}
            width={Math.max(0, x1 - x0)}
            height={scale.bottom - scale.top}
            fill={`url(#${id}gap)`}
          />
        );
      })}
      {layers.map(({ name, verdict, look }, i) => (
        <path
          key={name}
          d={layerPath(bars, i, stepMs, scale)}
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

/** What a layer looks like, for a legend. */
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
