"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText, minuteText } from "@/components/ui/value-text.ts";
import { endAttack, startAttack } from "@/lib/console/actions/policy.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { type AttackModeReply, attackMode } from "@/lib/queries/attack.ts";
import type { Status } from "@/lib/queries/status.ts";
import { SwitchDone } from "../switch-done.tsx";

const lengths = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "720", label: "12 hours" },
  { value: "1440", label: "24 hours" },
] as const;
type Length = (typeof lengths)[number]["value"];

/** What attack mode adds and would have denied; switches it on, changes it and ends it. */
export function AttackDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { known } = useStanding();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Attack mode"
      description="Adds the rules that are prepared for an attack. It ends automatically, on every node."
      width={560}
    >
      {known && may(known.you.role, "ease-off") ? (
        <AttackForm known={known} isOpen={isOpen} onClose={onClose} />
      ) : (
        <p className="text-body text-text-2">
          {known ? `Only ${rolesThatMay("ease-off")} can switch attack mode.` : "The mode is unknown."}
        </p>
      )}
    </Dialog>
  );
}

interface AttackFormProps {
  known: Status;
  isOpen: boolean;
  onClose: () => void;
}

function AttackForm({ known, isOpen, onClose }: AttackFormProps) {
  const { attack } = known;
  const [minutes, setMinutes] = useState<Length>("60");
  const [chosen, setChosen] = useState<readonly string[]>(attack?.apps ?? []);
  const [reason, setReason] = useState("");
  const [change, setChange] = useState<number | null>();
  const client = useQueryClient();
  const { run, isBusy, failure } = useMutate();
  const canSend = reason.trim() !== "" && !isBusy;
  const send = async (asked: () => ReturnType<typeof startAttack>) => {
    if (!canSend) return;
    const done = await run(asked);
    if (!done) return;
    setChange(done.value.change);
    await client.invalidateQueries();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const apps = chosen.length > 0 ? { apps: [...chosen] } : {};
    void send(() => startAttack({ minutes: Number(minutes), reason, ...apps }));
  };
  if (change !== undefined)
    return <SwitchDone change={change} unchanged="Nothing changed." mayUndo onClose={onClose} />;
  return (
    <form onSubmit={submit} className="flex flex-col gap-3.5">
      {attack && (
        <p className="rounded-control border bg-sunken px-3 py-2 text-cell text-text-2 wrap-anywhere">
          On since <Timestamp at={attack.sinceMs} />, until {minuteText(attack.untilMs)} UTC, by{" "}
          <Untrusted text={attack.by} max={80} />: <Untrusted text={attack.reason} max={300} />
        </p>
      )}
      <Effects isOpen={isOpen} onLeave={onClose} />
      {known.mode !== "enforce" && (
        <p className="text-cell text-throttled">
          The mode is {known.mode}: these rules deny no request before it is enforce again.
        </p>
      )}
      <div className="flex flex-wrap gap-3.5">
        <Field label={attack ? "From now on for" : "For"}>
          <Select label="For" value={minutes} onChange={setMinutes} options={lengths} />
        </Field>
        <Apps known={known} chosen={chosen} onChange={setChosen} />
      </div>
      <Field label="Reason" hint="required; shown on every page while attack mode is on">
        <Textarea
          rows={2}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      {failure && (
        <p role="alert" className="text-cell text-blocked">
          {failure.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" size="lg" onClick={onClose}>
          Cancel
        </Button>
        {attack && (
          <Button size="lg" disabled={!canSend} onClick={() => void send(() => endAttack({ reason }))}>
            End attack mode
          </Button>
        )}
        <Button type="submit" size="lg" variant="danger" isBusy={isBusy} disabled={reason.trim() === ""}>
          {attack ? "Change attack mode" : "Switch attack mode on"}
        </Button>
      </div>
    </form>
  );
}

interface AppsProps {
  known: Status;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function Apps({ known, chosen, onChange }: AppsProps) {
  const apps = [...new Set([...appsOf(known), ...chosen])].sort();
  const toggle = (app: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, app] : chosen.filter((one) => one !== app));
  return (
    <fieldset className="min-w-0 flex-1 basis-60">
      <legend className="text-cell font-medium text-text-2">Apps</legend>
      <div className="flex flex-wrap gap-x-3">
        <Checkbox checked={chosen.length === 0} onChange={() => onChange([])} label="All" />
        {apps.map((app) => (
          <Checkbox
            key={app}
            checked={chosen.includes(app)}
            onChange={(isOn) => toggle(app, isOn)}
            label={<Untrusted text={app} max={64} />}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Effects({ isOpen, onLeave }: { isOpen: boolean; onLeave: () => void }) {
  const read = useQuery({ ...attackMode(), enabled: isOpen, networkMode: "always", retry: false });
  return (
    <ReadState read={read} name="the prepared rules" skeleton={<Skeleton className="h-14 w-full" />}>
      {({ rules, isFresh }) => (
        <div className="flex flex-col gap-1.5">
          <ul className="flex flex-col gap-1.5">
            {rules.map((rule) => (
              <li key={rule.rule} className="text-body">
                <Untrusted text={rule.rule} max={64} className="font-mono" />: {rule.limits}
                <span className="block text-cell text-text-2">{sayHour(rule.hour)}</span>
              </li>
            ))}
          </ul>
          {rules.length === 0 && (
            <p className="text-body text-throttled">No rule is prepared: attack mode adds nothing.</p>
          )}
          <p className="text-cell text-text-3">
            {isFresh && "This is what a fresh install adds. "}
            Admins prepare these rules on the{" "}
            <TextLink href="/policy#attack-mode" onClick={onLeave}>
              Policy page
            </TextLink>
            .
          </p>
        </div>
      )}
    </ReadState>
  );
}

function sayHour(hour: AttackModeReply["rules"][number]["hour"]): string {
  if (!hour) return "What it would deny is unknown: no node has counted the requests that it counts.";
  const { requests, clients, customers } = hour;
  if (requests === 0) return "It would have denied no request of the last hour.";
  const whose = customers > 0 ? `, ${counted(customers, "customer")} among them` : "";
  return `It would have denied ${countText(requests)} of the last hour's requests, of ${counted(clients, "client")}${whose}.`;
}
