"use client";

import { useId, useMemo } from "react";
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Marker } from "../../lib/queries/markers.ts";
import { shortCount } from "../ui/count-text.ts";
import { verdictWords } from "../ui/verdicts.tsx";
import { clockText, dayClockText, rateText } from "./axis-text.ts";
import { ChangeLines } from "./change-lines.tsx";
import { ChartTable } from "./chart-table.tsx";
import { gapsOf } from "./missing.ts";
import { MissingAreas } from "./missing-areas.tsx";
import { layers, type Point } from "./verdict-layers.ts";
import { VerdictTooltip } from "./verdict-tooltip.tsx";

export interface VerdictChartProps {
  points: readonly Point[];
  markers: readonly Marker[];
  stepSeconds: number;
  caption: string;
  /** Until when the axis goes on although nothing more is known, in ms. */
  untilMs?: number | undefined;
}

/** Requests per second by verdict. What cannot be seen stands in the table behind it. */
export function VerdictChart({ points, markers, stepSeconds, caption, untilMs }: VerdictChartProps) {
  const hatch = useId();
  const top = Math.max(1, ...points.map((point) => layers.reduce((sum, { field }) => sum + point[field], 0)));
  const isLong = points.length * stepSeconds > 86_400 / 2;
  const shown = useMemo(() => points.map(drawn), [points]);
  const gaps = useMemo(() => gapsOf(points, untilMs), [points, untilMs]);
  return (
    <figure className="m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-64 w-full max-md:h-48" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 800, height: 256 }}>
          <AreaChart
            data={shown}
            margin={{ top: 18, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <defs>
              <pattern
                id={hatch}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="6" height="6" fill="var(--blocked-graphic)" fillOpacity={0.42} />
                <rect width="2.5" height="6" fill="var(--blocked-graphic)" fillOpacity={0.8} />
              </pattern>
            </defs>
            <CartesianGrid vertical={false} stroke="var(--grid)" />
            <XAxis
              dataKey="at"
              type="number"
              scale="time"
              domain={["dataMin", (last: number) => Math.max(last, untilMs ?? 0)]}
              tickFormatter={isLong ? dayClockText : clockText}
              tick={axisText}
              tickLine={false}
              axisLine={false}
              minTickGap={64}
            />
            <YAxis
              width={36}
              tick={axisText}
              tickFormatter={shortCount}
              tickLine={false}
              axisLine={false}
              tickCount={5}
              domain={[0, "auto"]}
            />
            <Tooltip
              content={VerdictTooltip}
              cursor={{ stroke: "var(--text-3)" }}
              isAnimationActive={false}
              filterNull={false}
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
                stroke={isSeen(points, field, top) ? `var(--${verdict}-graphic)` : "none"}
                strokeWidth={1.5}
                activeDot={{ r: 3 }}
              />
            ))}
            <MissingAreas gaps={gaps} />
            <ChangeLines markers={markers} />
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        markers={markers}
        head={["Time (UTC)", ...layers.map(({ verdict }) => `${verdictWords[verdict]} /s`)]}
        rows={points.map((point) => [
          dayClockText(point.at),
          ...layers.map(({ field }) => (point.isMissing ? "not known" : rateText(point[field]))),
        ])}
      />
    </figure>
  );
}

const axisText = { fill: "var(--text-3)", fontSize: 11 };

/** Without rates no area is drawn, and none is drawn across. */
function drawn(point: Point) {
  return point.isMissing ? { at: point.at, isMissing: true } : { ...point };
}

/** A line around next to nothing would look like something. */
function isSeen(points: readonly Point[], field: (typeof layers)[number]["field"], top: number): boolean {
  return points.some((point) => point[field] >= top / 100);
}
