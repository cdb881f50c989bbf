"use client";

import {
  Ban,
  CalendarClock,
  Check,
  CircleDot,
  KeyRound,
  type LucideIcon,
  MessageCircleQuestion,
  Power,
  RotateCw,
  Rss,
  Server,
  ShieldAlert,
  SlidersHorizontal,
  Unplug,
  Users,
  X,
} from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { ClockTime, Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { acknowledgeIncident, sendAgain } from "@/lib/console/actions/alarms.ts";
import type { AlarmKind } from "@/lib/manage/alarms/kinds.ts";
import type { IncidentRow } from "@/lib/queries/alarms.ts";
import { useAlarmChange } from "./use-alarm-change.ts";

const icons: Readonly<Record<AlarmKind, LucideIcon>> = {
  attack: ShieldAlert,
  ban: Ban,
  customer: Users,
  request: MessageCircleQuestion,
  mode: Power,
  policy: SlidersHorizontal,
  redis: Unplug,
  node: Server,
  feed: Rss,
  expiry: CalendarClock,
  "sign-in": KeyRound,
};

const urgent: readonly AlarmKind[] = ["attack", "ban", "redis"];

interface IncidentItemProps {
  readonly incident: IncidentRow;
  readonly mayAcknowledge: boolean;
  readonly mayChange: boolean;
}

/** One incident: what happened, and where it was sent. */
export function IncidentItem({ incident, mayAcknowledge, mayChange }: IncidentItemProps) {
  const { id, kind, title, path, lines, leftOut, openedAt, endedAt, acknowledged } = incident;
  const { change, isBusy } = useAlarmChange();
  const Icon = icons[kind];
  const color = urgent.includes(kind) ? "text-blocked" : "text-throttled";
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 px-3.5 py-3">
      <Icon className={`mt-0.5 size-4 ${endedAt === null ? color : "text-text-3"}`} />
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h4 className="min-w-0 text-body font-semibold wrap-anywhere">
            <Untrusted text={title} max={200} />
          </h4>
          <Badge tone="plain" icon={endedAt === null ? <CircleDot /> : <Check />}>
            {endedAt === null ? "Open" : "Ended"}
          </Badge>
          <span className="text-cell text-text-3">
            <Timestamp at={openedAt} />
            {endedAt !== null && (
              <>
                , ended <Timestamp at={endedAt} />
              </>
            )}
          </span>
          <span className="ml-auto flex flex-wrap items-center gap-2 text-cell text-text-3">
            {acknowledged && (
              <span>
                Acknowledged by <Untrusted text={acknowledged.by} max={60} />
              </span>
            )}
            {endedAt === null && (
              <LinkButton href={path} size="sm">
                Open<span className="sr-only"> {title}</span>
              </LinkButton>
            )}
            {endedAt === null && !acknowledged && mayAcknowledge && (
              <Button
                size="sm"
                variant="primary"
                isBusy={isBusy}
                aria-label={`Acknowledge: ${title}`}
                onClick={() => void change("Acknowledged", () => acknowledgeIncident({ id }))}
              >
                Acknowledge
              </Button>
            )}
          </span>
        </div>
        <ol className="flex flex-col gap-0.5 text-cell text-text-2">
          {lines.map(({ at, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added.
            <li key={i} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
              <span className="font-mono text-text-3">
                <ClockTime at={at} />
              </span>
              <Untrusted text={text} max={400} className="wrap-anywhere" />
            </li>
          ))}
        </ol>
        {leftOut > 0 && (
          <p className="text-meta text-text-3">{leftOut} more between the first and the others</p>
        )}
        <Messages incident={incident} mayChange={mayChange} />
      </div>
    </li>
  );
}

const words = { opened: "begin", updated: "update", ended: "end", test: "test" } as const;

function Messages({ incident: { messages }, mayChange }: Pick<IncidentItemProps, "incident" | "mayChange">) {
  const { change, isBusy } = useAlarmChange();
  if (messages.length === 0) return <p className="text-meta text-text-3">Sent to no destination</p>;
  return (
    <ul aria-label="Sent to" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-text-3">
      {messages.map(({ id, destination, event, at, failure, state, tries }) => (
        <li key={id} className="inline-flex min-w-0 items-center gap-1 [&_.lucide]:size-3">
          {state === "arrived" ? (
            <Check className="text-pass" />
          ) : state === "waiting" ? (
            <RotateCw className="text-throttled" />
          ) : (
            <X className="text-blocked" />
          )}
          <span>
            <Untrusted text={destination} max={40} className="font-medium text-text-2" /> {words[event]},{" "}
            <ClockTime at={at} />
            {state !== "arrived" && (
              <>
                {" "}
                {state}
                {tries > 0 && ` after ${tries} ${tries === 1 ? "try" : "tries"}`}
                {failure !== null && (
                  <>
                    : <Untrusted text={failure} max={120} />
                  </>
                )}
              </>
            )}
          </span>
          {state === "given up" && mayChange && (
            <Button
              size="sm"
              isBusy={isBusy}
              onClick={() => void change(`Sending to ${destination} again`, () => sendAgain({ id }))}
            >
              Send again<span className="sr-only"> to {destination}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
