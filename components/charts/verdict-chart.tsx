"use client";

import { useId, useMemo } from "react";
import {
  Area,
  AreaChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import type { OverviewReply } from "../../lib/queries/overview.ts";
import { shortCount } from "../ui/count-text.ts";
import { VerdictIcon, type VerdictName, verdictWords } from "../ui/verdicts.tsx";
import { clockText, dayClockText, rateText } from "./axis-text.ts";
import { ChartTable } from "./chart-table.tsx";

type Point = OverviewReply["points"][number];

/** From the bottom up, so that denials ride on top. */
const layers = [
  { field: "safelisted", verdict: "safelisted", fill: 0.5 },
  { field: "pass", verdict: "pass", fill: 0.18 },
  { field: "throttled", verdict: "throttled", fill: 0.62 },
  { field: "blocked", verdict: "blocked", fill: 0.62 },
] as const satisfies readonly { field: keyof Point; verdict: VerdictName; fill: number }[];

export interface VerdictChartProps {
  points: readonly Point[];
  markers: OverviewReply["markers"];
  stepSeconds: number;
  /** Called with the time that somebody points at. */
  caption: string;
}

/** Requests per second by verdict. What cannot be seen stands in the table behind it. */
export function VerdictChart({ points, markers, stepSeconds, caption }: VerdictChartProps) {
  const hatch = useId();
  const top = Math.max(1, ...points.map((point) => layers.reduce((sum, { field }) => sum + point[field], 0)));
  const isLong = points.length * stepSeconds > 86_400 / 2;
  const shown = useMemo(() => points.map((point) => ({ ...point })), [points]);
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
              domain={["dataMin", "dataMax"]}
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
            <Tooltip content={Explained} cursor={{ stroke: "var(--text-3)" }} isAnimationActive={false} />
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
            {markers.map(({ n, at, action, text }) => (
              <ReferenceLine
                key={n}
                x={at}
                stroke="var(--text-3)"
                strokeDasharray="3 3"
                label={{
                  value: `${clockText(at)} ${action} ${text}`.slice(0, 44),
                  position: "top",
                  ...axisText,
                }}
              />
            ))}
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        head={["Time (UTC)", ...layers.map(({ verdict }) => `${verdictWords[verdict]} /s`)]}
        rows={points.map((point) => [
          dayClockText(point.at),
          ...layers.map(({ field }) => rateText(point[field])),
        ])}
      />
    </figure>
  );
}

const axisText = { fill: "var(--text-3)", fontSize: 11 };

/** A line around next to nothing would look like something. */
function isSeen(points: readonly Point[], field: (typeof layers)[number]["field"], top: number): boolean {
  return points.some((point) => point[field] >= top / 100);
}

function Explained({ active, payload, label }: TooltipContentProps) {
  // The one cast: what was pointed at is one of the points that the chart was given.
  const point = payload?.[0]?.payload as Point | undefined;
  if (!active || !point) return null;
  const sum = layers.reduce((all, { field }) => all + point[field], 0);
  return (
    <div className="min-w-44 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1">
      <div className="mb-1.5 flex justify-between gap-4">
        <span className="font-semibold">{dayClockText(Number(label))}</span>
        <span className="text-text-3">{rateText(sum)}/s</span>
      </div>
      {layers.toReversed().map(({ field, verdict }) => (
        <div key={field} className="flex items-center gap-1.5 py-0.5">
          <VerdictIcon verdict={verdict} />
          <span className="text-text-2">{verdictWords[verdict]}</span>
          <span className="ml-auto font-medium">{rateText(point[field])}</span>
          <span className="w-11 text-right text-text-3">
            {sum > 0 ? `${((100 * point[field]) / sum).toFixed(1)}%` : ""}
          </span>
        </div>
      ))}
    </div>
  );
}
