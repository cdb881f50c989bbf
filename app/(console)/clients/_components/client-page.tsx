"use client";

import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { VerdictBadge } from "../../../../components/ui/verdicts.tsx";
import { type ClientReply, clientTold } from "../../../../lib/queries/client.ts";
import { BlockButtons } from "../../_live/block-buttons.tsx";
import { LiveControls } from "../../_live/live-controls.tsx";
import { useLive, useLiveQuery } from "../../_live/use-live.tsx";
import { sayHour } from "./client-words.ts";
import { EstimateCard } from "./estimate-card.tsx";
import { HabitsCard } from "./habits-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { NeighboursCard } from "./neighbours-card.tsx";
import { WhyCard } from "./why-card.tsx";

interface ClientPageProps {
  client: string;
  mayChange: boolean;
  isYou: boolean;
}

/** For whoever asks why this client is, or is not, stopped; and then stops it. */
export function ClientPage({ client, mayChange, isYou }: ClientPageProps) {
  const { app } = useLive();
  const { data, error } = useLiveQuery(clientTold(client, { app }), 1_000);
  return (
    <>
      <PageHeader
        title={<span className="font-mono font-medium">{client}</span>}
        back={{ href: "/offenders", label: "Offenders" }}
        facts={data && <Facts told={data} isYou={isYou} />}
        actions={
          <>
            <LiveControls apps={data?.apps.map(({ text }) => text) ?? []} hasRange={false} />
            {data && !isYou && (
              <BlockButtons
                address={client}
                reason={reasonOf(data)}
                listed={data.steps
                  .flatMap(({ entries }) => entries)
                  .find(({ address }) => address === client)}
                mayChange={mayChange}
              />
            )}
          </>
        }
      />
      {error && !data && <p className="text-body text-blocked">{error.message}</p>}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-96 w-full" />
        </div>
      )}
      {data && (
        <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
          <WhyCard told={data} />
          <div className="flex min-w-0 flex-col gap-3">
            <EstimateCard told={data} />
            <div className="grid items-start gap-3 xl:grid-cols-[3fr_2fr]">
              <HabitsCard told={data} />
              <div className="flex min-w-0 flex-col gap-3">
                <HistoryCard client={client} />
                <NeighboursCard told={data} />
              </div>
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function Facts({ told, isYou }: { told: ClientReply; isYou: boolean }) {
  return (
    <>
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
