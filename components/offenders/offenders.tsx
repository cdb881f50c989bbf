"use client";

import { LiveControls } from "@/components/console/live-controls.tsx";
import { useStaleSince } from "@/components/console/read-state.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { counted, durationText } from "@/components/ui/value-text.ts";
import type { OffendersReply } from "@/lib/queries/offenders.ts";
import { CounterTable, EstimateTable } from "./offender-tables.tsx";
import { allOffenders } from "./page-reads.ts";

/** All clients near a limit, or over it. */
export function Offenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const read = useLiveQuery(allOffenders(app), 1_000);
  const { known } = useStanding();
  const { data } = read;
  const table = { read, skeletonRows: 8, mayChange };
  const isStale = useStaleSince(read) !== undefined;
  return (
    <>
      <PageHeader
        title="Offenders"
        facts={data && !isStale && sayAll(data)}
        actions={<LiveControls apps={known ? appsOf(known) : []} hasRange={false} />}
      />
      <CounterTable {...table} hint={data && sayForeign(data)} />
      <EstimateTable {...table} />
    </>
  );
}

function sayAll({ over }: OffendersReply): string | undefined {
  if (over === null) return undefined;
  return `${counted(over, "client")} over a limit in this minute or the last`;
}

function sayForeign({ foreignAgeMs }: OffendersReply): string {
  if (foreignAgeMs === null) return "counters of other systems: not scanned yet";
  return `counters of other systems as of ${durationText(foreignAgeMs)} ago`;
}
