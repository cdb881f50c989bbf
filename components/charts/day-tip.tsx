import { countText } from "@/components/ui/value-text.ts";
import { dayClockText } from "./axis-text.ts";
import type { Layer } from "./day-layers.tsx";
import type { Bar } from "./day-scale.ts";
import type { Plot } from "./plot.ts";

interface DayTipProps {
  plot: Plot;
  bar: Bar;
  layers: readonly Layer[];
  stepMs: number;
  width: number;
}

const tipWidth = 208;

/** Requests in the step under the pointer. */
export function DayTip({ plot, bar, layers, stepMs, width }: DayTipProps) {
  const middle = plot.x(bar.at + stepMs / 2);
  const left = middle + tipWidth + 12 > width ? middle - tipWidth - 12 : middle + 12;
  return (
    <div
      className="pointer-events-none absolute top-8 z-10 rounded-card border border-border-2 bg-overlay p-2.5 text-cell shadow-e1"
      style={{ left: Math.max(0, left), width: tipWidth }}
    >
      <div className="mb-1 font-semibold">{dayClockText(bar.at)}</div>
      {layers.map(({ name }, i) => (
        <div key={name} className="flex gap-3 py-0.5">
          <span className="min-w-0 flex-1 text-text-2">{name}</span>
          <span className="font-medium tabular-nums">{countText(bar.values[i] ?? 0)}</span>
        </div>
      ))}
    </div>
  );
}
