"use client";

import { type PointerEvent, useId, useState } from "react";
import type { Marker } from "../../lib/queries/markers.ts";
import { countText } from "../ui/count-text.ts";
import { dayClockText } from "./axis-text.ts";
import { ChangeMarks } from "./change-marks.tsx";
import { ChartTable } from "./chart-table.tsx";
import { DayAxes, DayLimits } from "./day-axes.tsx";
import { DayLayers, type Layer } from "./day-layers.tsx";
import { type Bar, dayScale, isInReach, valueTicks } from "./day-scale.ts";
import { DayTip } from "./day-tip.tsx";
import { useWidth } from "./use-width.ts";

export interface Limit {
  readonly value: number;
  /** What stands at its line. */
  readonly text: string;
  /** Of what is in force, or would be; else it is a reference. */
  readonly isSolid: boolean;
}

export interface DayChartProps {
  caption: string;
  from: number;
  until: number;
  stepMs: number;
  bars: readonly Bar[];
  /** From the bottom up. */
  layers: readonly Layer[];
  /** Times of which nothing is known. */
  gaps?: readonly { readonly from: number; readonly until: number }[];
  limits?: readonly Limit[];
  markers?: readonly Marker[];
  /** In px. */
  height?: number;
}

/** What came in each step of a day, layer on layer, with its limits and what people changed. */
export function DayChart(props: DayChartProps) {
  const { caption, from, until, stepMs, bars, layers, gaps = [], limits = [], markers = [] } = props;
  const { height = 224 } = props;
  const id = useId();
  const [frame, width] = useWidth();
  const [pointed, setPointed] = useState<Bar>();
  const most = Math.max(0, ...bars.map(totalOf));
  const shownLimits = limits.filter(({ value }) => isInReach(value, most));
  const ticks = valueTicks(Math.max(most, ...shownLimits.map(({ value }) => value)));
  const scale = dayScale({ width, height, from, until, highest: ticks.at(-1) ?? 1 });
  const point = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setPointed(bars.find(({ at }) => scale.x(at) <= x && x < scale.x(at + stepMs)));
  };
  return (
    <figure className="m-0 min-w-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div
        ref={frame}
        aria-hidden="true"
        className="relative"
        style={{ height }}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg aria-hidden="true" width={width} height={height} className="absolute inset-0 overflow-hidden">
          <DayAxes {...{ scale, ticks, from, until }} />
          <DayLayers {...{ id, scale, bars, layers, gaps, stepMs }} />
          <DayLimits {...{ scale }} limits={shownLimits} />
          <ChangeMarks {...scale} markers={markers} />
        </svg>
        {pointed && <DayTip {...{ scale, layers, stepMs, width }} bar={pointed} />}
      </div>
      <ChartTable
        caption={caption}
        markers={markers}
        head={["Time (UTC)", ...layers.map(({ name }) => name)]}
        rows={bars.map((bar) => [
          dayClockText(bar.at),
          ...layers.map((_, i) =>
            isWithin(gaps, bar.at, stepMs) ? "not known" : countText(bar.values[i] ?? 0),
          ),
        ])}
      />
    </figure>
  );
}

function totalOf({ values }: Bar): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Of a step of which nothing at all is known. */
function isWithin(gaps: NonNullable<DayChartProps["gaps"]>, at: number, stepMs: number): boolean {
  return gaps.some(({ from, until }) => from <= at && at + stepMs <= until);
}
