import { useId } from "react";
import { usePlotArea, useXAxisScale } from "recharts";
import type { Gap } from "./missing.ts";
import { MissingPattern } from "./missing-pattern.tsx";

/** In px: less is no room for the words. */
const roomForWords = 64;

/** Hatches what is not known, in a chart of Recharts with times on its x axis. */
export function MissingAreas({ gaps }: { gaps: readonly Gap[] }) {
  const id = useId();
  const plot = usePlotArea();
  const scale = useXAxisScale();
  if (!plot || !scale || gaps.length === 0) return null;
  const { x: left, y: top, width, height } = plot;
  const place = (at: number) => Math.min(left + width, Math.max(left, scale(at) ?? left));
  return (
    <g>
      <MissingPattern id={id} />
      {gaps.map(({ from, to }) => {
        const [start, end] = [place(from), place(to)];
        return (
          <g key={from}>
            <rect x={start} y={top} width={Math.max(0, end - start)} height={height} fill={`url(#${id})`} />
            {end - start > roomForWords && (
              <text
                x={(start + end) / 2}
                y={top + height / 2}
                textAnchor="middle"
                fontSize={11}
                fill="var(--text-2)"
                stroke="var(--surface)"
                strokeWidth={4}
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
