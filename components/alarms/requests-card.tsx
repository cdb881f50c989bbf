"use client";

import { Check, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { decideRequest } from "@/lib/console/actions/requests.ts";
import type { RequestRow } from "@/lib/queries/alarms.ts";
import { useAlarmChange } from "./use-alarm-change.ts";

const mostDecided = 5;

interface RequestsCardProps {
  readonly requests: readonly RequestRow[];
  readonly mayDecide: boolean;
}

/** What users ask staff for: open requests first, then the last decisions. */
export function RequestsCard({ requests, mayDecide }: RequestsCardProps) {
  const open = requests.filter(({ decision }) => !decision);
  const decided = requests.filter(({ decision }) => decision).slice(0, mostDecided);
  if (requests.length === 0) return null;
  return (
    <Card title="Requests" hint={open.length === 0 ? "none open" : `${open.length} open`} isFlush>
      <ul aria-label="Requests" className="divide-y divide-border border-t border-border">
        {[...open, ...decided].map((request) => (
          <RequestItem key={request.id} {...{ request, mayDecide }} />
        ))}
      </ul>
    </Card>
  );
}

const verbs = { block: "Block", unblock: "Unblock", change: "Change" } as const;

function RequestItem({ request, mayDecide }: { request: RequestRow; mayDecide: boolean }) {
  const { kind, target, ttlMs, reason, by, role, at, decision } = request;
  return (
    <li className="flex flex-col gap-1.5 px-3.5 py-3">
      <div className="flex flex-wrap items-baseline gap-x-2 text-body">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          {verbs[kind]} <Untrusted text={target} max={200} className={kind === "change" ? "" : "font-mono"} />
          {kind === "block" && ttlMs !== null && ` for ${durationText(ttlMs)}`}
        </h3>
        <span className="text-cell text-text-3">
          <Untrusted text={by} max={60} /> ({role}), <Timestamp at={at} />
        </span>
      </div>
      <p className="text-cell text-text-2 wrap-anywhere">
        <Untrusted text={reason} max={500} />
      </p>
      {decision ? (
        <p className="text-cell text-text-3">
          {decision.is === "confirmed" ? "Confirmed" : "Declined"} by{" "}
          <Untrusted text={decision.by} max={60} />, <Timestamp at={decision.at} />
          {decision.word !== "" && (
            <>
              : <Untrusted text={decision.word} max={200} />
            </>
          )}
        </p>
      ) : (
        mayDecide && <Decision request={request} />
      )}
    </li>
  );
}

function Decision({ request: { id, kind, target } }: { request: RequestRow }) {
  const [word, setWord] = useState("");
  const { change, isBusy, failure } = useAlarmChange();
  const decide = (isConfirmed: boolean) => () =>
    void change(isConfirmed ? `Request to ${kind} ${target} confirmed` : "Request declined", () =>
      decideRequest({ id, isConfirmed, word }),
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        aria-label={`Answer to the request to ${kind} ${target}`}
        placeholder="Answer to the user (optional)"
        value={word}
        maxLength={200}
        className="min-w-40 flex-1"
        onChange={(event) => setWord(event.target.value)}
      />
      <Button icon={<X />} isBusy={isBusy} onClick={decide(false)}>
        Decline
      </Button>
      <Button variant="primary" icon={<Check />} isBusy={isBusy} onClick={decide(true)}>
        {kind === "change" ? "Mark as done" : `${verbs[kind]} ${target}`}
      </Button>
      {failure && (
        <p role="alert" className="w-full text-cell text-blocked">
          {failure.message}
        </p>
      )}
    </div>
  );
}
