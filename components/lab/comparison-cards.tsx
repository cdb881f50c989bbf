"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useMemo } from "react";
import { spanText } from "@/components/charts/lab-text.ts";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { type Comparison, edgesIn, type Treatment } from "./run/compare.ts";
import { algorithmName, limitText, type Run, type Side } from "./run/run.ts";
import { settledAfterSeconds } from "./run/settling.ts";

const PermittedChart = dynamic(
  () => import("@/components/charts/lab-permitted-chart.tsx").then((module) => module.PermittedChart),
  { ssr: false, loading: () => <Skeleton className="h-60 w-full" /> },
);

export function LimiterCard({ side, comparison }: { side: Side; comparison: Comparison }) {
  const outcome = comparison[side];
  const { limiter, simulation } = outcome;
  const { requests, permitted } = simulation;
  const name = algorithmName(limiter.algorithm);
  const { heavy, fromSeconds, untilSeconds } = comparison;
  return (
    <Card
      title={`${side.toUpperCase()} · ${name}`}
      hint={limitText(limiter)}
      actions={
        <p className="text-cell text-text-2">
          <b className="font-semibold text-text">{countText(permitted)}</b> of {countText(requests)} permitted
          {requests > 0 && `, ${Math.round((100 * permitted) / requests)}%`}
        </p>
      }
    >
      <PermittedChart
        caption={`Requests, and those that limiter ${side.toUpperCase()}, ${name}, permits`}
        sums={outcome.sums}
        marks={outcome.marks}
        heavy={heavy}
        edges={edgesIn(limiter, comparison)}
        fromSeconds={fromSeconds}
        untilSeconds={untilSeconds}
        top={requests}
      />
    </Card>
  );
}

/** The two limiters in four numbers each. */
export function FiguresCard({ comparison, run }: { comparison: Comparison; run: Run }) {
  const { a, b, heavy } = comparison;
  const phase = `the ${heavy.perSecond}/s phase`;
  const both = (text: (treatment: Treatment) => string) => `${text(a.duringHeavy)} → ${text(b.duringHeavy)}`;
  const names = `${algorithmName(a.limiter.algorithm)} → ${algorithmName(b.limiter.algorithm)}`;
  return (
    <Card isFlush className="col-span-full overflow-hidden">
      <dl className="-ml-px -mt-px grid grid-cols-4 max-xl:grid-cols-2 max-sm:grid-cols-1">
        <Figure
          label={`Permitted in ${phase}`}
          value={both(({ permitted }) => countText(permitted))}
          note={names}
        />
        <Figure label="Cut off after" value={both(cutOffText)} note={`of ${phase}`} />
        <Figure label="Forgiven after" value={both(forgivenText)} note="below the limit" />
        <SettledFigure run={run} />
      </dl>
    </Card>
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note: string }) {
  return (
    <div className="flex flex-col border-t border-l border-border px-3.5 py-2.5">
      <dt className="text-cell text-text-2">{label}</dt>
      <dd className="text-kpi max-sm:text-title">{value}</dd>
      <dd className="text-cell text-text-3">{note}</dd>
    </div>
  );
}

function SettledFigure({ run: { a, b } }: { run: Run }) {
  const label = "Within 10% of the true rate";
  const estimating = useMemo(
    () =>
      [a, b].flatMap((limiter) => {
        const after = isRate(limiter.algorithm) ? settledAfterSeconds(limiter) : undefined;
        return after === undefined ? [] : [{ after, halfLives: after / limiter.periodSeconds }];
      }),
    [a, b],
  );
  const [first] = estimating;
  if (!first) return <Figure label={label} value="–" note="neither limiter estimates a rate" />;
  return (
    <Figure
      label={label}
      value={estimating.map(({ after }) => spanText(after)).join(" → ")}
      note={`${first.halfLives.toFixed(1)} half-lives from a cold start`}
    />
  );
}

function cutOffText({ cutOffAfterSeconds }: Treatment): string {
  if (cutOffAfterSeconds === undefined) return "never";
  return cutOffAfterSeconds === 0 ? "at once" : spanText(cutOffAfterSeconds);
}

function forgivenText({ cutOffAfterSeconds, forgivenAfterSeconds }: Treatment): string {
  if (cutOffAfterSeconds === undefined) return "–";
  if (forgivenAfterSeconds === undefined) return "not yet";
  return forgivenAfterSeconds < 1 ? "at once" : spanText(forgivenAfterSeconds);
}
