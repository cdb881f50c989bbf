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
import { useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { ClockTime, Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
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
  const { id, kind, title, path, openedAt, endedAt, acknowledged } = incident;
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
                View<span className="sr-only">: {title}</span>
              </LinkButton>
            )}
            {endedAt === null && !acknowledged && mayAcknowledge && (
              <Button
                size="sm"
                isBusy={isBusy}
                aria-label={`Acknowledge: ${title}`}
                onClick={() => void change("Acknowledged", () => acknowledgeIncident({ id }))}
              >
                Acknowledge
              </Button>
            )}
          </span>
        </div>
        <Lines incident={incident} />
        <Messages incident={incident} mayChange={mayChange} />
      </div>
    </li>
  );
}

const mostLines = 4;

/** What happened: the first line and the last ones, until all are asked for. */
function Lines({ incident: { title, lines, leftOut } }: Pick<IncidentItemProps, "incident">) {
  const [isWhole, setIsWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - mostLines);
  const shown = [...lines.slice(0, 1), ...lines.slice(1 + hidden)];
  return (
    <>
      <ol className="flex flex-col gap-0.5 text-cell text-text-2">
        {shown.map(({ at, text }, i) => (
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
        <p className="text-meta text-text-3">{counted(leftOut, "more event")} after the first, not kept</p>
      )}
      {hidden > 0 && (
        <Button size="sm" variant="ghost" className="-ml-2 self-start" onClick={() => setIsWhole(true)}>
          Show {countText(hidden)} more<span className="sr-only"> of {title}</span>
        </Button>
      )}
    </>
  );
}

type Message = IncidentRow["messages"][number];

/** One destination a line: when it got messages, and what has not arrived. */
function Messages({ incident: { messages }, mayChange }: Pick<IncidentItemProps, "incident" | "mayChange">) {
  if (messages.length === 0) return <p className="text-meta text-text-3">Sent to no destination</p>;
  const names = [...new Set(messages.map(({ destination }) => destination))];
  return (
    <ul aria-label="Sent to" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-text-3">
      <li aria-hidden="true">Sent to</li>
      {names.map((name) => (
        <Sent
          key={name}
          {...{ name, mayChange }}
          messages={messages.filter(({ destination }) => destination === name)}
        />
      ))}
    </ul>
  );
}

interface SentProps {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly mayChange: boolean;
}

function Sent({ name, messages, mayChange }: SentProps) {
  const arrived = messages.filter(({ state }) => state === "arrived");
  const waiting = messages.filter(({ state }) => state === "waiting");
  const givenUp = messages.filter(({ state }) => state === "given up");
  return (
    <li className="inline-flex min-w-0 flex-wrap items-center gap-1 [&_.lucide]:size-3">
      {givenUp.length > 0 ? (
        <X className="text-blocked" />
      ) : waiting.length > 0 ? (
        <RotateCw className="text-throttled" />
      ) : (
        <Check className="text-pass" />
      )}
      <span className="min-w-0">
        <Untrusted text={name} max={40} className="font-medium text-text-2" />
        {arrived.map(({ id, at }, i) => (
          <span key={id}>
            {i === 0 ? " " : ", "}
            <ClockTime at={at} />
          </span>
        ))}
        {waiting[0] && <Missing message={waiting[0]} count={waiting.length} />}
      </span>
      {givenUp.map((message) => (
        <GivenUp key={message.id} {...{ message, mayChange }} />
      ))}
    </li>
  );
}

/** The first of those that have the same state. */
function Missing({ message: { at, state, tries, failure }, count }: { message: Message; count: number }) {
  return (
    <>
      {" "}
      {state}
      {count > 1 && ` (${countText(count)})`}
      {state === "waiting" ? " since " : " "}
      <ClockTime at={at} />
      {tries > 0 && `, ${counted(tries, "try", "tries")}`}
      {failure !== null && (
        <>
          : <Untrusted text={failure} max={120} />
        </>
      )}
    </>
  );
}

function GivenUp({ message, mayChange }: { message: Message; mayChange: boolean }) {
  const { change, isBusy } = useAlarmChange();
  const { id, destination } = message;
  return (
    <>
      <span>
        <Missing message={message} count={1} />
      </span>
      {mayChange && (
        <Button
          size="sm"
          isBusy={isBusy}
          onClick={() => void change(`Sending to ${destination} again`, () => sendAgain({ id }))}
        >
          Send again<span className="sr-only"> to {destination}</span>
        </Button>
      )}
    </>
  );
}
