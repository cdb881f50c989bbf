import { durationText } from "@/components/ui/value-text.ts";
import { spanText } from "./axis-text.ts";
import type { Plot, TimeSpan } from "./plot.ts";

/** Span selected by the current drag. */
export function ZoomSelection({ plot, span }: { plot: Plot; span: TimeSpan }) {
  const { top, bottom } = plot;
  const [left, right] = [plot.x(span.from), plot.x(span.until)];
  return (
    <g data-band="zoom">
      <rect
        x={left}
        y={top}
        width={right - left}
        height={bottom - top}
        fill="var(--text)"
        fillOpacity={0.1}
      />
      {[left, right].map((x) => (
        <g key={x}>
          <line x1={x} x2={x} y1={top} y2={bottom} stroke="var(--text)" strokeWidth={1.5} />
          <rect
            x={x - 3}
            y={(top + bottom) / 2 - 9}
            width={6}
            height={18}
            rx={3}
            fill="var(--surface)"
            stroke="var(--text)"
            strokeWidth={1.5}
          />
        </g>
      ))}
    </g>
  );
}

/** Width in px. */
const tipWidth = 224;

/** Hint during a drag. At the bottom, where it covers no peak. */
export function ZoomTip({ plot, span, width }: { plot: Plot; span: TimeSpan; width: number }) {
  const middle = (plot.x(span.from) + plot.x(span.until)) / 2;
  const left = Math.min(width - tipWidth, Math.max(0, middle - tipWidth / 2));
  return (
    <div
      className="pointer-events-none absolute z-10 rounded-control bg-inv px-2 py-1.5 text-center text-meta whitespace-nowrap text-inv-text"
      style={{ left, width: tipWidth, top: plot.bottom - 46 }}
    >
      <span className="block font-semibold tabular-nums">
        {spanText(span)} · {durationText(span.until - span.from)}
      </span>
      Release to zoom · Esc cancels
    </div>
  );
}
