"use client";

import { cleanText } from "@/components/ui/untrusted-text.ts";
import { countText, shortCount } from "@/components/ui/value-text.ts";
import { ChartTable } from "./chart-table.tsx";
import { LimitBars } from "./limit-bars.tsx";
import { LimitLine } from "./limit-line.tsx";
import { limitScale, shareOf, ticksOf } from "./limit-scale.ts";

export interface Bar {
  readonly client: string;
  readonly peak: number;
  readonly isCustomer: boolean;
}

export interface LimitChartProps {
  caption: string;
  /** Bars, the busiest client first. */
  bars: readonly Bar[];
  limit: number;
  /** Limit in force. The scale includes it and does not change while the line moves. */
  inForce: number;
  gap?: { readonly from: number; readonly to: number } | undefined;
  /** "per 5 min" */
  per: string;
  /** Text of a limit for screen readers. */
  text: (limit: number) => string;
  onChange: (limit: number) => void;
}

/** Height in px. */
const height = 312;

/** Peaks of the busiest clients, and a limit line to drag. */
export function LimitChart(props: LimitChartProps) {
  const { caption, bars, limit, inForce, gap, per, text, onChange } = props;
  const scale = limitScale(
    bars.map(({ peak }) => peak),
    inForce,
  );
  const y = (value: number) => Math.round(shareOf(scale, value) * height);
  return (
    <figure className="m-0 min-w-0">
      <figcaption className="sr-only">{caption}</figcaption>
      <div className="relative mt-2 mb-10 ml-10" style={{ height }}>
        <div aria-hidden="true">
          {ticksOf(scale).map((tick) => (
            <div key={tick} className="absolute inset-x-0 border-t border-grid" style={{ bottom: y(tick) }}>
              <span className="absolute right-full -translate-y-1/2 pr-2 text-meta text-text-3">
                {shortCount(tick)}
              </span>
            </div>
          ))}
          {gap && <Gap gap={gap} y={y} isNearLine={Math.abs(y(gap.to) - y(limit)) < 36} />}
          <LimitBars bars={bars} limit={limit} y={y} />
          <OverLabels bars={bars} limit={limit} y={y} />
        </div>
        <LimitLine {...{ scale, height, limit, per, text, onChange }} />
      </div>
      <ChartTable
        caption={caption}
        head={["Rank", "Client", `Most ${per}`, "Customer"]}
        rows={bars
          .map(({ client, peak, isCustomer }, i) => [
            `${i + 1}`,
            cleanText(client, 64).text,
            countText(peak),
            isCustomer ? "yes" : "no",
          ])
          .toReversed()}
      />
    </figure>
  );
}

interface GapProps {
  gap: { readonly from: number; readonly to: number };
  y: (value: number) => number;
  isNearLine: boolean;
}

function Gap({ gap: { from, to }, y, isNearLine }: GapProps) {
  return (
    <div
      className="absolute inset-x-0 bg-raised"
      style={{ bottom: y(from), height: Math.max(1, y(to) - y(from)) }}
    >
      <span
        className={`absolute z-10 rounded-control bg-surface px-1.5 text-right text-meta text-text-2 max-sm:hidden ${isNearLine ? "top-1 right-48" : "top-1 right-2"}`}
      >
        Natural gap: no client between {countText(from)} and {countText(to)}
      </span>
    </div>
  );
}

const mostLabels = 4;
const labelHeight = 18;

/** Names of the first clients over the limit, beside their bars. */
function OverLabels({ bars, limit, y }: Pick<LimitChartProps, "bars" | "limit"> & { y: GapProps["y"] }) {
  const over = bars.filter(({ peak }) => peak > limit);
  if (over.length === 0 || over.length > bars.length * 0.6) return null;
  let next = 0;
  return over.slice(0, mostLabels).map(({ client, peak, isCustomer }, i) => {
    const top = Math.max(next, height - y(peak) - 2);
    next = top + labelHeight;
    return (
      <span
        key={client}
        className="pointer-events-none absolute flex max-w-60 items-baseline gap-2 text-meta whitespace-nowrap"
        style={{ top, left: `calc(${(100 * over.length) / bars.length}% + 12px)` }}
      >
        <span className="text-text-3">{i + 1}</span>
        <span className={`font-semibold ${isCustomer ? "text-blocked" : "text-throttled"}`}>
          {countText(peak)}
        </span>
        <bdi className="truncate font-mono text-text-2">{cleanText(client, 40).text}</bdi>
      </span>
    );
  });
}
