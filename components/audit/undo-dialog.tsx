"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type UndoProgress, undoInSteps } from "@/components/console/undo-in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { AfterUndo } from "@/components/console/use-undo.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { type AuditRow, auditDetail } from "@/lib/queries/audit.ts";
import { Sentence } from "./feed/sentence.tsx";
import { WhatComesBack } from "./what-comes-back.tsx";

interface UndoDialogProps {
  readonly row: AuditRow;
  /** Entries that were chosen; all of them unless given. */
  readonly addresses?: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

/** Fewer entries are undone before a bar would be seen. */
const worthTelling = 2_000;

/** Shows the result of the undo, asks for a reason, and waits for the server. */
export function UndoDialog({ row, addresses, onClose, onUndone }: UndoDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const [progress, setProgress] = useState<UndoProgress>();
  const { data } = useQuery({ ...auditDetail(row.n), staleTime: Number.POSITIVE_INFINITY });
  const isMany = addresses === undefined && row.targets > worthTelling;
  const what = addresses
    ? `${counted(addresses.length, "entry", "entries")} of record ${countText(row.n)}`
    : `record ${countText(row.n)}`;
  const undo = async () => {
    if (isMany) setProgress({ done: 0, wanted: row.targets });
    const done = await run(async () => {
      const undone = await undoInSteps({ n: row.n, reason, addresses }, isMany ? setProgress : undefined);
      return undone.ok ? { ok: true, value: undone } : undone;
    });
    if (!done) return;
    const undone = done.value;
    const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    const verb = addresses && addresses.length > 1 ? "are" : "is";
    toast({
      tone: "plain",
      title: `${subject} ${verb} ${undone.left > 0 ? "partly " : ""}undone`,
      detail: <AfterUndo undone={undone} />,
    });
    onUndone();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={isBusy ? () => {} : onClose}
      title={`Undo ${what}?`}
      description={
        <>
          <Untrusted text={row.actor} max={60} /> <Sentence pieces={row.says} isPlain />
        </>
      }
      confirmLabel={`Undo ${what}`}
      onConfirm={() => void undo()}
      isBusy={isBusy}
      error={failure && <Untrusted text={failure.message} max={1_000} />}
    >
      <div className="flex flex-col gap-3">
        {progress ? (
          <ProgressBar label="Undoing" done={progress.done} of={progress.wanted} />
        ) : (
          <WhatComesBack detail={data} row={row} addresses={addresses} />
        )}
        <Field label="Reason" hint="required; shown in the audit log">
          <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
