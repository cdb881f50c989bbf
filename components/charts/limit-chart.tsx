"use client";

import { cleanText } from "@/components/ui/untrusted-text.ts";
import { countText, shortCount } from "@/components/ui/value-text.ts";
import { ChartTable } from "./chart-table.tsx";
import { LimitLine, limitScale, shareOf, ticksOf } from "./limit-line.tsx";

interface Bar {
  readonly client: string;
  readonly peak: number;
  readonly isCustomer: boolean;
}

interface LimitChartProps {
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
const handleHeight = 28;

/** Names of the first clients over the limit, beside their bars. */
function OverLabels({ bars, limit, y }: Pick<LimitChartProps, "bars" | "limit"> & { y: GapProps["y"] }) {
  const over = bars.filter(({ peak }) => peak > limit);
  if (over.length === 0 || over.length > bars.length * 0.6) return null;
  let next = 0;
  return over.slice(0, mostLabels).map(({ client, peak, isCustomer }, i) => {
    const top = Math.max(next, height - y(peak) - 2);
    next = top + labelHeight;
    // The line and its handle would cross it.
    if (next > height - y(limit) - handleHeight / 2) return null;
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

interface LimitBarsProps {
  bars: readonly Bar[];
  limit: number;
  /** Height of a value, in px. */
  y: (value: number) => number;
}

/** Bars. The part over the limit has another colour. A customer has a dot under its bar. */
function LimitBars({ bars, limit, y }: LimitBarsProps) {
  const width = 100 / bars.length;
  return (
    <>
      {bars.map((bar, i) => (
        <div
          key={bar.client}
          className="absolute bottom-0 flex justify-center"
          style={{ left: `${i * width}%`, width: `${width}%`, height: Math.max(2, y(bar.peak)) }}
        >
          <BarShape bar={bar} limit={limit} below={y(limit)} />
          {bar.isCustomer && <span className="absolute -bottom-2.5 size-1 rounded-full bg-text-2" />}
        </div>
      ))}
      {bars.map(({ client }, i) =>
        isMarked(i) ? (
          <span
            key={client}
            className="absolute -bottom-8 -translate-x-1/2 text-meta whitespace-nowrap text-text-3"
            style={{ left: `${(i + 0.5) * width}%` }}
          >
            {i === 0 ? "rank 1" : i + 1}
          </span>
        ) : null,
      )}
    </>
  );
}

const isMarked = (i: number) => i === 0 || (i + 1) % 10 === 0;

function BarShape({ bar, limit, below }: { bar: Bar; limit: number; below: number }) {
  const look = "w-[72%] max-w-8 rounded-t-[2px]";
  if (bar.peak <= limit)
    return <span className={`${look} h-full ${bar.isCustomer ? "bg-text-2" : "bg-control opacity-60"}`} />;
  const color = bar.isCustomer ? "bg-blocked-graphic" : "bg-throttled-graphic";
  return (
    <>
      <span className={`${look} h-full ${color} opacity-30`} />
      <span className={`absolute top-0 ${look} ${color}`} style={{ bottom: below }} />
    </>
  );
}
