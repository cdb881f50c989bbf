"use client";

import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { dismissLoss } from "@/lib/console/actions/restore.ts";
import { type Lost, sayLost } from "./loss-words.ts";

interface DismissDialogProps {
  lost: Lost;
  onDone: () => void;
  onClose: () => void;
}

export function DismissDialog({ lost, onDone, onClose }: DismissDialogProps) {
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const confirm = async () => {
    if (!(await run(() => dismissLoss({ reason })))) return;
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      onClose={onClose}
      title="Leave the lists empty?"
      description={`The console deletes its copy of ${sayLost(lost)}. You cannot restore them here afterwards.`}
      confirmLabel="Leave the lists empty"
      onConfirm={confirm}
      isBusy={isBusy}
      error={failure?.message}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
