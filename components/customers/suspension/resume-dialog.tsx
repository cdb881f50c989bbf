"use client";

import { useState } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { resume } from "@/lib/console/actions/customers.ts";

interface ResumeDialogProps {
  id: string;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Ends a suspension. Mounted while it is open. */
export function ResumeDialog({ id, onClose, onDone }: ResumeDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const { run, isBusy, failure } = useMutate();
  const problem = reason.trim() === "" ? "Enter a reason. It is shown in the audit log." : undefined;
  const confirm = async () => {
    setIsTried(true);
    if (problem !== undefined) return;
    const done = await run(async () => {
      const result = await answered(() => resume({ id, reason }));
      await onDone().catch(() => undefined);
      return result;
    });
    if (!done) return;
    const title = `Customer ${id} is no longer suspended`;
    toast({ tone: "pass", title, detail: <ChangeProgress change={done.value.change} /> });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Resume customer ${id}`}
      description="Ends the suspension on all nodes within a second. The customer's tier and limits apply again. You can undo it."
      confirmLabel="Resume"
      onConfirm={() => void confirm()}
      isBusy={isBusy}
      error={isTried ? (problem ?? failure?.message) : failure?.message}
    >
      <Field label="Reason" hint="required">
        <Input value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
