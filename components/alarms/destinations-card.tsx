"use client";

import { Bell, Hash, type LucideIcon, Mail, MessagesSquare, Plus, Trash2, Webhook } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { tookText } from "@/components/ui/value-text.ts";
import { changeDestination, removeDestination, testDestination } from "@/lib/console/actions/alarms.ts";
import { alarmKinds, type DestinationKind, kindTerms } from "@/lib/manage/alarms/kinds.ts";
import type { AlarmsReply, DestinationRow } from "@/lib/queries/alarms.ts";
import { useAlarmChange } from "./use-alarm-change.ts";

const AddDestinationDialog = lazyDialog(() =>
  import("./add-destination-dialog.tsx").then((file) => file.AddDestinationDialog),
);

const icons: Readonly<Record<DestinationKind, LucideIcon>> = {
  webhook: Webhook,
  slack: Hash,
  teams: MessagesSquare,
  ntfy: Bell,
  email: Mail,
};

interface DestinationsCardProps {
  readonly found: AlarmsReply;
  readonly mayChange: boolean;
}

/** Where alarms are sent. */
export function DestinationsCard({ found: { destinations, hasMail }, mayChange }: DestinationsCardProps) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Card
      title="Destinations"
      hint={destinations.length || undefined}
      actions={
        mayChange && (
          <Button icon={<Plus />} onClick={() => setIsAdding(true)}>
            Add destination
          </Button>
        )
      }
      isFlush
    >
      {destinations.length === 0 ? (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
          No destinations yet. Alarms are shown only on this page.
        </p>
      ) : (
        <ul aria-label="Destinations" className="divide-y divide-border border-t border-border">
          {destinations.map((destination) => (
            <DestinationItem key={destination.id} {...{ destination, mayChange }} />
          ))}
        </ul>
      )}
      {isAdding && <AddDestinationDialog hasMail={hasMail} onClose={() => setIsAdding(false)} />}
    </Card>
  );
}

function DestinationItem({ destination, mayChange }: { destination: DestinationRow; mayChange: boolean }) {
  const { id, name, kind, shown, alarms, isOn, waiting } = destination;
  const { change, isBusy } = useAlarmChange();
  const Icon = icons[kind];
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 px-3.5 py-3">
      <Icon className="mt-0.5 size-4 text-text-3" />
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 text-body font-medium wrap-anywhere">
            <Untrusted text={name} max={40} />
          </h3>
          {!isOn && <Badge tone="plain">off</Badge>}
          {mayChange && (
            <span className="ml-auto flex items-center gap-1">
              <Button
                size="sm"
                isBusy={isBusy}
                onClick={() => void change(`Sending a test to ${name}`, () => testDestination({ id }))}
              >
                Send a test<span className="sr-only"> to {name}</span>
              </Button>
              <DestinationMenu destination={destination} />
            </span>
          )}
        </div>
        <p className="font-mono text-meta text-text-3 wrap-anywhere">
          <Untrusted text={shown} max={200} />
        </p>
        <p className="text-cell text-text-2">
          {alarms.length === alarmKinds.length
            ? "All alarms"
            : alarms.map((one) => kindTerms[one].name).join(", ")}
        </p>
        <LastSent destination={destination} />
        {waiting > 0 && <p className="text-meta text-throttled">{waiting} waiting to be sent</p>}
      </div>
    </li>
  );
}

function LastSent({ destination: { last } }: { destination: DestinationRow }) {
  if (!last) return <p className="text-meta text-text-3">Nothing sent yet</p>;
  const { at, tookMs, failure, tries } = last;
  if (failure === null)
    return (
      <p className="text-meta text-text-3">
        Last sent <Timestamp at={at} />, {tookText(tookMs)}
      </p>
    );
  return (
    <p className="text-meta text-blocked wrap-anywhere">
      Failed <Timestamp at={at} />: <Untrusted text={failure} max={200} />, {tries}{" "}
      {tries === 1 ? "try" : "tries"}
    </p>
  );
}

function DestinationMenu({ destination: { id, name, isOn } }: { destination: DestinationRow }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const { change, isBusy, failure } = useAlarmChange();
  const items: MenuItem[] = [
    {
      label: isOn ? "Switch off" : "Switch on",
      onSelect: () =>
        void change(`${name} is ${isOn ? "off" : "on"}`, () => changeDestination({ id, isOn: !isOn })),
    },
    { label: "Remove…", icon: <Trash2 />, isDanger: true, onSelect: () => setIsRemoving(true) },
  ];
  const remove = async () => {
    if (await change(`${name} removed`, () => removeDestination({ id }))) setIsRemoving(false);
  };
  return (
    <>
      <Menu label={`More for ${name}`} items={items} />
      {isRemoving && (
        <ConfirmDialog
          isOpen
          onClose={() => setIsRemoving(false)}
          title={`Remove the destination ${name}?`}
          description="It receives no more alarms. Messages that are waiting for it are dropped."
          confirmLabel={`Remove ${name}`}
          onConfirm={() => void remove()}
          isDanger
          isBusy={isBusy}
          error={failure?.message}
        />
      )}
    </>
  );
}
