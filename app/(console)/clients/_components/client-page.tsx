"use client";

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { secondsText } from "../../../../components/charts/axis-text.ts";
import { Button } from "../../../../components/ui/button.tsx";
import { durationText } from "../../../../components/ui/duration-text.ts";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { VerdictBadge } from "../../../../components/ui/verdicts.tsx";
import { type ClientReply, clientTold } from "../../../../lib/queries/client.ts";
import { BlockButtons } from "../../_live/block-buttons.tsx";
import { LiveControls } from "../../_live/live-controls.tsx";
import { useLive, useLiveQuery, useStaleMs } from "../../_live/use-live.tsx";
import { sayHour } from "./client-words.ts";
import { EstimateCard } from "./estimate-card.tsx";
import { HabitsCard } from "./habits-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { ListDialog } from "./list-dialog.tsx";
import { NeighboursCard } from "./neighbours-card.tsx";
import { WhyCard } from "./why-card.tsx";

interface ClientPageProps {
  client: string;
  mayChange: boolean;
  mayForever: boolean;
  isYou: boolean;
}

/** For whoever asks why this client is, or is not, stopped; and then stops it. */
export function ClientPage({ client, mayChange, mayForever, isYou }: ClientPageProps) {
  const { app } = useLive();
  const { data, error, ...read } = useLiveQuery(clientTold(client, { app }), 1_000);
  const staleMs = useStaleMs(read);
  /** What the dialog is open with. */
  const [listing, setListing] = useState<string>();
  return (
    <>
      <PageHeader
        title={<span className="font-mono font-medium">{client}</span>}
        back={{ href: "/offenders", label: "Offenders" }}
        facts={data && <Facts told={data} isYou={isYou} staleMs={staleMs} />}
        actions={
          <>
            <LiveControls apps={data?.apps.map(({ text }) => text) ?? []} hasRange={false} />
            {data && <Actions told={data} {...{ mayChange, isYou }} onList={() => setListing(client)} />}
          </>
        }
      />
      {error && !data && (
        <EmptyState
          icon={<TriangleAlert />}
          title="What is known of it cannot be read now"
          hint={`${error.message} It is asked again every second.`}
        />
      )}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-96 w-full" />
        </div>
      )}
      {data && <Cards told={data} onReview={mayChange ? setListing : undefined} />}
      {data && listing !== undefined && (
        <ListDialog
          {...{ client, mayForever }}
          address={listing}
          reason={reasonOf(data)}
          onClose={() => setListing(undefined)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  told: ClientReply;
  mayChange: boolean;
  isYou: boolean;
  onList: () => void;
}

/** One click for what is usual; the dialog for whoever wants to see first what it would do. */
function Actions({ told, mayChange, isYou, onList }: ActionsProps) {
  const { client, steps } = told;
  const listed = steps.flatMap(({ entries }) => entries).find(({ address }) => address === client);
  return (
    <>
      {!isYou && <BlockButtons address={client} reason={reasonOf(told)} {...{ listed, mayChange }} />}
      {mayChange && (
        <Button size="sm" onClick={onList}>
          Block or safelist…
        </Button>
      )}
    </>
  );
}

interface CardsProps {
  told: ClientReply;
  onReview: ((range: string) => void) | undefined;
}

function Cards({ told, onReview }: CardsProps) {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <WhyCard told={told} />
      <div className="flex min-w-0 flex-col gap-3">
        <EstimateCard told={told} />
        <div className="grid items-start gap-3 xl:grid-cols-[3fr_2fr]">
          <HabitsCard told={told} />
          <div className="flex min-w-0 flex-col gap-3">
            <HistoryCard client={told.client} />
            <NeighboursCard told={told} onReview={onReview} />
          </div>
        </div>
      </div>
    </div>
  );
}

interface FactsProps {
  told: ClientReply;
  isYou: boolean;
  staleMs: number | undefined;
}

function Facts({ told, isYou, staleMs }: FactsProps) {
  return (
    <>
      {staleMs !== undefined && (
        <span className="font-medium text-throttled">
          Not read for {durationText(staleMs)}: as of {secondsText(told.asOf)} UTC
        </span>
      )}
      <VerdictBadge verdict={told.outcome} isLarge />
      <span>{sayHour(told)}</span>
      {isYou && (
        <span className="font-medium text-text-2">This is your own address: it cannot be blocked.</span>
      )}
    </>
  );
}

/** What was seen, for the audit log. */
function reasonOf({ steps, userAgents }: ClientReply): string {
  const deciding = steps.flatMap(({ rules }) => rules).find(({ isDeciding }) => isDeciding);
  const tool = userAgents.find((agent) => agent.tool)?.tool;
  const parts = [deciding && `over ${deciding.name}`, tool && `uses ${tool}`].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "from the client's page";
}
