import { useId } from "react";
import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";

interface Point {
  readonly atSeconds: number;
  readonly perSecond: number;
}

/**
 * A line with points of its own. Recharts' lines share the chart's rows and make much of each of them: too slow to follow a
 * slider with thousands.
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

/** A logarithm knows no zero; so far down nothing is shown. */
const vanishing = 1e-9;
