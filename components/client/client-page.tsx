"use client";

import { SearchX } from "lucide-react";
import { useState } from "react";
import { LiveControls } from "@/components/console/live-controls.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { BlockButtons } from "@/components/offenders/block-buttons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import { type ClientReply, clientDetail } from "@/lib/queries/client.ts";
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

/** Page of a client: why it is denied or passes, and buttons to block or safelist it. */
export function ClientPage({ client, mayChange, mayForever, isYou }: ClientPageProps) {
  const { app } = useLive();
  const read = useLiveQuery(clientDetail(client, { app }), 1_000);
  const { data } = read;
  /** Address or range in the dialog. Undefined while it is closed. */
  const [listing, setListing] = useState<string>();
  return (
    <>
      <PageHeader
        title={<span className="font-mono font-medium">{client}</span>}
        back={{ href: "/offenders", label: "Offenders" }}
        facts={
          data && (
            <>
              <VerdictBadge verdict={data.outcome} isLarge />
              <span>{sayHour(data)}</span>
              {isYou && (
                <span className="font-medium text-text-2">
                  This is your own address: it cannot be blocked.
                </span>
              )}
            </>
          )
        }
        actions={
          <>
            <LiveControls apps={data?.apps.map(({ text }) => text) ?? []} hasRange={false} />
            {data && <Actions told={data} {...{ mayChange, isYou }} onList={() => setListing(client)} />}
          </>
        }
      />
      <ReadState read={read} name="this client" skeleton={<ClientSkeleton />} isFramed>
        {(found) => <Cards told={found} onReview={mayChange ? setListing : undefined} />}
      </ReadState>
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

/** Buttons for common blocks, and one for the dialog with its preview. */
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

function Cards({ told, onReview }: { told: ClientReply; onReview: ((range: string) => void) | undefined }) {
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

function ClientSkeleton() {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <Card title="Why?">
        <Skeleton className="h-96 w-full" />
      </Card>
      <div className="flex min-w-0 flex-col gap-3">
        <Card title="Requests">
          <Skeleton className="h-56 w-full" />
        </Card>
        <Card title="History">
          <Skeleton className="h-24 w-full" />
        </Card>
      </div>
    </div>
  );
}

/** Prefilled reason for the audit log: the evidence. */
function reasonOf({ steps, userAgents }: ClientReply): string {
  const deciding = steps.flatMap(({ rules }) => rules).find(({ isDeciding }) => isDeciding);
  const tool = userAgents.find((agent) => agent.tool)?.tool;
  const parts = [deciding && `over ${deciding.name}`, tool && `uses ${tool}`].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "from the client's page";
}

/** Page for an invalid client, after a broken link or an edited URL. */
export function NoClient({ text, reason }: { text: string; reason: string }) {
  const shown = text.replace(/[^ -~]/g, "\ufffd").slice(0, 60);
  return (
    <>
      <PageHeader title="Client" back={{ href: "/offenders", label: "Offenders" }} />
      <EmptyState
        icon={<SearchX />}
        title={`"${shown}" is not a client`}
        hint={`${reason}.`}
        action={<LinkButton href="/offenders">Open offenders</LinkButton>}
      />
    </>
  );
}
