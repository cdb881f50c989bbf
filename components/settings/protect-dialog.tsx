"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { protect } from "@/lib/console/actions/lists.ts";
import { neverBlock } from "@/lib/queries/never-block.ts";
import { RangeEffectText } from "./range-effect.tsx";
import { readTypedRange } from "./typed-range.ts";
import { useSettled } from "./use-settled.ts";

interface ProtectDialogProps {
  known:
    | { readonly fixed: readonly { range: string }[]; readonly stored: readonly { range: string }[] }
    | undefined;
  onClose: () => void;
  onChanged: (change: number | null) => void;
}

const formId = "protect-range";

export function ProtectDialog({ known, onClose, onChanged }: ProtectDialogProps) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const typed = readTypedRange(
    text,
    [...(known?.fixed ?? []), ...(known?.stored ?? [])].map(({ range }) => range),
  );
  const range = typed.kind === "range" ? typed.range : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!range) return;
    const done = await run(() => protect({ range, reason }));
    if (!done) return;
    onChanged(done.value.change);
    toast({ tone: "safelisted", title: `${range} is protected` });
    onClose();
    await client.invalidateQueries({ queryKey: neverBlock().queryKey });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Protect a range"
      description="For offices, VPNs, health checks and partners. It applies on every node at once, also to existing entries."
      footer={
        <>
          <Button variant="ghost" size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            size="lg"
            isBusy={isBusy}
            disabled={!range || reason.trim() === ""}
          >
            {range ? `Protect ${range}` : "Protect"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <RangeField text={text} onText={setText} typed={typed} refused={failure?.fields.range} />
        <Field
          label="Reason"
          hint="required; shown beside the range and in the audit log"
          error={failure?.fields.reason}
        >
          <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <Preview range={range} />
        {failure && Object.keys(failure.fields).length === 0 && (
          <p role="alert" className="text-cell text-blocked">
            {failure.message}
          </p>
        )}
      </form>
    </Dialog>
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
  const wrong = useSettled(typed.kind === "wrong" ? typed.says : undefined);
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

/** Reads once typing pauses, because Redis walks over the list. */
function Preview({ range }: { range: string | undefined }) {
  const settled = useSettled(range);
  return <RangeEffectText range={settled === range ? range : undefined} will="stop being enforced" />;
}
