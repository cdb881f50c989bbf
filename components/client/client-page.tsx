"use client";

import { Clock, LockOpen, SearchX, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Address } from "@/components/console/address.tsx";
import { AskButton } from "@/components/console/ask-button.tsx";
import { clientState, evidenceOf } from "@/components/console/client-state.ts";
import {
  commandsOf,
  type EntryCommand,
  entryToChange,
  removalLabel,
} from "@/components/console/entry-command.ts";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { LinksOut } from "@/components/console/links-out.tsx";
import { LiveControls } from "@/components/console/live-controls.tsx";
import { NotesCard } from "@/components/console/notes-card.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { BlockButtons } from "@/components/offenders/block-buttons.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { type ClientReply, clientDetail } from "@/lib/queries/client.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { ActivityCard } from "./activity-card.tsx";
import { sayDay } from "./client-words.ts";
import { EstimateCard } from "./estimate-card.tsx";
import { RequestsCard } from "./habits-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { NamesLine } from "./names-line.tsx";
import { NeighboursCard } from "./neighbours-card.tsx";
import { SamplesCard } from "./samples-card.tsx";
import { WhyCard } from "./why-card.tsx";

const EntryDialog = lazyDialog(() => import("./entry-dialog.tsx").then((file) => file.EntryDialog));

interface ClientPageProps {
  client: string;
  mayChange: boolean;
  mayNote: boolean;
  mayForever: boolean;
  isYou: boolean;
}

/** Page of a client: why it is denied or passes, and buttons to block or safelist it. */
export function ClientPage({ client, mayChange, mayNote, mayForever, isYou }: ClientPageProps) {
  const { app } = useLive();
  const read = useLiveQuery(clientDetail(client, { app }), 1_000);
  const { data } = read;
  /** Undefined while its dialog is closed. */
  const [command, setCommand] = useState<EntryCommand>();
  return (
    <>
      <PageHeader
        title={<span className="font-mono font-medium">{client}</span>}
        back={{ href: "/offenders", label: "Offenders" }}
        facts={
          data && (
            <>
              <StateBadge told={data} />
              <Address address={client} hasLink={false} isFull />
              <NamesLine client={client} userAgents={data.userAgents.map(({ text }) => text)} />
              <span>{sayDay(data)}</span>
              <LinksOut kind="client" id={client} />
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
            <LiveControls apps={data?.apps.map(({ text }) => text) ?? []} />
            {data && <Actions told={data} {...{ mayChange, isYou }} onCommand={setCommand} />}
            <AskButton
              needs="lists"
              kind={data?.outcome === "blocked" ? "unblock" : "block"}
              target={client}
            />
          </>
        }
      />
      <ReadState read={read} name="this client" skeleton={<ClientSkeleton />} isFramed>
        {(found) => (
          <Cards
            told={found}
            mayNote={mayNote}
            onReview={mayChange ? (range) => setCommand(commandFor(found, range)) : undefined}
          />
        )}
      </ReadState>
      {command && <EntryDialog {...{ command, mayForever }} onClose={() => setCommand(undefined)} />}
    </>
  );
}

/** "Blocked, 22 h 50 min left", "Throttled by req/ip/2" */
function StateBadge({ told }: { told: ClientReply }) {
  const { tone, says } = clientState(told, told.asOf);
  return (
    <Badge tone={tone} icon={toneIcon(tone)} isLarge>
      <span className="truncate">{says}</span>
    </Badge>
  );
}

interface ActionsProps {
  told: ClientReply;
  mayChange: boolean;
  isYou: boolean;
  onCommand: (command: EntryCommand) => void;
}

/** Of a listed client, what can be changed of its entry; else the buttons for common blocks. */
function Actions({ told, mayChange, isYou, onCommand }: ActionsProps) {
  const { client, outcome } = told;
  const covering = told.steps.flatMap(({ entries }) => entries);
  const entry = entryToChange(covering, outcome === "safelisted" ? "safelist" : "blocklist") ?? covering[0];
  const add = (list: ListName) =>
    onCommand({ kind: "add", list, address: client, client, reason: reasonOf(told) });
  if (!entry)
    return (
      <>
        {!isYou && (
          <BlockButtons
            address={client}
            reason={reasonOf(told)}
            listed={undefined}
            mayChange={mayChange}
            hasLabel
          />
        )}
        {mayChange && (
          <Button size="sm" onClick={() => add("blocklist")}>
            Block or safelist…
          </Button>
        )}
      </>
    );
  if (!mayChange) return null;
  const { remove, expiry } = commandsOf(client, entry, covering);
  return (
    <>
      {entry.list === "blocklist" && (
        <Button icon={<ShieldCheck />} onClick={() => add("safelist")}>
          Safelist…
        </Button>
      )}
      <Button icon={<Clock />} onClick={() => onCommand(expiry)}>
        Change expiry…
      </Button>
      <Button variant="primary" icon={<LockOpen />} onClick={() => onCommand(remove)}>
        {removalLabel(remove)}
      </Button>
    </>
  );
}

/** For a range around the client: to block it, or to change the expiry of its entry. */
function commandFor(told: ClientReply, range: string): EntryCommand {
  const entry = told.steps
    .flatMap(({ entries }) => entries)
    .find(({ list, address }) => list === "blocklist" && address === range);
  if (entry) return commandsOf(told.client, entry, []).expiry;
  return { kind: "add", list: "blocklist", address: range, client: told.client, reason: reasonOf(told) };
}

interface CardsProps {
  told: ClientReply;
  mayNote: boolean;
  onReview: ((range: string) => void) | undefined;
}

function Cards({ told, mayNote, onReview }: CardsProps) {
  // Where it makes both columns about as long.
  const history = (
    <>
      <HistoryCard client={told.client} />
      <NeighboursCard told={told} onReview={onReview} />
    </>
  );
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <WhyCard told={told} />
        {told.samples && history}
        <NotesCard kind="client" id={told.client} mayWrite={mayNote} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <EstimateCard told={told} />
        <ActivityCard told={told} />
        {told.samples && <SamplesCard samples={told.samples} />}
        <RequestsCard told={told} />
        {!told.samples && history}
      </div>
    </div>
  );
}

function ClientSkeleton() {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Card title="Why?">
          <Skeleton className="h-96 w-full" />
        </Card>
        <Card title="History">
          <Skeleton className="h-24 w-full" />
        </Card>
      </div>
      <Card title="Requests">
        <Skeleton className="h-56 w-full" />
      </Card>
    </div>
  );
}

/** Prefilled reason for the audit log. */
const reasonOf = (told: ClientReply) => evidenceOf(told) || "from the client's page";

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
