"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { unprotect } from "@/lib/console/actions/lists.ts";
import { neverBlock, type StoredRange } from "@/lib/queries/never-block.ts";
import { RangeEffectText } from "./range-effect.tsx";

interface UnprotectDialogProps {
  range: StoredRange;
  onClose: () => void;
  onChanged: (change: number | null) => void;
}

export function UnprotectDialog({ range: { range }, onClose, onChanged }: UnprotectDialogProps) {
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const confirm = async () => {
    const done = await run(() => unprotect({ range, reason }));
    if (!done) return;
    onChanged(done.value.change);
    toast({ tone: "plain", title: `${range} is no longer protected` });
    onClose();
    await client.invalidateQueries({ queryKey: neverBlock().queryKey });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
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
