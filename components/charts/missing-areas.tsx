import { useId } from "react";
import type { Gap } from "./missing.ts";
import { MissingPattern } from "./missing-pattern.tsx";
import { edgesOf, type Plot } from "./plot.ts";

/** Minimum width of an area with a label, in px. */
const roomForWords = 52;

/** Hatches times without data. */
export function MissingAreas({ plot, gaps }: { plot: Plot; gaps: readonly Gap[] }) {
  const id = useId();
  if (gaps.length === 0) return null;
  const { top, bottom } = plot;
  return (
    <g>
      <MissingPattern id={id} />
      {gaps.map(({ from, to }) => {
        const edges = edgesOf(plot, { from, until: to });
        if (!edges) return null;
        const [left, right] = edges;
        return (
          <g key={from} data-band="missing">
            <rect x={left} y={top} width={right - left} height={bottom - top} fill={`url(#${id})`} />
            {right - left > roomForWords && (
              <text
                x={(left + right) / 2}
                y={(top + bottom) / 2}
                textAnchor="middle"
                fontSize={11}
                fill="var(--text-2)"
                stroke="var(--surface)"
                strokeWidth={4}
                strokeLinejoin="round"
                paintOrder="stroke"
              >
                no data
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
