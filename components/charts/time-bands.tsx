import { useId } from "react";
import { dayClockText, durationText, minuteText, spanText } from "@/components/ui/value-text.ts";
import type { OffSpan } from "@/lib/queries/markers.ts";
import { MissingHatch } from "./hatch.tsx";
import type { Gap } from "./missing.ts";
import { edgesOf, halo, type Plot, type TimeSpan } from "./plot.ts";
import { textWidth } from "./text-width.ts";

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
          {...halo}
        >
          {offLabel(span, right - left)}
        </text>
      </g>
    );
  });
}

/** Longest label that fits into `room` px. Empty if none fits. */
export function offLabel(span: OffSpan, room: number): string {
  return labelsOf(span).find((label) => textWidth(label) + 8 <= room) ?? "";
}

function labelsOf({ from, until, isEarlier }: OffSpan): string[] {
  if (isEarlier) return ["Protection off", "Off"];
  const time = until === null ? `since ${minuteText(from)}` : durationText(until - from);
  return [`Protection off ${time}`, `Off ${time}`, "Off"];
}

/** Text for the table below a chart. */
export function offSentence({ from, until, isEarlier }: OffSpan): string {
  if (isEarlier) return until === null ? "Protection off" : `Protection off until ${dayClockText(until)}`;
  return until === null
    ? `Protection off since ${dayClockText(from)}`
    : `Protection off from ${dayClockText(from)} to ${dayClockText(until)}`;
}

/** Minimum width of an area with a label, in px. */
const roomForWords = 52;

interface MissingAreasProps {
  readonly plot: Plot;
  readonly gaps: readonly Gap[];
  /** Heights of the lines across the plot, in px. */
  readonly lines: readonly number[];
}

/** Hatches times without data. */
export function MissingAreas({ plot, gaps, lines }: MissingAreasProps) {
  const id = useId();
  if (gaps.length === 0) return null;
  const { top, bottom } = plot;
  const y = clearHeight((top + bottom) / 2, lines);
  return (
    <g>
      <MissingHatch id={id} />
      {gaps.map(({ from, to }) => {
        const edges = edgesOf(plot, { from, until: to });
        if (!edges) return null;
        const [left, right] = edges;
        return (
          <g key={from} data-band="missing">
            <rect x={left} y={top} width={right - left} height={bottom - top} fill={`url(#${id})`} />
            {right - left > roomForWords && (
              <text
                x={(left + right) / 2}
                y={y}
                textAnchor="middle"
                fontSize={11}
                fill="var(--text-2)"
                {...halo}
                strokeWidth={4}
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

/** Height of a text with its outline above and below its baseline, in px. */
const [above, below] = [13, 7];

/** The baseline nearest to the wanted one at which no line crosses a text. */
export function clearHeight(wanted: number, lines: readonly number[]): number {
  const isClear = (y: number) => lines.every((line) => line <= y - above || line >= y + below);
  const others = lines.flatMap((line) => [line + above, line - below]);
  const clear = [wanted, ...others.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))];
  return clear.find(isClear) ?? wanted;
}

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
