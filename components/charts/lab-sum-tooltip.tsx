import type { TooltipContentProps } from "recharts";
import { countText } from "@/components/ui/value-text.ts";
import type { Sum } from "./lab-sum-labels.tsx";
import { momentText } from "./lab-text.ts";

export function SumTooltip({ active, payload }: TooltipContentProps) {
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
