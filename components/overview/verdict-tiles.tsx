import { Sparkline } from "@/components/charts/sparkline.tsx";
import { classes } from "@/components/ui/classes.ts";
import { rateText, secondsText } from "@/components/ui/value-text.ts";
import { VerdictIcon, type VerdictName, verdictWords } from "@/components/ui/verdicts.tsx";
import type { OverviewReply } from "@/lib/queries/overview.ts";

const kinds = ["pass", "throttled", "blocked", "safelisted"] as const satisfies readonly VerdictName[];

export interface VerdictsProps {
  data: OverviewReply;
  /** Newer data fails to load: the last numbers are shown with their time, and the time since then as unknown. */
  isStale: boolean;
}

/** The last 10 s compared with the 10 s before, in one card split by hairlines. */
export function VerdictTiles({ data: { now, before, points, p99Ms, asOf }, isStale }: VerdictsProps) {
  const old = isStale ? `as of ${secondsText(asOf)}` : undefined;
  const draw = (rateOf: (point: Point) => number) =>
    points.map((point) => (point.isMissing ? undefined : rateOf(point)));
  const all = kinds.reduce((sum, kind) => sum + now[kind], 0);
  const allBefore = kinds.reduce((sum, kind) => sum + before[kind], 0);
  return (
    <section
      aria-label="Requests now"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-border bg-border lg:grid-cols-6"
    >
      <Tile
        name="Requests/s"
        value={rateText(all)}
        below={sayTrend(all, allBefore)}
        old={old}
        values={draw((point) => kinds.reduce((sum, kind) => sum + point[kind], 0))}
      />
      {kinds.map((kind) => (
        <Tile
          key={kind}
          name={verdictWords[kind]}
          verdict={kind}
          value={rateText(now[kind])}
          unit="/s"
          below={all > 0 ? `${((100 * now[kind]) / all).toFixed(1)}% of requests` : "no requests"}
          old={old}
          values={draw((point) => point[kind])}
        />
      ))}
      <Tile
        name="Decision p99"
        value={all === 0 ? "–" : p99Ms === null ? "> 50" : `≤ ${p99Ms}`}
        unit={all === 0 ? "" : " ms"}
        below="last minute, budget 50 ms"
        old={old}
      />
    </section>
  );
}

type Point = OverviewReply["points"][number];

interface TileProps {
  name: string;
  value: string;
  unit?: string;
  below: string;
  verdict?: VerdictName;
  values?: readonly (number | undefined)[];
  /** Replaces `below` when the value is stale. */
  old: string | undefined;
}

function Tile({ name, value, unit, below, verdict, values, old }: TileProps) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5 bg-surface p-3.5">
      <span className="flex items-center gap-1.5 text-cell text-text-2">
        {verdict && <VerdictIcon verdict={verdict} />}
        {name}
      </span>
      <span className="flex items-end justify-between gap-2">
        <span className={classes("text-kpi whitespace-nowrap", old && "text-text-3")}>
          {value}
          <span className="text-body font-normal tracking-normal text-text-3">{unit}</span>
        </span>
        {values && <Sparkline values={values.slice(-60)} verdict={old ? undefined : verdict} />}
      </span>
      <span className="truncate text-meta text-text-3">{old ?? below}</span>
    </div>
  );
}

function sayTrend(now: number, before: number): string {
  if (before === 0) return now === 0 ? "quiet" : "none in the 10 s before";
  const change = Math.round((100 * (now - before)) / before);
  return `${change > 0 ? "+" : ""}${change}% in 10 s`;
}
