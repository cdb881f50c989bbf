"use client";

import { useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { createToken, revokeToken } from "@/lib/console/actions/tokens.ts";
import {
  scopes,
  scopesProblem,
  scopeWords,
  type TokenScope,
  tokenAppProblem,
  tokenNameProblem,
} from "@/lib/manage/tokens/scopes.ts";
import { type TokenRow, tokens } from "@/lib/queries/tokens.ts";
import { SecretOnce } from "./secret-once.tsx";

const dayMs = 86_400_000;
const lives = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never expires" },
] as const;
type LifeDays = (typeof lives)[number]["value"];

interface CreatedToken {
  readonly secret: string;
  readonly token: Pick<TokenRow, "name" | "until">;
}

/** Creates a token, then shows its secret. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedToken>();
  if (created) return <SecretDialog {...created} onClose={onClose} />;
  return <TokenForm onCreated={setCreated} onClose={onClose} />;
}

interface TokenFormProps {
  onCreated: (created: CreatedToken) => void;
  onClose: () => void;
}

function TokenForm({ onCreated, onClose }: TokenFormProps) {
  const [name, setName] = useState("");
  const [app, setApp] = useState("");
  const [days, setDays] = useState<LifeDays>("90");
  const [chosen, setChosen] = useState<readonly TokenScope[]>(["read"]);
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const ofApp = app.trim() === "" ? undefined : app.trim();
  const appProblem = ofApp === undefined ? undefined : tokenAppProblem(ofApp);
  const ofScopes = scopesProblem(chosen, ofApp);
  const problem = tokenNameProblem(name.trim()) ?? appProblem ?? ofScopes;
  const submit = async () => {
    if (problem !== undefined) return;
    const expiresInMs = days === "never" ? null : Number(days) * dayMs;
    const input = {
      name: name.trim(),
      scopes: [...chosen],
      expiresInMs,
      ...(ofApp !== undefined && { app: ofApp }),
    };
    const done = await run(() => createToken(input));
    if (!done) return;
    onCreated(done.value);
    await client.invalidateQueries({ queryKey: tokens().queryKey });
  };
  return (
    <FormDialog
      title="Create an API token"
      description="The audit log names the token as the actor of its changes."
      submitLabel="Create token"
      onSubmit={submit}
      isReady={problem === undefined}
      {...{ isBusy, failure, onClose }}
    >
      <Field label="Name" hint="such as WAF exporter" error={failure?.fields.name}>
        <Input value={name} maxLength={40} onChange={({ target }) => setName(target.value)} />
      </Field>
      <ScopesField chosen={chosen} onChange={setChosen} error={failure?.fields.scopes ?? ofScopes} />
      <Field
        label="App"
        hint="optional: limits the token to one app"
        error={failure?.fields.app ?? appProblem}
      >
        <Input
          isMono
          spellCheck={false}
          autoComplete="off"
          value={app}
          maxLength={32}
          onChange={({ target }) => setApp(target.value)}
        />
      </Field>
      <Field label="Expires" error={failure?.fields.expiresInMs}>
        <Select label="Expires" value={days} onChange={setDays} options={lives} />
      </Field>
    </FormDialog>
  );
}

interface ScopesFieldProps {
  chosen: readonly TokenScope[];
  onChange: (chosen: readonly TokenScope[]) => void;
  error: string | undefined;
}

function ScopesField({ chosen, onChange, error }: ScopesFieldProps) {
  const toggle = (scope: TokenScope, isOn: boolean) =>
    onChange(scopes.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset className="flex flex-col">
      <legend className="pb-1 text-cell font-medium">Scopes</legend>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          checked={chosen.includes(scope)}
          onChange={(isOn) => toggle(scope, isOn)}
          label={
            <span className="text-cell">
              <span className="font-mono font-medium">{scope}</span>{" "}
              <span className="text-text-2">{scopeWords[scope]}</span>
            </span>
          }
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="pt-1 text-cell text-blocked">
          {error}.
        </p>
      )}
    </fieldset>
  );
}

function SecretDialog({ secret, token: { name, until }, onClose }: CreatedToken & { onClose: () => void }) {
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
      title={`Token “${name}” created`}
      footer={
        <>
          <span className="mr-auto">
            <Checkbox checked={isStored} onChange={setIsStored} label="I have stored the secret" />
            {isAsked && !isStored && (
              <span role="alert" className="block text-cell text-blocked">
                Store the secret, then tick the box.
              </span>
            )}
          </span>
          <Button variant="primary" size="lg" onClick={close} disabled={!isStored}>
            Close
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <SecretOnce label="Secret" value={secret} copied="The secret is copied." />
        <Banner
          tone="throttled"
          icon={<TriangleAlert />}
          title="Copy the secret now. You cannot see it again."
        >
          Sluice keeps only its digest. If the secret is lost, revoke this token and create another one.
        </Banner>
        <p className="text-cell text-text-2">
          {until === null ? (
            "It never expires"
          ) : (
            <>
              It expires <Timestamp at={until} />
            </>
          )}
          . To try it:
        </p>
        <pre className="overflow-x-auto rounded-control border border-border bg-sunken px-3 py-2 font-mono text-cell">
          {`curl ${location.origin}/api/v1/token \\\n  -H "Authorization: Bearer $SLUICE_API_TOKEN"`}
        </pre>
      </div>
    </Dialog>
  );
}

export function RevokeTokenDialog({ token: { name }, onClose }: { token: TokenRow; onClose: () => void }) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const revoke = async () => {
    if (!(await run(() => revokeToken({ name })))) return;
    toast({ tone: "plain", title: `Token ${name} revoked` });
    onClose();
    await client.invalidateQueries({ queryKey: tokens().queryKey });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke the token ${name}?`}
      description="Its next request is refused. What it changed stays. A revoked token cannot be brought back."
      confirmLabel={`Revoke ${name}`}
      onConfirm={() => void revoke()}
      isDanger
      isBusy={isBusy}
      error={failure?.message}
    />
  );
}
