"use client";

import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from "recharts";
import { clockText, rateText } from "./axis-text.ts";
import { ChartTable } from "./chart-table.tsx";

interface Point {
  readonly at: number;
  readonly estimate: number;
}

export interface EstimateChartProps {
  past: readonly Point[];
  /** If no request came any more. */
  future: readonly Point[];
  limit: number;
  /** When the future is under the limit; nothing if it is already. */
  clearsAt?: number | undefined;
  nowMs: number;
}

const axisText = { fill: "var(--text-3)", fontSize: 11 };

/** A rate as it was and as it would decay, beside its limit. */
export function EstimateChart({ past, future, limit, clearsAt, nowMs }: EstimateChartProps) {
  const data = [
    ...past.map(({ at, estimate }) => ({ at, past: estimate, future: undefined })),
    ...future.map(({ at, estimate }) => ({ at, past: undefined, future: estimate })),
  ];
  const isOver = clearsAt !== undefined;
  const color = isOver ? "var(--blocked-graphic)" : "var(--text-2)";
  const caption = "Estimated requests per second";
  return (
    <figure className="m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-56 w-full" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 224 }}>
          <ComposedChart
            data={data}
            margin={{ top: 16, right: 16, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--grid)" />
            <XAxis
              dataKey="at"
              type="number"
              scale="time"
              domain={["dataMin", "dataMax"]}
              tickFormatter={clockText}
              tick={axisText}
              tickLine={false}
              axisLine={false}
              minTickGap={64}
            />
            <YAxis
              width={40}
              tick={axisText}
              tickFormatter={rateText}
              tickLine={false}
              axisLine={false}
              domain={[0, "auto"]}
            />
            <Area
              dataKey="past"
              stroke={color}
              fill={color}
              fillOpacity={0.2}
              strokeWidth={1.5}
              isAnimationActive={false}
              dot={false}
            />
            <Line
              dataKey="future"
              stroke={color}
              strokeDasharray="4 4"
              strokeWidth={1.5}
              dot={false}
              isAnimationActive={false}
            />
            <ReferenceLine
              y={limit}
              stroke="var(--text)"
              strokeDasharray="4 3"
              ifOverflow="extendDomain"
              label={{
                value: `limit ${rateText(limit)}/s`,
                position: "insideTopLeft",
                ...axisText,
                fill: "var(--text)",
              }}
            />
            <ReferenceLine
              x={nowMs}
              stroke="var(--text-3)"
              strokeDasharray="2 3"
              label={{ value: "now", position: "top", ...axisText }}
            />
            {clearsAt !== undefined && (
              <ReferenceDot
                x={clearsAt}
                y={limit}
                r={4}
                fill="var(--surface)"
                stroke="var(--pass-graphic)"
                strokeWidth={2}
              />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        head={["Time (UTC)", "Estimate /s"]}
        rows={past.map(({ at, estimate }) => [new Date(at).toISOString().slice(11, 19), rateText(estimate)])}
      />
    </figure>
  );
}
