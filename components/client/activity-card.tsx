import dynamic from "next/dynamic";
import { useState } from "react";
import type { Layer } from "@/components/charts/day-layers.tsx";
import type { TimeSpan } from "@/components/charts/plot.ts";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import type { ClientDay, ClientReply } from "@/lib/queries/client.ts";
import { activityBars, activityStepMs, sayMissing } from "./activity.ts";

const DayChart = dynamic(
  () => import("@/components/charts/day-chart.tsx").then((module) => module.DayChart),
  { ssr: false, loading: () => <Skeleton className="h-36 w-full" /> },
);

const layers: readonly Layer[] = [
  { name: "Passed", verdict: "pass", look: "plain" },
  { name: "Denied", verdict: "throttled", look: "hatched" },
];
const heightPx = 144;
const dayMs = 86_400_000;

/** When the client sent requests, and how many were denied. */
export function ActivityCard({ told: { day, client, asOf } }: { told: ClientReply }) {
  return (
    <Card title="Last 24 h" hint={day && <Seen day={day} />}>
      {day === null ? (
        <p className="text-cell text-text-3">Unknown: the statistics failed to load.</p>
      ) : day.minutes.length === 0 ? (
        <p className="text-cell text-text-3">No request was recorded. {sayMissing(client, day)}</p>
      ) : (
        <Chart {...{ client, day, asOf }} />
      )}
    </Card>
  );
}

function Seen({ day: { firstAt, lastAt } }: { day: ClientDay }) {
  if (firstAt === null || lastAt === null) return null;
  return (
    <>
      first seen <Timestamp at={firstAt} />, last seen <Timestamp at={lastAt} />
    </>
  );
}

function Chart({ client, day, asOf }: { client: string; day: ClientDay; asOf: number }) {
  const [span, zoomTo] = useState<TimeSpan>();
  const until = Math.ceil(asOf / activityStepMs) * activityStepMs;
  const whole = { from: until - dayMs, until };
  return (
    <>
      <DayChart
        caption={`Requests of ${client} in the last 24 hours: passed, and denied on top`}
        {...whole}
        stepMs={activityStepMs}
        bars={activityBars(day.minutes, whole)}
        layers={layers}
        limits={[]}
        height={heightPx}
        zoom={{ span, whole, onChange: zoomTo }}
      />
      <p className="mt-2 text-cell text-text-3">Requests per 5 min. {sayMissing(client, day)}</p>
    </>
  );
}
