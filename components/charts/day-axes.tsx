import { shortCount } from "../ui/count-text.ts";
import { clockText } from "./axis-text.ts";
import type { Limit } from "./day-chart.tsx";
import { type DayScale, hourTicks } from "./day-scale.ts";

interface DayAxesProps {
  scale: DayScale;
  ticks: readonly number[];
  from: number;
  until: number;
}

export function DayAxes({ scale, ticks, from, until }: DayAxesProps) {
  return (
    <g fontSize={11} fill="var(--text-3)">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={scale.left} x2={scale.right} y1={scale.y(tick)} y2={scale.y(tick)} stroke="var(--grid)" />
          <text x={scale.left - 6} y={scale.y(tick) + 4} textAnchor="end">
            {shortCount(tick)}
          </text>
        </g>
      ))}
      {hourTicks(scale, from, until).map((at) => (
        <text key={at} x={scale.x(at)} y={scale.bottom + 15} textAnchor="middle">
          {clockText(at)}
        </text>
      ))}
    </g>
  );
}

/** In the text's colour; what is no more than a reference is dashed. */
export function DayLimits({ scale, limits }: { scale: DayScale; limits: readonly Limit[] }) {
  return limits.map(({ value, text, isSolid }) => (
    <g key={text}>
      <line
        x1={scale.left}
        x2={scale.right}
        y1={scale.y(value)}
        y2={scale.y(value)}
        stroke="var(--text)"
        strokeWidth={isSolid ? 1.5 : 1}
        {...(!isSolid && { strokeDasharray: "4 3" })}
      />
      <text
        x={scale.left + 4}
        y={scale.y(value) - 4}
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
  ));
}
