import type { Limit } from "./day-chart.tsx";
import type { Plot } from "./plot.ts";

/** Minimum distance of two labels, in px. */
const lineHeight = 15;

/** Lines of the limits, in the colour of the text. A reference is dashed. */
export function DayLimits({ plot, limits }: { plot: Plot; limits: readonly Limit[] }) {
  const sorted = limits.toSorted((a, b) => a.value - b.value);
  return sorted.map(({ value, text, isSolid }, i) => {
    const below = sorted[i - 1];
    const isRight = i % 2 === 1 && below && plot.y(below.value) - plot.y(value) < lineHeight;
    return (
      <g key={text}>
        <line
          x1={plot.left}
          x2={plot.right}
          y1={plot.y(value)}
          y2={plot.y(value)}
          stroke="var(--text)"
          strokeWidth={isSolid ? 1.5 : 1}
          {...(!isSolid && { strokeDasharray: "4 3" })}
        />
        <text
          x={isRight ? plot.right - 4 : plot.left + 4}
          y={plot.y(value) - 4}
          textAnchor={isRight ? "end" : "start"}
          fontSize={11}
          fill="var(--text)"
          stroke="var(--surface)"
          strokeWidth={3}
          strokeLinejoin="round"
          paintOrder="stroke"
          fontWeight={isSolid ? 600 : 400}
        >
          {text}
        </text>
      </g>
    );
  });
}
