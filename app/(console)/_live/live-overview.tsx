"use client";

import { ChevronRight } from "lucide-react";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { type OffendersReply, offenders } from "../../../lib/queries/offenders.ts";
import { overview } from "../../../lib/queries/overview.ts";
import { FeedCard } from "./feed-card.tsx";
import { CounterTable, EstimateTable } from "./offender-tables.tsx";
import { NoCounters, NoOverview } from "./unread.tsx";
import { useLive, useLiveQuery, useStaleMs } from "./use-live.tsx";
import { VerdictCard } from "./verdict-card.tsx";
import { VerdictTiles } from "./verdict-tiles.tsx";

const mostShown = 5;

/** For whoever is on call: is there an attack, who is it, and the block beside it. */
export function LiveOverview({ mayChange }: { mayChange: boolean }) {
  const { range, app } = useLive();
  const verdicts = useLiveQuery(overview({ range, app }), range === "15m" ? 1_000 : 5_000);
  const top = useLiveQuery(offenders({ app, most: mostShown }), 1_000);
  const staleMs = useStaleMs(verdicts);
  const areCountersAway = useStaleMs(top) !== undefined || (top.isError && !top.data);
  if (!verdicts.data)
    return verdicts.error ? (
      <NoOverview message={verdicts.error.message} />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-96 w-full" />
      </div>
    );
  return (
    <>
      <VerdictTiles data={verdicts.data} isStale={staleMs !== undefined} />
      <VerdictCard data={verdicts.data} staleMs={staleMs} />
      {areCountersAway ? <NoCounters /> : <TopOffenders top={top.data} mayChange={mayChange} />}
      <FeedCard />
    </>
  );
}

interface TopOffendersProps {
  top: OffendersReply | undefined;
  mayChange: boolean;
}

function TopOffenders({ top, mayChange }: TopOffendersProps) {
  return (
    <div className="grid items-start gap-3 min-[1760px]:grid-cols-2">
      <CounterTable
        offenders={top?.byCounter ?? []}
        mayChange={mayChange}
        hint={top && `${top.over} over a limit`}
        actions={<AllOffenders />}
      />
      <EstimateTable offenders={top?.byEstimate ?? []} mayChange={mayChange} actions={<AllOffenders />} />
    </div>
  );
}

function AllOffenders() {
  return (
    <LinkButton href="/offenders" variant="ghost" size="sm">
      All offenders
      <ChevronRight />
    </LinkButton>
  );
}
