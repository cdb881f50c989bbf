"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { SecretOnce } from "@/components/settings/secret-once.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { addDestination } from "@/lib/console/actions/alarms.ts";
import {
  type AlarmKind,
  alarmKinds,
  type DestinationKind,
  destinationKinds,
  kindTerms,
} from "@/lib/manage/alarms/kinds.ts";
import { alarms } from "@/lib/queries/alarms.ts";

const kindNames: Readonly<Record<DestinationKind, string>> = {
  webhook: "Webhook, signed",
  slack: "Slack",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
  email: "Email",
};

const hints: Readonly<Record<DestinationKind, string>> = {
  webhook: "https://…",
  slack: "the URL of an incoming webhook",
  teams: "the URL of a workflow that posts to a channel",
  ntfy: "the server's URL with the topic at its end",
  email: "one or more addresses",
};

interface AddDestinationDialogProps {
  readonly hasMail: boolean;
  readonly onClose: () => void;
}

/** Adds a destination, then shows the signing key of a webhook. */
export function AddDestinationDialog({ hasMail, onClose }: AddDestinationDialogProps) {
  const [added, setAdded] = useState<{ readonly name: string; readonly signingKey: string }>();
  if (added) return <SigningKeyDialog {...added} onClose={onClose} />;
  return <DestinationForm {...{ hasMail, onClose }} onKey={setAdded} />;
}

interface DestinationFormProps extends AddDestinationDialogProps {
  readonly onKey: (added: { readonly name: string; readonly signingKey: string }) => void;
}

function DestinationForm({ hasMail, onClose, onKey }: DestinationFormProps) {
  const [kind, setKind] = useState<DestinationKind>("webhook");
  const [name, setName] = useState("");
  const [to, setTo] = useState("");
  const [token, setToken] = useState("");
  const [chosen, setChosen] = useState<readonly AlarmKind[]>(alarmKinds);
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const submit = async () => {
    const given = { name, kind, to, alarms: [...chosen], ...(kind === "ntfy" && token !== "" && { token }) };
    const done = await run(() => addDestination(given));
    if (!done) return;
    await client.invalidateQueries({ queryKey: alarms().queryKey });
    const { signingKey } = done.value;
    if (signingKey === null) onClose();
    else onKey({ name: done.value.name, signingKey });
  };
  return (
    <FormDialog
      title="Add a destination"
      description="Its URL and keys are kept encrypted and not shown again."
      submitLabel="Add destination"
      onSubmit={submit}
      isReady={name.trim() !== "" && to.trim() !== "" && chosen.length > 0}
      {...{ isBusy, failure, onClose }}
    >
      <Field
        label="Kind"
        error={kind === "email" && !hasMail ? "Set SLUICE_SMTP_URL and SLUICE_MAIL_FROM first." : undefined}
      >
        <Select
          label="Kind"
          value={kind}
          onChange={setKind}
          options={destinationKinds.map((value) => ({ value, label: kindNames[value] }))}
        />
      </Field>
      <Field label="Name" hint="such as On-call" error={failure?.fields.name}>
        <Input value={name} maxLength={40} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label={kind === "email" ? "Addresses" : "URL"}
        hint={hints[kind]}
        error={failure?.fields.to ?? failure?.fields.kind}
      >
        <Input
          isMono
          spellCheck={false}
          value={to}
          maxLength={2_000}
          onChange={({ target }) => setTo(target.value)}
        />
      </Field>
      {kind === "ntfy" && (
        <Field label="Access token" hint="optional" error={failure?.fields.token}>
          <Input
            isMono
            type="password"
            value={token}
            maxLength={200}
            onChange={({ target }) => setToken(target.value)}
          />
        </Field>
      )}
      <KindsField chosen={chosen} onChange={setChosen} error={failure?.fields.alarms} />
    </FormDialog>
  );
}

interface KindsFieldProps {
  readonly chosen: readonly AlarmKind[];
  readonly onChange: (chosen: readonly AlarmKind[]) => void;
  readonly error: string | undefined;
}

function KindsField({ chosen, onChange, error }: KindsFieldProps) {
  const toggle = (kind: AlarmKind, isOn: boolean) =>
    onChange(alarmKinds.filter((one) => (one === kind ? isOn : chosen.includes(one))));
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="pb-1 text-cell text-text-2">Alarms to send</legend>
      <Checkbox
        checked={chosen.length === alarmKinds.length || (chosen.length > 0 && "indeterminate")}
        onChange={(isOn) => onChange(isOn ? alarmKinds : [])}
        label="All alarms"
      />
      <div className="grid border-t border-border pt-1 sm:grid-cols-2">
        {alarmKinds.map((kind) => (
          <Checkbox
            key={kind}
            checked={chosen.includes(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
            label={kindTerms[kind].name}
          />
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-cell text-blocked">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface SigningKeyDialogProps {
  readonly name: string;
  readonly signingKey: string;
  readonly onClose: () => void;
}

function SigningKeyDialog({ name, signingKey, onClose }: SigningKeyDialogProps) {
  const [isStored, setIsStored] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const close = () => {
    if (isStored) onClose();
    else setIsAsked(true);
  };
  return (
    <Dialog
      isOpen
      isAlert
      onClose={close}
      title={`Destination “${name}” added`}
      description={
        <>
          Your receiver verifies each message with this key: the header{" "}
          <code className="font-mono text-cell whitespace-nowrap">x-sluice-signature</code> is{" "}
          <code className="font-mono text-cell">v1=</code> and the HMAC-SHA256 of the timestamp, a dot and the
          body.
        </>
      }
      footer={
        <>
          <span className="mr-auto">
            <Checkbox checked={isStored} onChange={setIsStored} label="I have stored the key" />
            {isAsked && !isStored && (
              <span role="alert" className="block text-cell text-blocked">
                Store the key, then tick the box.
              </span>
            )}
          </span>
          <Button variant="primary" size="lg" onClick={close} disabled={!isStored}>
            Close
          </Button>
        </>
      }
    >
      <SecretOnce label="Signing key" value={signingKey} copied="The key is copied." />
    </Dialog>
  );
}
