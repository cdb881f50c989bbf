"use client";

import { counted } from "../../../../components/ui/count-text.ts";
import { durationText } from "../../../../components/ui/duration-text.ts";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { type OffendersReply, offenders } from "../../../../lib/queries/offenders.ts";
import { overview } from "../../../../lib/queries/overview.ts";
import { LiveControls } from "../../_live/live-controls.tsx";
import { CounterTable, EstimateTable } from "../../_live/offender-tables.tsx";
import { useLive, useLiveQuery } from "../../_live/use-live.tsx";

const mostShown = 50;

/** Everybody near a limit, or over it. */
export function Offenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const { data } = useLiveQuery(offenders({ app, most: mostShown }), 1_000);
  const apps = useLiveQuery(overview({ range: "15m", app: undefined }), 10_000).data?.apps ?? [];
  return (
    <>
      <PageHeader
        title="Offenders"
        facts={data && sayAll(data)}
        actions={<LiveControls apps={apps} hasRange={false} />}
      />
      <CounterTable offenders={data?.byCounter ?? []} mayChange={mayChange} hint={data && sayForeign(data)} />
      <EstimateTable offenders={data?.byEstimate ?? []} mayChange={mayChange} />
    </>
  );
}

function sayAll({ over }: OffendersReply): string {
  return `${counted(over, "client")} over a limit in this minute or the last`;
}

function sayForeign({ foreignAgeMs }: OffendersReply): string {
  if (foreignAgeMs === null) return "counters of other systems are still being looked for";
  return `counters of other systems as of ${durationText(foreignAgeMs)} ago`;
}
