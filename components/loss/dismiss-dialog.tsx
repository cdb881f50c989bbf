"use client";

import { useState } from "react";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { answerOf, type LossActions } from "./answer.ts";
import { type Lost, sayLost } from "./loss-words.ts";

interface DismissDialogProps {
  lost: Lost;
  dismiss: LossActions["dismiss"];
  onDone: () => void;
  onClose: () => void;
}

export function DismissDialog({ lost, dismiss, onDone, onClose }: DismissDialogProps) {
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = async () => {
    setIsBusy(true);
    const answer = await answerOf(dismiss({ reason }));
    setIsBusy(false);
    setProblem(answer.ok ? undefined : answer.error.message);
    if (!answer.ok) return;
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      onClose={onClose}
      title="Leave the lists empty?"
      description={`The console forgets ${sayLost(lost)}. They cannot be restored from here afterwards.`}
      confirmLabel="Leave them empty"
      onConfirm={confirm}
      isBusy={isBusy}
      error={problem}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
