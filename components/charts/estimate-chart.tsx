"use client";

import {
  Area,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from "recharts";
import { durationText, rateText, secondsText, shortCount } from "@/components/ui/value-text.ts";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { ChartTable } from "./chart-table.tsx";
import type { Gap } from "./missing.ts";
import { halo, plotOf } from "./plot.ts";
import { valueTicks } from "./ticks.ts";
import { TimeFrame, useSize } from "./time-frame.tsx";

interface Point {
  readonly at: number;
  readonly estimate: number;
}

/** A point. Its estimate is undefined where it is unknown. */
type PastPoint = Point | { readonly at: number; readonly estimate?: undefined };

interface EstimateChartProps {
  past: readonly PastPoint[];
  /** Times of the past without data. */
  gaps: readonly Gap[];
  /** Estimate if no further request arrives. */
  future: readonly Point[];
  limit: number;
  /** Time at which `future` falls below the limit. Undefined if the estimate is already below it. */
  clearsAt: number | undefined;
  nowMs: number;
  /** Changes in the shown time. */
  markers?: readonly Marker[] | undefined;
  /** Times in which the mode was off. */
  off?: readonly OffSpan[] | undefined;
}

/** Half of the label at the end of the excess, and its distance to the dot, in px. */
const clearsWidth = 92;

const axisText = { fill: "var(--text-3)", fontSize: 11 };

/** Past and future of an estimated rate, with its limit. */
export function EstimateChart(props: EstimateChartProps) {
  const { past, gaps, future, limit, clearsAt, nowMs, markers = [], off = [] } = props;
  const [frame, { width, height }] = useSize();
  const data = [
    ...past.map(({ at, estimate }) => ({ at, past: estimate, future: undefined })),
    ...future.map(({ at, estimate }) => ({ at, past: undefined, future: estimate })),
  ];
  const isOver = clearsAt !== undefined;
  const [now] = future;
  const color = isOver ? "var(--blocked-graphic)" : "var(--text-2)";
  const caption = "Estimated requests per second";
  const [from, until] = [data[0]?.at ?? nowMs, data.at(-1)?.at ?? nowMs];
  const ticks = valueTicks(Math.max(limit, ...data.map((point) => point.past ?? point.future ?? 0)));
  const highest = ticks.at(-1) ?? 1;
  const plot = plotOf({ width, height, from, until, highest, labels: ticks.map(shortCount) });
  const { left, top, after, below } = plot;
  return (
    <figure className="m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-56">
        <TimeFrame {...{ frame, plot, width, height, ticks, markers, off, gaps }}>
          <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 224 }}>
            <ComposedChart
              data={data}
              margin={{ top, left, right: after, bottom: below }}
              accessibilityLayer={false}
            >
              <XAxis dataKey="at" type="number" scale="time" domain={[from, until]} allowDataOverflow hide />
              <YAxis domain={[0, highest]} allowDataOverflow hide />
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
                label={{
                  value: `limit ${rateText(limit)}/s`,
                  position: "insideTopLeft",
                  ...axisText,
                  fill: "var(--text)",
                }}
              />
              <ReferenceLine x={nowMs} stroke="var(--text-3)" strokeDasharray="2 3" />
              {now && (
                <ReferenceDot
                  x={now.at}
                  y={now.estimate}
                  r={3}
                  fill={color}
                  stroke="none"
                  label={{
                    ...{ ...axisText, ...halo, fontWeight: 600 },
                    ...{ value: `now ${rateText(now.estimate)}/s`, position: "right", dy: -8 },
                    fill: isOver ? "var(--blocked)" : "var(--text)",
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
                    ...{ ...axisText, fill: "var(--pass)", fontWeight: 600 },
                    ...{ value: `clears in ${durationText(clearsAt - nowMs)}`, position: "top" },
                    dx: plot.x(clearsAt) + clearsWidth < width ? 44 : -44,
                  }}
                />
              )}
            </ComposedChart>
          </ResponsiveContainer>
        </TimeFrame>
      </div>
      <ChartTable
        caption={caption}
        markers={markers}
        off={off}
        head={["Time (UTC)", "Estimate /s"]}
        rows={past.map(({ at, estimate }) => [
          secondsText(at),
          estimate === undefined ? "unknown" : rateText(estimate),
        ])}
      />
    </figure>
  );
}
