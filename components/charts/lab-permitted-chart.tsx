"use client";

import { useId } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
} from "recharts";
import { countText, shortCount } from "@/components/ui/value-text.ts";
import { ChartTable } from "./chart-table.tsx";
import { Hatch } from "./hatch.tsx";
import { axisText, TimeAxis, ValueAxis } from "./lab-axes.tsx";
import { EndLabels, type Mark, MarkLabels, type Sum } from "./lab-labels.tsx";
import { countTicks, momentText, timeStep } from "./lab-text.ts";

interface PermittedChartProps {
  caption: string;
  /** Sums since the start, at even intervals. */
  sums: readonly Sum[];
  marks: readonly Mark[];
  heavy: { readonly fromSeconds: number; readonly untilSeconds: number; readonly perSecond: number };
  /** Times at which a new window starts. */
  edges: readonly number[];
  fromSeconds: number;
  untilSeconds: number;
  /** Highest value of the axis, which two charts share. */
  top: number;
}

/** Requests in red, permitted requests in blue. The area between was denied. */
export function PermittedChart(props: PermittedChartProps) {
  const { caption, sums, marks, heavy, edges, fromSeconds, untilSeconds, top } = props;
  const hatch = useId();
  const counts = countTicks(top);
  const highest = counts.at(-1) ?? 1;
  const step = timeStep(untilSeconds - fromSeconds);
  return (
    <figure className="m-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="h-60 w-full" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 440, height: 240 }}>
          <ComposedChart
            data={sums}
            margin={{ top: 14, right: 66, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <defs>
              <Hatch id={hatch} color="var(--blocked-graphic)" stripe={1.25} opacity={0.5} />
            </defs>
            <ReferenceArea
              x1={Math.max(heavy.fromSeconds, fromSeconds)}
              x2={heavy.untilSeconds}
              fill="var(--raised)"
              fillOpacity={1}
              label={{ value: `${heavy.perSecond}/s phase`, position: "insideTopLeft", ...axisText }}
            />
            <CartesianGrid vertical={false} stroke="var(--grid)" />
            <TimeAxis fromSeconds={fromSeconds} untilSeconds={untilSeconds} stepSeconds={step} />
            <ValueAxis domain={[0, highest]} ticks={counts} text={shortCount} />
            <Tooltip content={SumTooltip} cursor={{ stroke: "var(--text-3)" }} isAnimationActive={false} />
            {edges.map((edge) => (
              <ReferenceLine
                key={edge}
                x={edge}
                stroke="var(--text-3)"
                strokeDasharray="2 3"
                label={{ value: "new window", position: "insideBottomLeft", ...axisText }}
              />
            ))}
            <Area
              dataKey={between}
              stroke="none"
              fill={`url(#${hatch})`}
              fillOpacity={1}
              activeDot={false}
              isAnimationActive={false}
            />
            <Line {...line} dataKey="requests" stroke="var(--blocked-graphic)" />
            <Line {...line} dataKey="permitted" stroke="var(--safelisted-graphic)" />
            <MarkLabels marks={marks} frame={{ fromSeconds, untilSeconds, highest }} />
            <EndLabels last={sums.at(-1)} highest={highest} />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <ChartTable
        caption={caption}
        head={["Time", "Requests", "Permitted", "Denied"]}
        rows={sums.filter((_, i) => i % sumsPerRow === 0).map(rowOf)}
      />
    </figure>
  );
}

const line = { strokeWidth: 2, dot: false, activeDot: { r: 3 }, isAnimationActive: false } as const;
const sumsPerRow = 6;

const between = ({ permitted, requests }: Sum): [number, number] => [permitted, requests];

function rowOf({ atSeconds, requests, permitted }: Sum): string[] {
  return [momentText(atSeconds), countText(requests), countText(permitted), countText(requests - permitted)];
}

function SumTooltip({ active, payload }: TooltipContentProps) {
  // Recharts has no type for its payload, which is one of the chart's sums.
  const sum = payload?.[0]?.payload as Sum | undefined;
  if (!active || !sum) return null;
  const rows = [
    ["Requests", sum.requests, "text-blocked"],
    ["Permitted", sum.permitted, "text-safelisted"],
    ["Denied", sum.requests - sum.permitted, "text-text-2"],
  ] as const;
  return (
    <div className="min-w-32 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1">
      <div className="mb-1 font-semibold">{momentText(sum.atSeconds)}</div>
      {rows.map(([word, count, color]) => (
        <div key={word} className="flex justify-between gap-4">
          <span className={color}>{word}</span>
          <span className="font-medium">{countText(count)}</span>
        </div>
      ))}
    </div>
  );
}
