"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChangeProgress } from "../../../../components/change-progress.tsx";
import { ConfirmDialog } from "../../../../components/ui/confirm-dialog.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { type AuditRow, auditDetail } from "../../../../lib/queries/audit.ts";
import { undoChange } from "../../../_actions/audit.ts";
import { Sentence } from "../_feed/sentence.tsx";
import { WhatComesBack } from "./what-comes-back.tsx";

interface UndoDialogProps {
  readonly row: AuditRow;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

const noAnswer = "The console does not answer. Whether it was undone is not known: look, then try again.";

/** Says what comes back, asks why, and waits for the server: nothing is undone by halves. */
export function UndoDialog({ row, onClose, onUndone }: UndoDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { data } = useQuery({ ...auditDetail(row.n), staleTime: Number.POSITIVE_INFINITY });
  const run = async () => {
    setIsBusy(true);
    const result = await undoChange({ n: row.n, reason }).catch(() => undefined);
    setIsBusy(false);
    if (!result?.ok) return setError(result ? result.error.message : noAnswer);
    const { change } = result.value;
    toast({
      tone: "plain",
      title: `Record ${countText(row.n)} is undone`,
      detail: <ChangeProgress change={change} />,
    });
    onUndone();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Undo record ${countText(row.n)}?`}
      description={
        <>
          <Untrusted text={row.actor} max={60} /> <Sentence pieces={row.says} isPlain />
        </>
      }
      confirmLabel={`Undo record ${countText(row.n)}`}
      onConfirm={() => void run()}
      isBusy={isBusy}
      error={error && <Untrusted text={error} max={1_000} />}
    >
      <div className="flex flex-col gap-3">
        <WhatComesBack detail={data} />
        <Field label="Reason" hint="on record with the undo">
          <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
