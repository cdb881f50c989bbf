import type { OffSpan } from "@/lib/queries/markers.ts";
import { offLabel } from "./off-words.ts";
import { edgesOf, type Plot } from "./plot.ts";

/** Minimum width of a band, in px. */
const leastWidth = 2;

/** Shades times in which the mode was off and nothing was enforced. */
export function OffBands({ plot, spans }: { plot: Plot; spans: readonly OffSpan[] }) {
  const { top, bottom } = plot;
  return spans.map((span) => {
    const edges = edgesOf(plot, { from: span.from, until: span.until ?? plot.until });
    if (!edges) return null;
    const [left, right] = [edges[0], Math.max(edges[1], edges[0] + leastWidth)];
    return (
      <g key={span.until ?? "open"} data-band="off">
        <rect
          x={left}
          y={top}
          width={right - left}
          height={bottom - top}
          fill="var(--text)"
          fillOpacity={0.07}
        />
        {[left, ...(span.until === null ? [] : [right])].map((x) => (
          <line
            key={x}
            x1={x}
            x2={x}
            y1={top}
            y2={bottom}
            stroke="var(--blocked-graphic)"
            strokeDasharray="3 3"
          />
        ))}
        <rect x={left} y={top - 1} width={right - left} height={2.5} fill="var(--blocked-graphic)" />
        <text
          x={(left + right) / 2}
          y={top + 15}
          textAnchor="middle"
          fontSize={11}
          fontWeight={500}
          fill="var(--blocked)"
          stroke="var(--surface)"
          strokeWidth={3}
          strokeLinejoin="round"
          paintOrder="stroke"
        >
          {offLabel(span, right - left)}
        </text>
      </g>
    );
  });
}
