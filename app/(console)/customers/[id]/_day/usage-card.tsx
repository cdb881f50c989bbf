"use client";

import dynamic from "next/dynamic";
import { useId, useState } from "react";
import { type Layer, LayerSwatch } from "../../../../../components/charts/day-layers.tsx";
import { Card } from "../../../../../components/ui/card.tsx";
import { countText } from "../../../../../components/ui/count-text.ts";
import { Segmented } from "../../../../../components/ui/segmented.tsx";
import { Skeleton } from "../../../../../components/ui/skeleton.tsx";
import { Timestamp } from "../../../../../components/ui/timestamp.tsx";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import type { CustomerDay } from "../../../../../lib/queries/customer-day.ts";
import { sayLevel } from "../../level-words.ts";
import { sayGaps } from "./day-words.ts";
import { gapsOf, type Step, sumOf, usageBars, usualStep } from "./usage-bars.ts";
import type { DayNow } from "./use-day.ts";

const DayChart = dynamic(
  () => import("../../../../../components/charts/day-chart.tsx").then((module) => module.DayChart),
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
  const { day, problem, readAt } = told;
  return (
    <Card
      title="Last 24 h"
      hint={
        day && problem ? (
          <span className="text-throttled">
            as of <Timestamp at={readAt} />: {problem}
          </span>
        ) : (
          "requests, as nodes reported them"
        )
      }
      actions={
        <Segmented label="Requests per" size="sm" value={step} onChange={setChosen} options={stepOptions} />
      }
    >
      {day ? (
        <>
          <Facts day={day} />
          <Chart {...{ now, day }} markers={told.markers} stepSeconds={Number(step)} />
          <p className="mt-2 text-cell text-text-3">{sayGaps(day)}</p>
        </>
      ) : (
        <Nothing problem={problem} />
      )}
    </Card>
  );
}

function Chart(props: {
  now: CustomerNow;
  day: CustomerDay;
  markers: DayNow["markers"];
  stepSeconds: number;
}) {
  const { now, day, markers, stepSeconds } = props;
  const from = day.firstMinute * 60_000;
  return (
    <DayChart
      caption={`Requests of customer ${now.id} in the last 24 hours`}
      from={from}
      until={from + day.requests.length * 60_000}
      stepMs={stepSeconds * 1_000}
      bars={usageBars(day, stepSeconds)}
      layers={layers}
      gaps={gapsOf(day)}
      limits={(now.levels ?? [])
        .filter(({ periodSeconds }) => periodSeconds === stepSeconds)
        .map((level) => ({ value: level.limit, text: `limit now ${sayLevel(level)}`, isSolid: true }))}
      markers={markers}
    />
  );
}

function Facts({ day: { requests, denied } }: { day: CustomerDay }) {
  const id = useId();
  const [all, turnedAway] = [sumOf(requests), sumOf(denied)];
  const counts = [all - turnedAway, turnedAway];
  return (
    <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-cell">
      {layers.map((layer, i) => (
        <li key={layer.name} className="flex items-center gap-1.5">
          <LayerSwatch id={`${id}${i}`} layer={layer} />
          <span className="text-text-2">{layer.name}</span>
          <span className="font-semibold tabular-nums">{countText(counts[i] ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}

function Nothing({ problem }: { problem: string | undefined }) {
  if (problem) return <p className="text-cell text-text-2">{problem}</p>;
  return (
    <div aria-busy="true">
      <Skeleton className="h-56 w-full" />
    </div>
  );
}
