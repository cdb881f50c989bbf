"use client";

import { type PointerEvent, useId, useState } from "react";
import { countText, shortCount } from "@/components/ui/value-text.ts";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { dayClockText } from "./axis-text.ts";
import { ChartTable } from "./chart-table.tsx";
import { DayLayers, type Layer } from "./day-layers.tsx";
import { DayLimits } from "./day-limits.tsx";
import { type Bar, isInReach } from "./day-scale.ts";
import { DayTip } from "./day-tip.tsx";
import { plotOf, type TimeSpan } from "./plot.ts";
import { TimeFrame } from "./time-frame.tsx";
import { useDragZoom, type Zoom } from "./use-drag-zoom.ts";
import { useSize } from "./use-size.ts";
import { valueTicks } from "./value-ticks.ts";
import { ZoomBar } from "./zoom-bar.tsx";

export interface Limit {
  readonly value: number;
  /** Label of the line. */
  readonly text: string;
  /** True for a limit that is or would be in force. False for a reference. */
  readonly isSolid: boolean;
}

export interface DayChartProps {
  caption: string;
  from: number;
  until: number;
  stepMs: number;
  bars: readonly Bar[];
  /** Layers from the bottom up. */
  layers: readonly Layer[];
  /** Times without data. */
  gaps?: readonly TimeSpan[];
  limits?: readonly Limit[];
  markers?: readonly Marker[];
  /** Times in which the mode was off. */
  off?: readonly OffSpan[];
  /** Height in px. */
  height?: number;
  zoom?: Zoom | undefined;
}

/** Requests in each step of a day as stacked layers, with limits and changes. */
export function DayChart(props: DayChartProps) {
  const { caption, stepMs, layers, gaps = [], limits = [], markers = [], off = [] } = props;
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
        >
          <svg aria-hidden="true" width={width} height={height} className="absolute inset-0 overflow-hidden">
            <DayLayers {...{ id, plot, bars, layers, stepMs }} />
            <DayLimits {...{ plot }} limits={shownLimits} />
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
