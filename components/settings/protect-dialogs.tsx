"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useSettled } from "@/components/console/use-settled.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { type ToastContent, useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Result } from "@/lib/console/action.ts";
import { protect, unprotect } from "@/lib/console/actions/lists.ts";
import { neverBlock, type RangeEffect, rangeEffect } from "@/lib/queries/never-block.ts";
import { readTypedRange } from "./typed-range.ts";

interface DialogProps {
  onClose: () => void;
  onChanged: (change: number | null) => void;
}

interface ProtectDialogProps extends DialogProps {
  known:
    | { readonly fixed: readonly { range: string }[]; readonly stored: readonly { range: string }[] }
    | undefined;
}

const pauseMs = 400;

export function ProtectDialog({ known, ...dialog }: ProtectDialogProps) {
  const { onClose } = dialog;
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const { change, isBusy, failure } = useRangeChange(dialog);
  const typed = readTypedRange(
    text,
    [...(known?.fixed ?? []), ...(known?.stored ?? [])].map(({ range }) => range),
  );
  const range = typed.kind === "range" ? typed.range : undefined;
  // Redis walks over the list, so the effect is read once typing pauses.
  const settled = useSettled(range, pauseMs);
  const submit = async () => {
    if (!range) return;
    await change(() => protect({ range, reason }), { tone: "safelisted", title: `${range} is protected` });
  };
  return (
    <FormDialog
      title="Protect a range"
      description="For offices, VPNs, health checks and partners. It applies on every node at once, also to existing entries."
      submitLabel={range ? `Protect ${range}` : "Protect"}
      onSubmit={submit}
      isReady={range !== undefined && reason.trim() !== ""}
      {...{ isBusy, failure, onClose }}
    >
      <RangeField text={text} onText={setText} typed={typed} refused={failure?.fields.range} />
      <Field
        label="Reason"
        hint="required; shown beside the range and in the audit log"
        error={failure?.fields.reason}
      >
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <RangeEffectText range={settled === range ? range : undefined} will="stop being enforced" />
    </FormDialog>
  );
}

interface RangeFieldProps {
  text: string;
  onText: (text: string) => void;
  typed: ReturnType<typeof readTypedRange>;
  refused: string | undefined;
}

function RangeField({ text, onText, typed, refused }: RangeFieldProps) {
  const suggestion = typed.kind === "wrong" ? typed.suggestion : undefined;
  // An address that is being typed is wrong until it is whole.
  const wrong = useSettled(typed.kind === "wrong" ? typed.says : undefined, pauseMs);
  return (
    <Field label="Address or range" hint="for example 192.0.2.0/24" error={wrong ?? refused}>
      <Input
        isMono
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {wrong && suggestion && (
        <Button size="sm" className="w-fit" onClick={() => onText(suggestion)}>
          Use {suggestion}
        </Button>
      )}
    </Field>
  );
}

export function UnprotectDialog({ range, ...dialog }: DialogProps & { range: string }) {
  const [reason, setReason] = useState("");
  const { change, isBusy, failure } = useRangeChange(dialog);
  const confirm = () =>
    change(() => unprotect({ range, reason }), { tone: "plain", title: `${range} is no longer protected` });
  return (
    <ConfirmDialog
      isOpen
      onClose={dialog.onClose}
      title={`Stop protecting ${range}?`}
      description="Overlapping entries are enforced again on every node at once."
      confirmLabel={`Stop protecting ${range}`}
      onConfirm={confirm}
      isDanger
      isBusy={isBusy}
      isDisabled={reason.trim() === ""}
      error={failure?.message}
    >
      <div className="flex flex-col gap-3">
        <RangeEffectText range={range} will="are enforced again" />
        <Field label="Reason" hint="required; shown in the audit log">
          <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}

/** Runs a change of the protected ranges. Once it is made, reports it and closes the dialog. */
function useRangeChange({ onClose, onChanged }: DialogProps) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const change = async (call: () => Promise<Result<{ change: number | null }>>, told: ToastContent) => {
    const done = await run(call);
    if (!done) return;
    onChanged(done.value.change);
    toast(told);
    onClose();
    await client.invalidateQueries({ queryKey: neverBlock().queryKey });
  };
  return { change, isBusy, failure };
}

interface RangeEffectTextProps {
  /** In canonical form. Undefined while unknown. */
  range: string | undefined;
  /** Effect of the change on such entries. */
  will: "stop being enforced" | "are enforced again";
}

const mostNamed = 5;

/** Blocklist entries that overlap the range, before the change. */
function RangeEffectText({ range, will }: RangeEffectTextProps) {
  const { data, error } = useQuery({
    ...rangeEffect(range ?? ""),
    enabled: range !== undefined,
    staleTime: 30_000,
  });
  return (
    <div role="status" className="rounded-control bg-sunken px-3 py-2 text-cell">
      {range === undefined ? (
        <span className="text-text-3">Overlapping blocklist entries are shown here.</span>
      ) : error ? (
        `Failed to load the affected entries. ${error.message}`
      ) : data ? (
        <Effect effect={data} will={will} />
      ) : (
        <Spinner label="Searching for overlapping blocklist entries" />
      )}
    </div>
  );
}

interface EffectProps extends Pick<RangeEffectTextProps, "will"> {
  effect: RangeEffect;
}

function Effect({ effect: { count, entries }, will }: EffectProps) {
  if (count === 0) return "No blocklist entry overlaps it, so this changes no verdict now.";
  const verb = count === 1 ? will.replace("stop ", "stops ").replace("are ", "is ") : will;
  const more = count - Math.min(mostNamed, entries.length);
  return (
    <>
      <p className="font-medium">
        {count} blocklist {count === 1 ? "entry" : "entries"} {verb}:
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-text-2">
        {entries.slice(0, mostNamed).map(({ address, reason, by }) => (
          <li key={address}>
            <span className="font-mono text-text">{address}</span>{" "}
            <Untrusted text={[reason, by].filter(Boolean).join(", by ")} max={100} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1 text-text-3">and {more} more</p>}
    </>
  );
}
