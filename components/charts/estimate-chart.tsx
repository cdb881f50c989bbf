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
import type { Marker } from "../../lib/queries/markers.ts";
import { durationText } from "../ui/duration-text.ts";
import { rateText, secondsText } from "./axis-text.ts";
import { ChangeLines } from "./change-lines.tsx";
import { ChartTable } from "./chart-table.tsx";
import type { Gap } from "./missing.ts";
import { MissingAreas } from "./missing-areas.tsx";
import { timeTicks } from "./time-ticks.ts";

interface Point {
  readonly at: number;
  readonly estimate: number;
}

/** Without an estimate: nobody knows what it was. */
type PastPoint = Point | { readonly at: number; readonly estimate?: undefined };

export interface EstimateChartProps {
  past: readonly PastPoint[];
  /** Stretches of it that nobody saw. */
  gaps?: readonly Gap[] | undefined;
  /** If no request came any more. */
  future: readonly Point[];
  limit: number;
  /** When the future is under the limit; nothing if it is already. */
  clearsAt?: number | undefined;
  nowMs: number;
  /** What people changed meanwhile. */
  markers?: readonly Marker[] | undefined;
}

const axisText = { fill: "var(--text-3)", fontSize: 11 };

/** A rate as it was and as it would decay, beside its limit. */
export function EstimateChart(props: EstimateChartProps) {
  const { past, gaps = [], future, limit, clearsAt, nowMs, markers = [] } = props;
  const data = [
    ...past.map(({ at, estimate }) => ({ at, past: estimate, future: undefined })),
    ...future.map(({ at, estimate }) => ({ at, past: undefined, future: estimate })),
  ];
  const isOver = clearsAt !== undefined;
  const [now] = future;
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
              ticks={timeTicks(data[0]?.at ?? nowMs, data.at(-1)?.at ?? nowMs)}
              tickFormatter={secondsText}
              tick={axisText}
              tickLine={false}
              axisLine={false}
              minTickGap={24}
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
            {now && (
              <ReferenceDot
                x={now.at}
                y={now.estimate}
                r={3}
                fill={color}
                stroke="none"
                label={{
                  ...{ value: `${rateText(now.estimate)}/s`, position: "right", dy: -8, ...axisText },
                  ...{ fill: isOver ? "var(--blocked)" : "var(--text)", fontWeight: 600 },
                }}
              />
            )}
            {clearsAt !== undefined && (
              <ReferenceDot
                x={clearsAt}
                y={limit}
                r={4}
                fill="var(--surface)"
                stroke="var(--pass-graphic)"
                strokeWidth={2}
                label={{
                  ...{
                    value: `clears in ${durationText(clearsAt - nowMs)}`,
                    position: "top",
                    dx: 44,
                    ...axisText,
                  },
                  ...{ fill: "var(--pass)", fontWeight: 600 },
                }}
              />
            )}
            <MissingAreas gaps={gaps} />
            <ChangeLines markers={markers} />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        markers={markers}
        head={["Time (UTC)", "Estimate /s"]}
        rows={past.map(({ at, estimate }) => [
          secondsText(at),
          estimate === undefined ? "not known" : rateText(estimate),
        ])}
      />
    </figure>
  );
}
