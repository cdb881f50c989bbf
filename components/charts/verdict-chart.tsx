"use client";

import { useId, useMemo } from "react";
import { Area, AreaChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { dayClockText, rateText, shortCount } from "@/components/ui/value-text.ts";
import { verdictWords } from "@/components/ui/verdicts.tsx";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { ChartTable } from "./chart-table.tsx";
import { Hatch } from "./hatch.tsx";
import { gapsOf } from "./missing.ts";
import { type Plot, plotOf, type TimeSpan } from "./plot.ts";
import { valueTicks } from "./ticks.ts";
import { TimeFrame, useSize } from "./time-frame.tsx";
import { edgeStops, layers, type Point, VerdictTooltip } from "./verdict-layers.tsx";
import { useDragZoom, type Zoom } from "./zoom.ts";
import { ZoomBar } from "./zoom-bar.tsx";

interface VerdictChartProps {
  points: readonly Point[];
  markers: readonly Marker[];
  /** Times in which the mode was off. */
  off: readonly OffSpan[];
  stepSeconds: number;
  /** End of the axis, in ms. */
  asOf: number;
  caption: string;
  /** End of the missing data while reads fail, in ms. */
  untilMs?: number | undefined;
  zoom: Zoom;
}

/** Requests per second by verdict, with changes in the shown time. A table has the same numbers. */
export function VerdictChart(props: VerdictChartProps) {
  const { points, markers, off, stepSeconds, asOf, caption, untilMs, zoom } = props;
  const [frame, { width, height }] = useSize();
  const stepMs = stepSeconds * 1_000;
  const shown = zoom.span ?? wholeOf(points, Math.max(asOf, untilMs ?? 0));
  const inView = useMemo(() => pointsIn(points, shown, stepMs), [points, shown, stepMs]);
  const gaps = useMemo(() => gapsOf(points, untilMs), [points, untilMs]);
  const ticks = valueTicks(Math.max(1, ...inView.map(sumOf)));
  const highest = ticks.at(-1) ?? 1;
  const plot = plotOf({ width, height, ...shown, highest, labels: ticks.map(shortCount) });
  const { dragged, handlers } = useDragZoom(plot, stepMs, zoom);
  return (
    <figure className="relative m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-64 max-md:h-52">
        <TimeFrame {...{ frame, plot, width, height, ticks, markers, off, gaps, dragged, handlers }}>
          <Areas {...{ plot }} points={inView} isDragging={dragged !== undefined} />
        </TimeFrame>
      </div>
      <div className="relative">
        <ZoomBar {...{ zoom, shown, stepMs }} />
        <ChartTable
          caption={caption}
          markers={markers}
          off={off}
          head={["Time (UTC)", ...layers.map(({ verdict }) => `${verdictWords[verdict]} /s`)]}
          rows={points.map((point) => [
            dayClockText(point.at),
            ...layers.map(({ field }) => (point.isMissing ? "unknown" : rateText(point[field]))),
          ])}
        />
      </div>
    </figure>
  );
}

/** Areas of the plot, without axes. */
function Areas({ plot, points, isDragging }: { plot: Plot; points: readonly Point[]; isDragging: boolean }) {
  const hatch = useId();
  const drawn = useMemo(() => points.map(areaPoint), [points]);
  const { left, right, top, from, until, highest } = plot;
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 800, height: 256 }}>
      <AreaChart
        data={drawn}
        margin={{ top, left, right: plot.after, bottom: plot.below }}
        accessibilityLayer={false}
      >
        <defs>
          <Hatch id={hatch} color="var(--blocked-graphic)" stripe={2.5} opacity={0.8} ground={0.42} />
          {layers.map(({ field, verdict }) => (
            <linearGradient
              key={field}
              id={`${hatch}${field}`}
              gradientUnits="userSpaceOnUse"
              x1={left}
              x2={right}
              y1={0}
              y2={0}
            >
              <stop offset={0} stopOpacity={0} />
              {edgeStops(
                points.map((point) => ({ at: point.at, value: point[field] })),
                plot,
              ).map(({ offset, isDrawn }) => (
                <stop
                  key={`${offset} ${isDrawn}`}
                  offset={offset}
                  stopColor={`var(--${verdict}-graphic)`}
                  stopOpacity={isDrawn ? 1 : 0}
                />
              ))}
            </linearGradient>
          ))}
        </defs>
        <XAxis dataKey="at" type="number" scale="time" domain={[from, until]} allowDataOverflow hide />
        <YAxis domain={[0, highest]} allowDataOverflow hide />
        <Tooltip
          content={VerdictTooltip}
          cursor={{ stroke: "var(--text-3)" }}
          isAnimationActive={false}
          filterNull={false}
          {...(isDragging && { active: false })}
        />
        {layers.map(({ field, verdict, fill }) => (
          <Area
            key={field}
            dataKey={field}
            stackId="verdicts"
            type="monotone"
            isAnimationActive={false}
            fill={verdict === "blocked" ? `url(#${hatch})` : `var(--${verdict}-graphic)`}
            fillOpacity={verdict === "blocked" ? 1 : fill}
            stroke={`url(#${hatch}${field})`}
            strokeWidth={1.5}
            activeDot={{ r: 3 }}
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  );
}

/** Span up to now, so that changes after the newest point show immediately. */
function wholeOf(points: readonly Point[], until: number): TimeSpan {
  const from = points[0]?.at ?? until - 1;
  return { from, until: Math.max(from + 1, until) };
}

/** Points in the span, with one before and one after, so that areas reach the edges. */
function pointsIn(points: readonly Point[], { from, until }: TimeSpan, stepMs: number): Point[] {
  return points.filter(({ at }) => at > from - stepMs && at < until + stepMs);
}

function sumOf(point: Point): number {
  return layers.reduce((sum, { field }) => sum + point[field], 0);
}

/** A missing point has no rates, so that areas are interrupted there. */
function areaPoint(point: Point) {
  return point.isMissing ? { at: point.at, isMissing: true } : { ...point };
}
