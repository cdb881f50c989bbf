import { shortCount } from "@/components/ui/value-text.ts";
import type { Plot } from "./plot.ts";
import { textWidth } from "./text-width.ts";
import { timeTicks } from "./time-ticks.ts";

interface PlotAxesProps {
  plot: Plot;
  /** Width of the frame in px. */
  width: number;
  /** Ticks of the value axis. */
  ticks: readonly number[];
}

/** A time label begins this far left of the plot at most: the value 0 is beside it. */
const beforeTimes = 4;

/** Gridlines with their values, and round times below. */
export function PlotAxes({ plot, width, ticks }: PlotAxesProps) {
  const { left, right, bottom, from, until } = plot;
  const times = timeTicks({ from, until, width: right - left });
  return (
    <g fontSize={11} fill="var(--text-3)">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={plot.y(tick)} y2={plot.y(tick)} stroke="var(--grid)" />
          <text data-axis="value" x={left - 6} y={plot.y(tick) + 4} textAnchor="end">
            {shortCount(tick)}
          </text>
        </g>
      ))}
      {times.map(({ at, text }) => {
        const half = textWidth(text) / 2;
        return (
          <g key={at}>
            <line x1={plot.x(at)} x2={plot.x(at)} y1={bottom} y2={bottom + 4} stroke="var(--border-2)" />
            {plot.x(at) + half <= width && plot.x(at) - half >= left - beforeTimes && (
              <text data-axis="time" x={plot.x(at)} y={bottom + 17} textAnchor="middle">
                {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
