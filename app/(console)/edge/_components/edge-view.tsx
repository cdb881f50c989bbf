"use client";

import { Globe } from "lucide-react";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { durationText } from "../../../../components/ui/duration-text.ts";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { edge } from "../../../../lib/queries/edge.ts";
import { PauseButton } from "../../_live/live-controls.tsx";
import { useLiveQuery, useStaleMs } from "../../_live/use-live.tsx";
import { LimitedCard } from "../_limited/limited-card.tsx";
import { Dictionaries } from "./dictionaries.tsx";
import { EdgeFacts } from "./edge-facts.tsx";
import { EdgeNotices } from "./edge-notices.tsx";
import { EdgeSwitchButton } from "./edge-switch-button.tsx";
import { SweepsCard } from "./sweeps-card.tsx";

export const edgeEveryMs = 2_000;

interface EdgeViewProps {
  maySwitch: boolean;
  mayLetIn: boolean;
}

/** Is the edge stopping it, whom, why, until when; and the ways to end that. */
export function EdgeView({ maySwitch, mayLetIn }: EdgeViewProps) {
  const standing = useLiveQuery(edge(), edgeEveryMs);
  const staleMs = useStaleMs(standing);
  const { data } = standing;
  if (!data) return standing.error ? <Unread message={standing.error.message} /> : <Loading />;
  return (
    <>
      <PageHeader
        title="Edge"
        facts={
          <>
            <EdgeFacts edge={data} />
            {staleMs !== undefined && <Badge tone="throttled">{`as of ${durationText(staleMs)} ago`}</Badge>}
          </>
        }
        actions={
          <>
            <PauseButton />
            <EdgeSwitchButton edge={data} maySwitch={maySwitch} />
          </>
        }
      />
      <EdgeNotices edge={data} />
      <Dictionaries edge={data} />
      <LimitedCard edge={data} mayLetIn={mayLetIn} />
      <SweepsCard edge={data} />
    </>
  );
}

function Unread({ message }: { message: string }) {
  return (
    <>
      <PageHeader title="Edge" />
      <Card>
        <EmptyState
          icon={<Globe />}
          title="How the edge stands cannot be read"
          hint={`${message} It is asked again every two seconds. What the edges hold stays as it is meanwhile, and who has cooled down is let in.`}
        />
      </Card>
    </>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <PageHeader title="Edge" facts="Loading" />
      <Card>
        <Skeleton className="h-16 w-full" />
      </Card>
      <Card>
        <Skeleton className="h-72 w-full" />
      </Card>
    </div>
  );
}
