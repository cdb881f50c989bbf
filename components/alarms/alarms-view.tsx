"use client";

import { Bell, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { LivePage } from "@/components/console/live-page.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { acknowledgeIncident } from "@/lib/console/actions/alarms.ts";
import { type AlarmsReply, alarms } from "@/lib/queries/alarms.ts";
import { DestinationsCard } from "./destinations-card.tsx";
import { IncidentItem } from "./incident-item.tsx";
import { RequestsCard } from "./requests-card.tsx";
import { useAlarmChange } from "./use-alarm-change.ts";

const ConditionsDialog = lazyDialog(() =>
  import("./conditions-dialog.tsx").then((file) => file.ConditionsDialog),
);
const everyMs = 2_000;

interface AlarmsViewProps {
  readonly mayChange: boolean;
  readonly mayAcknowledge: boolean;
  readonly mayDecide: boolean;
}

/** What happened, where it was sent, and what users ask staff for. */
export function AlarmsView({ mayChange, mayAcknowledge, mayDecide }: AlarmsViewProps) {
  const read = useLiveQuery(alarms(), everyMs);
  const [isChoosing, setIsChoosing] = useState(false);
  const { data } = read;
  return (
    <>
      <LivePage
        title="Alarms"
        facts={sayOpen}
        actions={
          <>
            <AskButton />
            {mayChange && data && (
              <Button icon={<SlidersHorizontal />} onClick={() => setIsChoosing(true)}>
                Conditions
              </Button>
            )}
          </>
        }
        read={read}
        name="the alarms"
        rows={{ rows: 5, columns: [5, 2, 2], rowHeight: 72 }}
        consequence="Alarms are still sent, as long as a console runs."
      >
        {(found) => (
          <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="flex min-w-0 flex-col gap-3">
              <RequestsCard requests={found.requests} mayDecide={mayDecide} />
              <IncidentsCard found={found} {...{ mayAcknowledge, mayChange }} />
            </div>
            <DestinationsCard found={found} mayChange={mayChange} />
          </div>
        )}
      </LivePage>
      {isChoosing && data && (
        <ConditionsDialog conditions={data.conditions} onClose={() => setIsChoosing(false)} />
      )}
    </>
  );
}

function sayOpen({ incidents }: AlarmsReply): string {
  const open = openOf(incidents);
  const unseen = open.filter(({ acknowledged }) => acknowledged === null).length;
  if (open.length === 0) return "none open";
  return unseen === open.length ? `${open.length} open` : `${open.length} open, ${unseen} not acknowledged`;
}

/** Open requests have a card of their own. */
const openOf = (incidents: AlarmsReply["incidents"]) =>
  incidents.filter(({ endedAt, kind }) => endedAt === null && kind !== "request");

interface IncidentsCardProps {
  found: AlarmsReply;
  mayAcknowledge: boolean;
  mayChange: boolean;
}

function IncidentsCard({ found, mayAcknowledge, mayChange }: IncidentsCardProps) {
  const open = openOf(found.incidents);
  const seenLast = open.toSorted((a, b) => Number(a.acknowledged !== null) - Number(b.acknowledged !== null));
  const ended = found.incidents.filter(({ endedAt }) => endedAt !== null);
  if (open.length + ended.length === 0)
    return (
      <Card title="Incidents">
        <EmptyState
          icon={<Bell />}
          title="No incidents in 30 days"
          hint="An attack, a ban, a customer near a limit, a failing feed and other events are shown here, and sent to the destinations."
        />
      </Card>
    );
  const unseen = open.filter(({ acknowledged }) => acknowledged === null);
  const group = (name: string, hint: string, incidents: typeof open, action?: ReactNode) =>
    incidents.length > 0 && (
      <>
        <div className="flex min-h-9 flex-wrap items-center gap-2 border-t border-border bg-sunken px-3.5 py-1 text-cell">
          <h3 className="font-medium">
            {name} <span className="font-normal text-text-3">{hint}</span>
          </h3>
          <span className="ml-auto">{action}</span>
        </div>
        <ul aria-label={`${name} incidents`} className="divide-y divide-border border-t border-border">
          {incidents.map((incident) => (
            <IncidentItem key={incident.id} {...{ incident, mayAcknowledge, mayChange }} />
          ))}
        </ul>
      </>
    );
  return (
    <Card title="Incidents" hint="events of one cause are one incident" isFlush>
      {group(
        "Open",
        counted(open.length, "incident"),
        seenLast,
        mayAcknowledge && unseen.length > 1 && <AcknowledgeAll unseen={unseen} />,
      )}
      {group("Ended", "last 30 days", ended)}
    </Card>
  );
}

function AcknowledgeAll({ unseen }: { unseen: AlarmsReply["incidents"] }) {
  const { change, isBusy } = useAlarmChange();
  const acknowledge = async () => {
    for (const [i, { id }] of unseen.entries()) {
      const isLast = i === unseen.length - 1;
      const title = isLast ? `${counted(unseen.length, "incident")} acknowledged` : undefined;
      if (!(await change(title, () => acknowledgeIncident({ id })))) return;
    }
  };
  return (
    <Button size="sm" isBusy={isBusy} onClick={() => void acknowledge()}>
      Acknowledge all {countText(unseen.length)}
    </Button>
  );
}
