import type { Bar } from "./limit-chart.tsx";

export interface LimitBarsProps {
  bars: readonly Bar[];
  limit: number;
  /** Height of a value, in px. */
  y: (value: number) => number;
}

/** Bars. The part over the limit has another colour. A customer has a dot under its bar. */
export function LimitBars({ bars, limit, y }: LimitBarsProps) {
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
