"use client";

import { type PointerEvent, useId, useState } from "react";
import { countText, dayClockText, shortCount } from "@/components/ui/value-text.ts";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { ChartTable } from "./chart-table.tsx";
import { type Bar, DayLayers, isInReach, type Layer } from "./day-layers.tsx";
import { halo, type Plot, plotOf, type TimeSpan } from "./plot.ts";
import { valueTicks } from "./ticks.ts";
import { TimeFrame, useSize } from "./time-frame.tsx";
import { useDragZoom, type Zoom } from "./zoom.ts";
import { ZoomBar } from "./zoom-bar.tsx";

export interface Limit {
  readonly value: number;
  /** Label of the line. */
  readonly text: string;
  /** True for a limit that is or would be in force. False for a reference. */
  readonly isSolid: boolean;
}

interface DayChartProps {
  caption: string;
  from: number;
  until: number;
  stepMs: number;
  bars: readonly Bar[];
  /** Layers from the bottom up. */
  layers: readonly Layer[];
  /** Times without data. */
  gaps?: readonly TimeSpan[];
  limits: readonly Limit[];
  markers?: readonly Marker[];
  /** Times in which the mode was off. */
  off?: readonly OffSpan[];
  /** Height in px. */
  height?: number;
  zoom?: Zoom | undefined;
}

/** Requests in each step of a day as stacked layers, with limits and changes. */
export function DayChart(props: DayChartProps) {
  const { caption, stepMs, layers, gaps = [], limits, markers = [], off = [] } = props;
  const { height = 224, zoom } = props;
  const id = useId();
  const [frame, { width }] = useSize();
  const [pointed, setPointed] = useState<Bar>();
  const shown = zoom?.span ?? { from: props.from, until: props.until };
  const bars = props.bars.filter(({ at }) => at + stepMs > shown.from && at < shown.until);
  const most = Math.max(0, ...bars.map(totalOf));
  const shownLimits = limits.filter(({ value }) => isInReach(value, most));
  const ticks = valueTicks(Math.max(most, ...shownLimits.map(({ value }) => value)), { isWhole: true });
  const highest = ticks.at(-1) ?? 1;
  const plot = plotOf({ width, height, ...shown, highest, labels: ticks.map(shortCount) });
  const { dragged, handlers } = useDragZoom(plot, stepMs, zoom);
  const point = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setPointed(bars.find(({ at }) => plot.x(at) <= x && x < plot.x(at + stepMs)));
    handlers.onPointerMove?.(event);
  };
  return (
    <figure className="m-0 min-w-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div style={{ height }}>
        <TimeFrame
          {...{ frame, plot, width, height, ticks, markers, off, dragged }}
          gaps={gaps.map(({ from, until }) => ({ from, to: until }))}
          handlers={{ ...handlers, onPointerMove: point, onPointerLeave: () => setPointed(undefined) }}
          lines={{
            heights: shownLimits.map(({ value }) => plot.y(value)),
            content: <DayLimits {...{ plot }} limits={shownLimits} />,
          }}
        >
          <svg aria-hidden="true" width={width} height={height} className="absolute inset-0 overflow-hidden">
            <DayLayers {...{ id, plot, bars, layers, stepMs }} />
          </svg>
          {pointed && !dragged && <DayTip {...{ plot, layers, stepMs, width }} bar={pointed} />}
        </TimeFrame>
      </div>
      <div className="relative">
        {zoom && <ZoomBar {...{ zoom, shown, stepMs }} />}
        <ChartTable
          caption={caption}
          markers={markers}
          off={off}
          head={["Time (UTC)", ...layers.map(({ name }) => name)]}
          rows={props.bars.map((bar) => [
            dayClockText(bar.at),
            ...layers.map((_, i) =>
              isWithin(gaps, bar.at, stepMs) ? "unknown" : countText(bar.values[i] ?? 0),
            ),
          ])}
        />
      </div>
    </figure>
  );
}

function totalOf({ values }: Bar): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Whether the step lies within times without data. */
function isWithin(gaps: NonNullable<DayChartProps["gaps"]>, at: number, stepMs: number): boolean {
  return gaps.some(({ from, until }) => from <= at && at + stepMs <= until);
}

/** Minimum distance of two labels, in px. */
const lineHeight = 15;

/** Lines of the limits, in the colour of the text. A reference is dashed. */
function DayLimits({ plot, limits }: { plot: Plot; limits: readonly Limit[] }) {
  const sorted = limits.toSorted((a, b) => a.value - b.value);
  return sorted.map(({ value, text, isSolid }, i) => {
    const below = sorted[i - 1];
    const isRight = i % 2 === 1 && below && plot.y(below.value) - plot.y(value) < lineHeight;
    return (
      <g key={text}>
        <line
          x1={plot.left}
          x2={plot.right}
          y1={plot.y(value)}
          y2={plot.y(value)}
          stroke="var(--text)"
          strokeWidth={isSolid ? 1.5 : 1}
          {...(!isSolid && { strokeDasharray: "4 3" })}
        />
        <text
          x={isRight ? plot.right - 4 : plot.left + 4}
          y={plot.y(value) - 4}
          textAnchor={isRight ? "end" : "start"}
          fontSize={11}
          fill="var(--text)"
          {...halo}
          fontWeight={isSolid ? 600 : 400}
        >
          {text}
        </text>
      </g>
    );
  });
}

interface DayTipProps {
  plot: Plot;
  bar: Bar;
  layers: readonly Layer[];
  stepMs: number;
  width: number;
}

const tipWidth = 208;

/** Requests in the step under the pointer. */
function DayTip({ plot, bar, layers, stepMs, width }: DayTipProps) {
  const middle = plot.x(bar.at + stepMs / 2);
  const left = middle + tipWidth + 12 > width ? middle - tipWidth - 12 : middle + 12;
  return (
    <div
      className="pointer-events-none absolute top-8 z-10 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1"
      style={{ left: Math.max(0, left), width: tipWidth }}
    >
      <div className="mb-1 font-semibold">{dayClockText(bar.at)}</div>
      {layers.map(({ name }, i) => (
        <div key={name} className="flex gap-3 py-0.5">
          <span className="min-w-0 flex-1 text-text-2">{name}</span>
          <span className="font-medium tabular-nums">{countText(bar.values[i] ?? 0)}</span>
        </div>
      ))}
    </div>
  );
}
