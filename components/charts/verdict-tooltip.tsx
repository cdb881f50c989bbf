import type { TooltipContentProps } from "recharts";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import { dayClockText, rateText } from "./axis-text.ts";
import { layers, type Point } from "./verdict-layers.ts";

const frame = "min-w-44 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1";

/** Rates at the point under the pointer. */
export function VerdictTooltip({ active, payload, label }: TooltipContentProps) {
  // Recharts has no type for its payload, which is one of the chart's points.
  const point = payload?.[0]?.payload as Point | undefined;
  if (!active || !point) return null;
  const time = dayClockText(Number(label));
  if (point.isMissing) return <Unknown time={time} />;
  const sum = layers.reduce((all, { field }) => all + point[field], 0);
  return (
    <div className={frame}>
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
    <div className={frame}>
      <div className="font-semibold">{time}</div>
      <div className="text-text-2">No data. No node reported for this time.</div>
    </div>
  );
}
