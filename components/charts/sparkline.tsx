import type { VerdictName } from "../ui/verdicts.tsx";

export interface SparklineProps {
  values: readonly number[];
  /** Nothing: neutral. */
  verdict?: VerdictName | undefined;
  /** Drawn as a line, when it lies within what is shown. */
  limit?: number | undefined;
  className?: string | undefined;
}

const width = 64;
const height = 20;

/** A shape beside a number that says the same: screen readers need the number alone. */
export function Sparkline({ values, verdict, limit, className }: SparklineProps) {
  const top = Math.max(...values, limit ?? 0) || 1;
  const x = (i: number) => (values.length > 1 ? (i / (values.length - 1)) * width : width);
  const y = (value: number) => height - 1 - (Math.max(0, value) / top) * (height - 2);
  const line = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const color = verdict ? `var(--${verdict}-graphic)` : "var(--text-3)";
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={className ?? "h-5 w-16"}
    >
      {values.length > 1 && (
        <>
          <polygon points={`0,${height} ${line} ${width},${height}`} fill={color} fillOpacity={0.18} />
          <polyline
            points={line}
            fill="none"
            stroke={color}
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
      {limit !== undefined && (
        <line
          x1={0}
          x2={width}
          y1={y(limit)}
          y2={y(limit)}
          stroke="var(--text)"
          strokeDasharray="2 2"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
