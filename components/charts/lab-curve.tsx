import { useId } from "react";
import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";

interface Point {
  readonly atSeconds: number;
  readonly perSecond: number;
}

/**
 * A line with its own points. Recharts' lines share the rows of the chart and do much work for each, which is too slow for
 * thousands of points while a slider moves.
 */
export function Curve({ points }: { points: readonly Point[] }) {
  const id = useId();
  const plot = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!plot || !x || !y) return null;
  const corners = points.map(({ atSeconds, perSecond }) => {
    const top = y(Math.max(vanishing, perSecond)) ?? plot.y;
    return `${(x(atSeconds) ?? plot.x).toFixed(1)},${top.toFixed(1)}`;
  });
  return (
    <>
      <clipPath id={id}>
        <rect x={plot.x} y={plot.y} width={plot.width} height={plot.height} />
      </clipPath>
      <polyline
        points={corners.join(" ")}
        clipPath={`url(#${id})`}
        fill="none"
        stroke="var(--shadow-graphic)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </>
  );
}

/** Replaces 0, which has no logarithm. It is below every axis. */
const vanishing = 1e-9;
