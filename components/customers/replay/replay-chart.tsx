"use client";

import dynamic from "next/dynamic";
import { useId } from "react";
import type { Limit } from "@/components/charts/day-chart.tsx";
import { LayerSwatch } from "@/components/charts/day-layers.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { ReplayHour, ReplaySums } from "@/lib/queries/customer-day.ts";
import { sayLevel } from "../level-words.ts";
import { replayBars } from "./replay-bars.ts";

const DayChart = dynamic(
  () => import("@/components/charts/day-chart.tsx").then((module) => module.DayChart),
  { ssr: false, loading: () => <Skeleton className="h-48 w-full" /> },
);

interface ReplayChartProps {
  hours: readonly ReplayHour[];
  isWanted: boolean;
  before: ReplaySums;
  after: ReplaySums;
}

const hourSeconds = 3_600;
const hourMs = hourSeconds * 1_000;

/** Hour by hour, with limits that are by the hour. */
export function ReplayChart({ hours, isWanted, before, after }: ReplayChartProps) {
  const id = useId();
  const { layers, bars } = replayBars(hours, isWanted);
  const from = hours[0]?.at ?? 0;
  return (
    <div className="px-3.5 pb-3">
      <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-cell text-text-2">
        {layers.map((layer, i) => (
          <li key={layer.name} className="flex items-center gap-1.5">
            <LayerSwatch id={`${id}${i}`} layer={layer} />
            {layer.name}
          </li>
        ))}
      </ul>
      <DayChart
        caption="Requests by the hour, replayed"
        {...{ from, bars, layers }}
        until={from + hours.length * hourMs}
        stepMs={hourMs}
        limits={limitsOf(before, isWanted ? after : undefined)}
        height={192}
      />
    </div>
  );
}

/** The draft is solid; the limits in force are a reference. */
function limitsOf(before: ReplaySums, after: ReplaySums | undefined): Limit[] {
  const hourly = ({ levels }: ReplaySums) =>
    levels.find(({ periodSeconds }) => periodSeconds === hourSeconds);
  const [was, is] = [hourly(before), after && hourly(after)];
  if (!after) return was ? [{ value: was.limit, text: sayLevel(was), isSolid: true }] : [];
  const isSame = was?.limit === is?.limit;
  return [
    ...(was && !isSame ? [{ value: was.limit, text: `before ${sayLevel(was)}`, isSolid: false }] : []),
    ...(is
      ? [{ value: is.limit, text: isSame ? sayLevel(is) : `after ${sayLevel(is)}`, isSolid: true }]
      : []),
  ];
}
