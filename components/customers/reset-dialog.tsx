"use client";

import { useState } from "react";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { resetCounters } from "@/lib/console/actions/customers.ts";

interface ResetDialogProps {
  id: string;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Resets the counters of a customer. Mounted while it is open, so that each time it begins empty. */
export function ResetDialog({ id, onClose, onDone }: ResetDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const [isWanting, setIsWanting] = useState(false);
  const reset = async () => {
    setIsWanting(reason.trim() === "");
    if (reason.trim() === "") return;
    const done = await run(async () => {
      const result = await answered(() => resetCounters({ id, reason }));
      await onDone().catch(() => undefined);
      return result;
    });
    if (!done) return;
    const detail = `${counted(done.value.deleted, "counter")} deleted; every node forgets its denials.`;
    toast({ tone: "pass", title: `Counters of customer ${id} are reset`, detail });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Reset the counters of customer ${id}`}
      description="Deletes the counters of this customer, in every window of its limits and of all tiers. The next request counts as the first. Tier and limits stay. Counters of the customer together with an address or a path stay, too. This cannot be undone."
      confirmLabel="Reset counters"
      onConfirm={() => void reset()}
      isDanger
      isBusy={isBusy}
      error={isWanting ? "Enter a reason. It is shown in the audit log." : failure?.message}
    >
      <Field label="Reason" hint="required">
        <Input value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
