"use client";

import { Activity } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { periodText } from "@/components/charts/lab-text.ts";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { type RunProps, type Side, sides } from "./run/run.ts";
import { settle, watchOf } from "./run/settling.ts";

const SettlingChart = dynamic(
  () => import("@/components/charts/lab-settling-chart.tsx").then((module) => module.SettlingChart),
  { ssr: false, loading: () => <Skeleton className="h-56 w-full" /> },
);

const title = "Estimate convergence";

/** One for each limiter that estimates a rate. */
export function SettlingCards({ run, change }: RunProps) {
  const estimating = sides.filter((side) => isRate(run[side].algorithm));
  if (estimating.length === 0)
    return (
      <Card title={title} className="col-span-full">
        <EmptyState
          icon={<Activity />}
          title="Neither limiter estimates a rate"
          hint="Choose EARRRL for one of them to see how its estimate comes near the true rate."
        />
      </Card>
    );
  return estimating.map((side) => (
    <SettlingCard key={side} {...{ run, change, side }} isAlone={estimating.length === 1} />
  ));
}

interface SettlingCardProps extends RunProps {
  side: Side;
  isAlone: boolean;
}

function SettlingCard({ run, change, side, isAlone }: SettlingCardProps) {
  const { users, [side]: limiter } = run;
  const period = watchOf(users, limiter);
  const settlings = useMemo(() => settle(limiter, watchOf(users, limiter)), [limiter, users]);
  const halfLife = periodText(limiter.periodSeconds);
  return (
    <Card
      title={isAlone ? title : `Convergence · ${side.toUpperCase()}`}
      hint={
        isAlone ? `requests/s, log scale · half-life ${halfLife} · true rate dotted` : `half-life ${halfLife}`
      }
      actions={
        <Segmented
          label={`Users of limiter ${side.toUpperCase()}`}
          size="sm"
          value={users}
          onChange={(wish) => change({ users: wish })}
          options={[
            { value: "cold", label: "Cold start" },
            { value: "between", label: "50 to 200 s" },
          ]}
        />
      }
      className={isAlone ? "col-span-full" : undefined}
    >
      <SettlingChart
        caption={`Estimated requests per second of three users, half-life ${halfLife}`}
        settlings={settlings}
        watch={period}
        limit={limiter.limit}
      />
    </Card>
  );
}
