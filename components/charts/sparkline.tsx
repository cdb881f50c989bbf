import { useId } from "react";
import type { VerdictName } from "@/components/ui/verdicts.tsx";
import { MissingHatch } from "./hatch.tsx";

interface SparklineProps {
  /** Undefined where unknown: that part is hatched, and the line is interrupted. */
  values: readonly (number | undefined)[];
  /** Colour of the line. Neutral if undefined. */
  verdict?: VerdictName | undefined;
  /** Drawn as a line if it lies within the shown values. */
  limit?: number | undefined;
  /** Its size. */
  className?: string | undefined;
}

const width = 64;
const height = 20;

/** A small chart beside its number. Hidden from screen readers, which read the number. */
export function Sparkline({ values, verdict, limit, className = "h-5 w-16" }: SparklineProps) {
  const hatch = useId();
  const top = Math.max(...values.map((value) => value ?? 0), limit ?? 0) || 1;
  const last = values.length - 1;
  const x = (i: number) => (last > 0 ? (Math.min(last, Math.max(0, i)) / last) * width : width);
  const y = (value: number) => height - 1 - (Math.max(0, value) / top) * (height - 2);
  const color = verdict ? `var(--${verdict}-graphic)` : "var(--text-3)";
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={className}
    >
      <MissingHatch id={hatch} size={4} />
      {stretches(values, false).map(([from, to]) => (
        <rect
          key={from}
          x={x(from - 1)}
          width={x(to + 1) - x(from - 1)}
          height={height}
          fill={`url(#${hatch})`}
        />
      ))}
      {last > 0 &&
        stretches(values, true).map(([from, to]) => {
          const part = values.slice(from, to + 1);
          const line = part.map((value, i) => `${x(from + i).toFixed(1)},${y(value ?? 0).toFixed(1)}`);
          return <Stretch key={from} line={line.join(" ")} from={x(from)} to={x(to)} color={color} />;
        })}
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

function Stretch({ line, from, to, color }: { line: string; from: number; to: number; color: string }) {
  return (
    <>
      <polygon points={`${from},${height} ${line} ${to},${height}`} fill={color} fillOpacity={0.18} />
      <polyline
        points={line}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

/** First and last index of each run of known or unknown values. */
function stretches(values: readonly (number | undefined)[], isKnown: boolean): [number, number][] {
  const found: [number, number][] = [];
  values.forEach((value, i) => {
    if ((value !== undefined) !== isKnown) return;
    const last = found.at(-1);
    if (last?.[1] === i - 1) last[1] = i;
    else found.push([i, i]);
  });
  return found;
}
