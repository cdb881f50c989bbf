"use client";

import { LiveControls } from "@/components/console/live-controls.tsx";
import { useStaleSince } from "@/components/console/read-state.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { counted, durationText } from "@/components/ui/value-text.ts";
import type { OffendersReply } from "@/lib/queries/offenders.ts";
import { OffendersCard } from "./offenders-card.tsx";
import { allOffenders } from "./page-reads.ts";

/** All clients near a limit, or over it. */
export function Offenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const read = useLiveQuery(allOffenders(app), 1_000);
  const { known } = useStanding();
  const { data } = read;
  const isStale = useStaleSince(read) !== undefined;
  return (
    <>
      <PageHeader
        title="Offenders"
        facts={data && !isStale && sayAll(data)}
        actions={<LiveControls apps={known ? appsOf(known) : []} />}
      />
      <OffendersCard read={read} skeletonRows={12} mayChange={mayChange} hint={data && sayForeign(data)} />
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
