import { type Phase, secondsOf } from "@/lib/enforce/limits/traffic.ts";

const width = 240;
const height = 44;

/** The phases as a line, with their numbers above. */
export function TrafficShape({ phases }: { phases: readonly Phase[] }) {
  const all = secondsOf(phases);
  const top = Math.max(...phases.map(({ perSecond }) => perSecond)) || 1;
  let seconds = 0;
  const corners = phases.flatMap((phase) => {
    const y = height - 1 - (phase.perSecond / top) * (height - 4);
    const from = (seconds / all) * width;
    seconds += phase.seconds;
    return [`${from.toFixed(1)},${y.toFixed(1)}`, `${((seconds / all) * width).toFixed(1)},${y.toFixed(1)}`];
  });
  const line = corners.join(" ");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-11 w-full"
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="var(--raised)" />
      <polyline
        points={line}
        fill="none"
        stroke="var(--text-2)"
        strokeWidth={1.25}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
