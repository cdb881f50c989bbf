"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useId, useState } from "react";
import { type Layer, LayerSwatch } from "@/components/charts/day-layers.tsx";
import type { TimeSpan } from "@/components/charts/plot.ts";
import { ReadState } from "@/components/console/read-state.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { type CustomerDay, customerDay, minutesShown } from "@/lib/queries/customer-day.ts";
import { markers } from "@/lib/queries/markers.ts";
import { sayLevel } from "../customer-words.ts";
import { gapsOf, type Step, sayGaps, sumOf, usageBars, usualStep } from "./usage-bars.ts";

const DayChart = dynamic(
  () => import("@/components/charts/day-chart.tsx").then((module) => module.DayChart),
  { ssr: false, loading: () => <Skeleton className="h-56 w-full" /> },
);

const layers: readonly Layer[] = [
  { name: "Passed", verdict: "pass", look: "plain" },
  { name: "Denied", verdict: "throttled", look: "hatched" },
];

const stepOptions: readonly { value: Step; label: string }[] = [
  { value: "60", label: "1 min" },
  { value: "300", label: "5 min" },
  { value: "3600", label: "1 h" },
];

/** Usage over time, beside the limits in force and what people changed. */
export function UsageCard({ now, told }: { now: CustomerNow; told: DayNow }) {
  const [chosen, setChosen] = useState<Step>();
  const step = chosen ?? usualStep(now.levels ?? []);
  return (
    <Card
      title="Last 24 h"
      hint="requests, as reported by nodes"
      actions={
        <Segmented label="Requests per" size="sm" value={step} onChange={setChosen} options={stepOptions} />
      }
    >
      <ReadState read={told.read} name="the usage" skeleton={<Skeleton className="h-56 w-full" />}>
        {(day) => (
          <>
            <LayerList layers={layers} counts={countsOf(day)} />
            <Chart {...{ now, day, told }} stepSeconds={Number(step)} />
            <p className="mt-2 text-cell text-text-3">{sayGaps(day)}</p>
          </>
        )}
      </ReadState>
    </Card>
  );
}

interface ChartProps {
  now: CustomerNow;
  day: CustomerDay;
  told: DayNow;
  stepSeconds: number;
}

function Chart({ now, day, told: { markers, off }, stepSeconds }: ChartProps) {
  const [span, zoomTo] = useState<TimeSpan>();
  const from = day.firstMinute * 60_000;
  const until = from + day.requests.length * 60_000;
  return (
    <DayChart
      caption={`Requests of customer ${now.id} in the last 24 hours`}
      from={from}
      until={until}
      stepMs={stepSeconds * 1_000}
      bars={usageBars(day, stepSeconds)}
      layers={layers}
      gaps={gapsOf(day)}
      limits={(now.levels ?? [])
        .filter(({ periodSeconds }) => periodSeconds === stepSeconds)
        .map((level) => ({ value: level.limit, text: `limit now ${sayLevel(level)}`, isSolid: true }))}
      {...{ markers, off }}
      zoom={{ span, whole: { from, until }, onChange: zoomTo }}
    />
  );
}

function countsOf({ requests, denied }: CustomerDay): number[] {
  const [all, turnedAway] = [sumOf(requests), sumOf(denied)];
  return [all - turnedAway, turnedAway];
}

/** Legend of a chart with layers, and their counts if given. */
export function LayerList({ layers, counts }: { layers: readonly Layer[]; counts?: readonly number[] }) {
  const id = useId();
  return (
    <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-cell">
      {layers.map((layer, i) => (
        <li key={layer.name} className="flex items-center gap-1.5">
          <LayerSwatch id={`${id}${i}`} layer={layer} />
          <span className="text-text-2">{layer.name}</span>
          {counts && <span className="font-semibold tabular-nums">{countText(counts[i] ?? 0)}</span>}
        </li>
      ))}
    </ul>
  );
}

const askEveryMs = 5_000;

export type DayNow = ReturnType<typeof useDay>;

/** A customer's last 24 hours, live. */
export function useDay({ id, basedOn }: Pick<CustomerNow, "id" | "basedOn">) {
  const live = { placeholderData: keepPreviousData, refetchInterval: askEveryMs, retry: false } as const;
  const read = useQuery({ ...customerDay(id), ...live });
  const { queryKey, queryFn } = markers({ seconds: minutesShown * 60, customer: id });
  // Asked again when the customer is another one than it was.
  const changes = useQuery({ queryKey: [...queryKey, basedOn], queryFn, ...live });
  const { markers: shown = [], off = [] } = changes.data ?? {};
  return { read, markers: shown, off };
}
