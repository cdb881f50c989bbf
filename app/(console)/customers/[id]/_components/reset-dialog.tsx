"use client";

import { useState } from "react";
import { ConfirmDialog } from "../../../../../components/ui/confirm-dialog.tsx";
import { counted } from "../../../../../components/ui/count-text.ts";
import { Field } from "../../../../../components/ui/field.tsx";
import { Input } from "../../../../../components/ui/input.tsx";
import { useToast } from "../../../../../components/ui/toast.tsx";
import { resetCounters } from "../../../../_actions/customers.ts";
import { answered } from "../_editor/apply.ts";

interface ResetDialogProps {
  id: string;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Lets a customer begin anew. Mounted while it is open, so that each time it begins empty. */
export function ResetDialog({ id, onClose, onDone }: ResetDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const reset = async () => {
    if (reason.trim() === "") return setProblem("Write why: it stands in the audit log.");
    setIsBusy(true);
    const result = await answered(resetCounters({ id, reason }));
    await onDone().catch(() => undefined);
    setIsBusy(false);
    if (!result.ok) return setProblem(result.error.message);
    const detail = `${counted(result.value.deleted, "counter")} deleted; every node forgets that it denied it.`;
    toast({ tone: "pass", title: `Customer ${id} begins anew`, detail });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Reset the counters of customer ${id}`}
      description="What was counted of this customer is deleted, in every window of its limits and of all tiers: the next request is the first one. Its tier and its limits stay. What is counted of it together with something else (an address, a path) stays, too. This cannot be undone."
      confirmLabel="Reset counters"
      onConfirm={() => void reset()}
      isDanger
      isBusy={isBusy}
      error={problem}
    >
      <Field label="Reason" hint="required">
        <Input value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
