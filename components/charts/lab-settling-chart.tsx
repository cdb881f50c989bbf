"use client";

import { useId } from "react";
import {
  CartesianGrid,
  LineChart,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
} from "recharts";
import { rateText } from "@/components/ui/value-text.ts";
import { ChartTable } from "./chart-table.tsx";
import { TimeAxis, ValueAxis } from "./lab-axes.tsx";
import { ChartText } from "./lab-labels.tsx";
import { momentText, timeStep } from "./lab-text.ts";

interface Point {
  readonly atSeconds: number;
  readonly perSecond: number;
}

interface Settling {
  /** True rate. */
  readonly perSecond: number;
  readonly points: readonly Point[];
  readonly isDenied: boolean;
}

interface SettlingChartProps {
  caption: string;
  settlings: readonly Settling[];
  /** Times at which the users start and stop, and the chart ends. */
  watch: { readonly fromSeconds: number; readonly toSeconds: number; readonly untilSeconds: number };
  limit: number;
}

const lowest = 0.01;

/** Estimates approaching the true rates. */
export function SettlingChart({ caption, settlings, watch, limit }: SettlingChartProps) {
  const { fromSeconds, toSeconds, untilSeconds } = watch;
  const step = fromSeconds || timeStep(untilSeconds);
  const highest = Math.max(20, limit * 1.5);
  return (
    <figure className="m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-56 w-full" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 900, height: 224 }}>
          <LineChart margin={{ top: 8, right: 56, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--grid)" />
            <TimeAxis fromSeconds={0} untilSeconds={untilSeconds} stepSeconds={step} />
            <ValueAxis
              domain={[lowest, highest]}
              ticks={[0.01, 0.1, 1, 10, 100].filter((tick) => tick <= highest)}
              text={rateText}
              isLogarithmic
            />
            {settlings.map(({ perSecond }) => (
              <ReferenceLine
                key={perSecond}
                segment={[
                  { x: fromSeconds, y: perSecond },
                  { x: toSeconds, y: perSecond },
                ]}
                stroke="var(--text-3)"
                strokeDasharray="2 3"
              />
            ))}
            {settlings.map(({ perSecond, points }) => (
              <Curve key={perSecond} points={points} />
            ))}
            <ReferenceLine y={limit} stroke="var(--text)" strokeDasharray="5 3" />
            <ReferenceDot
              x={untilSeconds}
              y={limit}
              r={0}
              label={
                <ChartText lines={[{ text: `limit ${rateText(limit)}/s` }]} anchor="end" dx={-6} dy={13} />
              }
            />
            {settlings.map(({ perSecond, isDenied }) => (
              <ReferenceDot
                key={perSecond}
                x={untilSeconds}
                y={perSecond}
                r={0}
                label={
                  <ChartText
                    lines={[
                      { text: `${rateText(perSecond)}/s`, isBold: true },
                      { text: isDenied ? "denied" : "passes" },
                    ]}
                    dx={8}
                  />
                }
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        head={["Time", ...settlings.map(({ perSecond }) => `${rateText(perSecond)}/s`)]}
        rows={tableRows(settlings, untilSeconds)}
      />
    </figure>
  );
}

const rowCount = 40;

function tableRows(settlings: readonly Settling[], untilSeconds: number): string[][] {
  return Array.from({ length: rowCount + 1 }, (_, i) => {
    const at = (untilSeconds * i) / rowCount;
    const estimateOf = ({ points }: Settling) =>
      points.findLast(({ atSeconds }) => atSeconds <= at)?.perSecond ?? 0;
    return [momentText(at), ...settlings.map((settling) => estimateOf(settling).toPrecision(3))];
  });
}

/**
 * A line with its own points. Recharts' lines share the rows of the chart and do much work for each, which is too slow for
 * thousands of points while a slider moves.
 */
function Curve({ points }: { points: readonly Point[] }) {
  const id = useId();
  const plot = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!plot || !x || !y) return null;
  const corners = points.map(({ atSeconds, perSecond }) => {
    const top = y(Math.max(vanishing, perSecond)) ?? plot.y;
    return `${(x(atSeconds) ?? plot.x).toFixed(1)},${top.toFixed(1)}`;
  });
  return (
    <>
      <clipPath id={id}>
        <rect x={plot.x} y={plot.y} width={plot.width} height={plot.height} />
      </clipPath>
      <polyline
        points={corners.join(" ")}
        clipPath={`url(#${id})`}
        fill="none"
        stroke="var(--shadow-graphic)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </>
  );
}

/** Replaces 0, which has no logarithm. It is below every axis. */
const vanishing = 1e-9;
