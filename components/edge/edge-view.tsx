"use client";

import { PauseButton } from "@/components/console/live-controls.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { edge } from "@/lib/queries/edge.ts";
import { Dictionaries } from "./dictionaries.tsx";
import { EdgeFacts } from "./edge-facts.tsx";
import { EdgeNotices } from "./edge-notices.tsx";
import { EdgeSwitchButton } from "./edge-switch-button.tsx";
import { LimitedCard } from "./limited-card.tsx";
import { SweepsCard } from "./sweeps-card.tsx";

export const edgeEveryMs = 2_000;

interface EdgeViewProps {
  maySwitch: boolean;
  mayLetIn: boolean;
}

/** Which clients the edge denies, why and until when, and how to let them in. */
export function EdgeView({ maySwitch, mayLetIn }: EdgeViewProps) {
  const read = useLiveQuery(edge(), edgeEveryMs);
  const { data } = read;
  return (
    <>
      <PageHeader
        title="Edge"
        facts={data && <EdgeFacts edge={data} />}
        actions={
          <>
            <PauseButton />
            {data && <EdgeSwitchButton edge={data} maySwitch={maySwitch} />}
          </>
        }
      />
      <ReadState
        read={read}
        name="the state of the edge"
        skeleton={<EdgeSkeleton />}
        consequence="Edges keep the entries that they hold."
        isFramed
      >
        {(found) => (
          <>
            <EdgeNotices edge={found} />
            <Dictionaries edge={found} />
            <LimitedCard edge={found} mayLetIn={mayLetIn} />
            <SweepsCard edge={found} />
          </>
        )}
      </ReadState>
    </>
  );
}

function EdgeSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Card>
        <Skeleton className="h-16 w-full" />
      </Card>
      <Card isFlush>
        <RowsSkeleton rows={8} columns={[2, 5, 2, 3, 2]} rowHeight={46} hasHead />
      </Card>
    </div>
  );
}
