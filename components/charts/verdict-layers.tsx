import type { TooltipContentProps } from "recharts";
import { dayClockText, rateText } from "@/components/ui/value-text.ts";
import { VerdictIcon, type VerdictName, verdictWords } from "@/components/ui/verdicts.tsx";
import type { OverviewReply } from "@/lib/queries/overview.ts";
import type { Plot } from "./plot.ts";

export type Point = OverviewReply["points"][number];

/** Layers from the bottom up. Denials are on top. */
export const layers = [
  { field: "safelisted", verdict: "safelisted", fill: 0.5 },
  { field: "pass", verdict: "pass", fill: 0.18 },
  { field: "throttled", verdict: "throttled", fill: 0.62 },
  { field: "blocked", verdict: "blocked", fill: 0.62 },
] as const satisfies readonly { field: keyof Point; verdict: VerdictName; fill: number }[];

/** Start or end of a line along a layer, as a share of the plot's width. */
interface EdgeStop {
  readonly offset: number;
  readonly isDrawn: boolean;
}

/** Share of the axis. A thinner layer gets no line, which would make it look thicker. */
const leastShare = 0.01;

/** Stops of a gradient that draws the line along a layer only where the layer is thick enough to be seen. */
export function edgeStops(
  values: readonly { readonly at: number; readonly value: number }[],
  plot: Pick<Plot, "from" | "until" | "highest">,
): EdgeStop[] {
  const stops: EdgeStop[] = [];
  let isDrawn = false;
  for (const { at, value } of values) {
    const isSeen = value >= plot.highest * leastShare;
    if (isSeen === isDrawn) continue;
    const offset = Math.min(1, Math.max(0, (at - plot.from) / (plot.until - plot.from)));
    stops.push({ offset, isDrawn }, { offset, isDrawn: isSeen });
    isDrawn = isSeen;
  }
  return stops;
}

const tipFrame = "min-w-44 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1";

/** Rates at the point under the pointer. */
export function VerdictTooltip({ active, payload, label }: TooltipContentProps) {
  // Recharts has no type for its payload, which is one of the chart's points.
  const point = payload?.[0]?.payload as Point | undefined;
  if (!active || !point) return null;
  const time = dayClockText(Number(label));
  if (point.isMissing) return <Unknown time={time} />;
  const sum = layers.reduce((all, { field }) => all + point[field], 0);
  return (
    <div className={tipFrame}>
      <div className="mb-1.5 flex justify-between gap-4">
        <span className="font-semibold">{time}</span>
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

function Unknown({ time }: { time: string }) {
  return (
    <div className={tipFrame}>
      <div className="font-semibold">{time}</div>
      <div className="text-text-2">No data. No node reported for this time.</div>
    </div>
  );
}
