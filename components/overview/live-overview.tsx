"use client";

import { ChevronRight } from "lucide-react";
import { rangeShown } from "@/components/console/live-view.ts";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { TilesSkeleton } from "@/components/console/skeletons.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { CounterTable, EstimateTable } from "@/components/offenders/offender-tables.tsx";
import { Card } from "@/components/ui/card.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { OffendersReply } from "@/lib/queries/offenders.ts";
import { overview } from "@/lib/queries/overview.ts";
import { FeedCard } from "./feed-card.tsx";
import { mostOffenders, topOffenders } from "./page-reads.ts";
import { VerdictCard } from "./verdict-card.tsx";
import { VerdictTiles } from "./verdict-tiles.tsx";

/** Shows the engineer on call whether there is an attack and by which clients, with buttons to block them. */
export function LiveOverview({ mayChange }: { mayChange: boolean }) {
  return (
    <>
      <Verdicts />
      <TopOffenders mayChange={mayChange} />
      <FeedCard />
    </>
  );
}

function Verdicts() {
  const { app, ...view } = useLive();
  const range = rangeShown(view, useNow());
  const read = useLiveQuery(overview({ range, app }), range === "15m" ? 1_000 : 5_000);
  const isStale = useStaleSince(read) !== undefined;
  return (
    <ReadState read={read} name="the requests" skeleton={<VerdictsSkeleton />} isFramed>
      {(data) => (
        <>
          <VerdictTiles data={data} isStale={isStale} />
          <VerdictCard data={data} isStale={isStale} />
        </>
      )}
    </ReadState>
  );
}

function VerdictsSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <TilesSkeleton tiles={6} />
      <Card title="Requests by verdict">
        <Skeleton className="h-64 w-full max-md:h-48" />
      </Card>
    </div>
  );
}

function TopOffenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const top = useLiveQuery(topOffenders(app), 1_000);
  const isStale = useStaleSince(top) !== undefined;
  return (
    <div className="grid items-start gap-3 min-[1760px]:grid-cols-2">
      <CounterTable
        read={top}
        skeletonRows={mostOffenders}
        mayChange={mayChange}
        hint={top.data && !isStale && sayOver(top.data)}
        actions={<AllOffenders />}
      />
      <EstimateTable
        read={top}
        skeletonRows={mostOffenders}
        mayChange={mayChange}
        actions={<AllOffenders />}
      />
    </div>
  );
}

/** Undefined while the counters are unavailable. */
function sayOver({ over }: OffendersReply): string | undefined {
  return over === null ? undefined : `${over} over a limit`;
}

function AllOffenders() {
  return (
    <LinkButton href="/offenders" variant="ghost" size="sm">
      All offenders
      <ChevronRight />
    </LinkButton>
  );
}
